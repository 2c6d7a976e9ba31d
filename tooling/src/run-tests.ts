/**
 * `pnpm test`: builds what changed, runs the tests once, judges the requirements by what was executed, and closes
 * with one line, `N passed, N failed`.
 *
 * Boundary: exits 0 only where everything passed and something ran; leaves no process.
 *  T1  The closing line is the last of our output and is printed whatever happened before.
 *  T2  The report of a whole run stays for `pnpm requirements`; a partial run never replaces it.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { leftoversAfterGrace } from './processes/leftovers.ts';
import { runCommand } from './processes/run-command.ts';
import { quietEnvironment, runTask, toolPath } from './processes/tool.ts';
import { citationsOfRun, judgeRequirements, prefixesOf } from './requirements/judge.ts';
import { areaTable } from './requirements/print.ts';
import { readTables } from './requirements/read-citations.ts';
import { readTestReport } from './requirements/test-report.ts';
import type { TestReport } from './requirements/test-report.ts';
import { cacheFolder, rootFolder } from './root.ts';
import { readTestArguments, testUsage } from './test-run/arguments.ts';
import type { TestRunOptions } from './test-run/arguments.ts';
import { closingLine, exitCodeOf, tallyRun } from './test-run/tally.ts';
import type { Tally } from './test-run/tally.ts';

/** Children inherit it, so that what they leave behind can be found. */
const markName = 'X_TEST_RUN';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const runTests = async (options: TestRunOptions): Promise<Tally> => {
  const build = await runTask('build');
  if (!build.ok) {
    say(build.output.trim());
    say(`\nThe build failed (${build.end}), so no test was run.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  say(`built in ${(build.elapsedMs / 1000).toFixed(1)} s`);

  const mark = randomUUID();
  const reportFile = join(cacheFolder, options.partial ? 'test-report.partial.json' : 'test-report.json');
  mkdirSync(cacheFolder, { recursive: true });
  // A report of an earlier run must not be taken for this one's when the runner dies.
  rmSync(reportFile, { force: true });
  const runner = await runCommand(toolPath('vitest'), vitestArguments(options, reportFile), {
    cwd: rootFolder,
    env: { ...quietEnvironment, [markName]: mark, ...(options.full ? { FULL: '1' } : {}) },
    output: 'show',
  });
  const left = await endLeftovers(mark);
  const report = loadReport(reportFile);
  const violations = report === undefined ? [] : judge(report, options.partial);
  return tallyRun({ report, runnerOk: runner.ok, complaints: left + violations.length });
};

const vitestArguments = ({ paths, titlePattern }: TestRunOptions, reportFile: string): readonly string[] => [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
  ...(titlePattern === undefined ? [] : [`--testNamePattern=${titlePattern}`]),
  ...paths,
];

/** Names and ends what the tests left running; gives how many there were. */
const endLeftovers = async (mark: string): Promise<number> => {
  const left = await leftoversAfterGrace(markName, mark);
  for (const { pid, command } of left) {
    say(`a test left process ${pid} running: ${command}`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the listing and now.
    }
  }
  return left.length;
};

const loadReport = (reportFile: string): TestReport | undefined => {
  let text: string;
  try {
    text = readFileSync(reportFile, 'utf8');
  } catch {
    say('The test runner wrote no report.');
    return undefined;
  }
  const read = readTestReport(text);
  if (read.code === 'read') return read.report;
  say(read.reason);
  return undefined;
};

/** Prints the gate's table and its violations; gives the violations. */
const judge = (report: TestReport, partial: boolean): readonly string[] => {
  const tables = readTables(rootFolder);
  const tests = report.tests.map((test) => ({ ...test, file: relative(rootFolder, test.file) }));
  const citations = citationsOfRun(tests, prefixesOf(tables.requirements.rows));
  const judgement = judgeRequirements({ ...tables, citations, partial, release: false });
  if (!partial)
    say(
      `requirements, by the tests that were executed (all of them: pnpm requirements):\n${areaTable(judgement)}\n`,
    );
  for (const violation of judgement.violations) say(`requirement gate: ${violation}`);
  return judgement.violations;
};

const main = async (): Promise<number> => {
  const read = readTestArguments(process.argv.slice(2));
  if (read.code === 'help') {
    process.stdout.write(testUsage);
    return 0;
  }
  if (read.code === 'wrong') {
    process.stderr.write(`${read.reason}\n${testUsage}`);
    return 2;
  }
  const tally = await runTests(read.options);
  if (tally.passed + tally.failed === 0) say('No test was run.');
  const line = closingLine(tally);
  // Kept for callers that must end with it: after a failure pnpm adds a line of its own.
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(join(cacheFolder, 'closing-line'), `${line}\n`);
  say(line);
  return exitCodeOf(tally);
};

process.exitCode = await main();
