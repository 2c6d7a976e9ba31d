/**
 * `pnpm bench [NAME…]`: runs the benches one after another and lays their figures beside their aims.
 *
 * Boundary: a missed aim is a figure, not a failure (machines differ), unless `--strict` asks. A bench that breaks
 * always fails. Benches run alone: two at once on few cores would measure each other.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBenchLine } from './benches/bench-row.ts';
import type { BenchRow } from './benches/bench-row.ts';
import { benchTable } from './benches/bench-table.ts';
import { runCommand } from './processes/run-command.ts';
import { toolPath } from './processes/tool.ts';
import { rootFolder, workspaceFolders } from './root.ts';
import { walkFiles } from './walk-files.ts';

const usage = `usage: pnpm bench [--json] [--strict] [--full] [NAME…]
  NAME      only bench files whose path holds NAME, e.g. ledger/bench/append
  --json    rows as JSON lines
  --strict  exit 1 where an aim is missed
  --full    benches see FULL=1
`;

type BenchFile = { readonly folder: string; readonly path: string };

const benchFiles = (names: readonly string[]): readonly BenchFile[] =>
  workspaceFolders()
    .flatMap((folder) =>
      walkFiles(join(rootFolder, folder, 'bench'))
        .filter((path) => path.endsWith('.bench.ts'))
        .map((path) => ({ folder, path: `bench/${path}` })),
    )
    .filter(
      ({ folder, path }) => names.length === 0 || names.some((name) => `${folder}/${path}`.includes(name)),
    );

const runBench = async (
  { folder, path }: BenchFile,
  full: boolean,
): Promise<{ readonly ok: boolean; readonly rows: readonly BenchRow[] }> => {
  const { ok, end, output, stdout } = await runCommand(toolPath('tsx'), [path], {
    cwd: join(rootFolder, folder),
    env: full ? { FULL: '1' } : {},
    output: 'keep',
  });
  const rows = stdout
    .split('\n')
    .map(readBenchLine)
    .filter((row) => row !== undefined);
  if (!ok) process.stderr.write(`${folder}/${path} broke (${end})\n${output}\n`);
  else if (rows.length === 0) process.stderr.write(`${folder}/${path} printed no figure\n${output}\n`);
  return { ok: ok && rows.length > 0, rows };
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const files = benchFiles(positionals);
  if (files.length === 0) {
    process.stderr.write(`no bench file matches ${positionals.join(' ')}\n`);
    return 1;
  }
  const rows: BenchRow[] = [];
  let broken = 0;
  for (const file of files) {
    process.stderr.write(`${file.folder}/${file.path} …\n`);
    const result = await runBench(file, values.full);
    if (!result.ok) broken += 1;
    rows.push(...result.rows);
    if (values.json) for (const row of result.rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  }
  if (!values.json) process.stdout.write(`${benchTable(rows)}\n`);
  const missed = rows.filter(({ met }) => met === false);
  if (missed.length > 0) process.stderr.write(`missed: ${missed.map(({ bench }) => bench).join(', ')}\n`);
  return broken > 0 || (values.strict && missed.length > 0) ? 1 : 0;
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
}
