/**
 * `pnpm requirements`: which requirement the tests cover, which is open, and what is cited without right.
 *
 * Boundary: prints, and exits 1 where the gate does not hold (requirements/judge.ts says when), 2 on wrong usage.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, rootFolder } from './root.ts';
import { judgeRequirements, prefixesOf } from './requirements/judge.ts';
import { areaTable, idTable, judgementJson } from './requirements/print.ts';
import { readCitations, readTables } from './requirements/read-citations.ts';
import type { CitationSource } from './requirements/read-citations.ts';

const usage = `usage: pnpm requirements [--open | --summary] [--json] [--release]
  --open     list only what no test covers yet
  --summary  only the sums by area
  --json     the same for programs
  --release  an open requirement fails the gate, too
`;

const main = (): number => {
  const options = readOptions();
  if (options === undefined) return 2;
  const tables = readTables(rootFolder);
  const source = readCitations(
    rootFolder,
    join(cacheFolder, 'test-report.json'),
    prefixesOf(tables.requirements.rows),
  );
  const judgement = judgeRequirements({
    ...tables,
    citations: source.citations,
    partial: false,
    release: options.release,
  });
  if (options.json) process.stdout.write(`${judgementJson(judgement, source.from)}\n`);
  else {
    const rows = options.open ? judgement.rows.filter(({ status }) => status === 'open') : judgement.rows;
    if (!options.summary) process.stdout.write(`${idTable(rows)}\n\n`);
    process.stdout.write(`${areaTable(judgement)}\n${originOf(source)}\n`);
    for (const violation of judgement.violations) process.stdout.write(`violation: ${violation}\n`);
  }
  return judgement.violations.length === 0 ? 0 : 1;
};

const originOf = (source: CitationSource): string =>
  source.from === 'run'
    ? `from the test run of ${source.at.toISOString()}: covered means executed and passed`
    : `from the sources of the tests, nothing was executed (${source.why}): covered means cited; 'pnpm test' tells more`;

const readOptions = ():
  | { readonly open: boolean; readonly summary: boolean; readonly json: boolean; readonly release: boolean }
  | undefined => {
  try {
    const { values } = parseArgs({
      options: {
        open: { type: 'boolean', default: false },
        summary: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (!values.help) return values;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
};

process.exitCode = main();
