/**
 * `pnpm documents`: checks that every path, link, command and marked snippet in the documents is true.
 *
 * Boundary: prints findings as `file:line: sentence`, exits 1 where there is one. `--write` first copies marked
 * snippets anew from their files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDocument } from './documents/check-document.ts';
import { refreshExamples } from './documents/examples.ts';
import { readRepository } from './documents/read-repository.ts';
import { rootFolder } from './root.ts';

const write = process.argv.includes('--write');
const { facts, documents } = readRepository(rootFolder);
const findings = documents.flatMap((document) => {
  const path = join(rootFolder, document);
  const before = readFileSync(path, 'utf8');
  const text = write ? refreshExamples(document, before, facts) : before;
  if (text !== before) {
    writeFileSync(path, text);
    process.stdout.write(`${document}: snippets copied anew\n`);
  }
  return checkDocument(document, text, facts);
});
for (const { document, line, text } of findings) process.stdout.write(`${document}:${line}: ${text}\n`);
process.stdout.write(`${documents.length} documents, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
