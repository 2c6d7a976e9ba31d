/**
 * `pnpm documents`: checks that every path, link, command and marked snippet in the documents is true.
 *
 * Boundary: prints findings as `file:line: sentence`, exits 1 where there is one. `--write` first copies marked
 * snippets anew from their files.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAllDocuments, findingLine } from './documents/check-all.ts';
import { refreshExamples } from './documents/examples.ts';
import { readRepository } from './documents/read-repository.ts';
import { rootFolder } from './root.ts';

const { facts, documents } = readRepository(rootFolder);
if (process.argv.includes('--write')) {
  for (const document of documents) {
    const before = facts.readFile(document) ?? '';
    const text = refreshExamples(document, before, facts);
    if (text === before) continue;
    writeFileSync(join(rootFolder, document), text);
    process.stdout.write(`${document}: snippets copied anew\n`);
  }
}
const findings = checkAllDocuments(documents, facts);
for (const finding of findings) process.stdout.write(`${findingLine(finding)}\n`);
process.stdout.write(`${documents.length} documents, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
