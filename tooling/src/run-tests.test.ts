// Catches a run whose closing line is missing, not the last, or better than what happened.
import { existsSync, writeFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeRepository, fakeVitest, reportOf } from './commands.fixture.ts';
import { markedProcesses } from './processes/leftovers.ts';

const lastLine = (output: string): string | undefined => output.trimEnd().split('\n').at(-1);
const turbo = 'exit 0';

test('all passed: the gate is printed, the closing line is alone and last, and exit code is 0', async () => {
  const report = reportOf('/r', { 'a [LEDG-01]': 'passed', b: 'passed', c: 'skipped' });
  const { root, run } = fakeRepository({ turbo, vitest: fakeVitest(report, 0) });
  const { ok, stdout } = await run('run-tests.ts');
  expect(lastLine(stdout)).toBe('2 passed, 0 failed, 1 skipped');
  expect(ok).toBe(true);
  expect(stdout).toMatch(/^ledger +1 +1 +0 +0 +2$/m);
  expect(readFileSync(join(root, 'node_modules/.cache/x/closing-line'), 'utf8')).toBe(
    '2 passed, 0 failed, 1 skipped\n',
  );
});

test('a build that fails is shown whole, and no test is run on old output', async () => {
  const { root, run } = fakeRepository({
    turbo: "echo 'src/a.ts: no such type'; exit 2",
    vitest: 'touch ran; exit 0',
  });
  const { end, stdout } = await run('run-tests.ts');
  expect(stdout).toContain('src/a.ts: no such type');
  expect(lastLine(stdout)).toBe('0 passed, 1 failed');
  expect(end).toBe('exit 1');
  expect(existsSync(join(root, 'ran'))).toBe(false);
});

test('a cited id that does not exist fails the run although every test passed', async () => {
  const report = reportOf('/r', { 'a [LEDG-77]': 'passed' });
  const { end, stdout } = await fakeRepository({ turbo, vitest: fakeVitest(report, 0) }).run('run-tests.ts');
  expect(stdout).toContain('requirement gate: LEDG-77 is cited and is no requirement');
  expect(lastLine(stdout)).toBe('1 passed, 1 failed');
  expect(end).toBe('exit 1');
});

test('a runner that dies without a report fails the run, and a report of an earlier run is not taken for its own', async () => {
  const { root, run } = fakeRepository({ turbo, vitest: 'kill -9 $$' });
  mkdirSync(join(root, 'node_modules/.cache/x'), { recursive: true });
  const old = reportOf('/r', { 'a [LEDG-01]': 'passed' });
  writeFileSync(join(root, 'node_modules/.cache/x/test-report.json'), JSON.stringify(old));
  const { end, stdout } = await run('run-tests.ts');
  expect(stdout).toContain('The test runner wrote no report.');
  expect(lastLine(stdout)).toBe('0 passed, 1 failed');
  expect(end).toBe('exit 1');
});

test('a runner that fails although every test passed fails the run', async () => {
  const report = reportOf('/r', { a: 'passed' });
  const { stdout } = await fakeRepository({ turbo, vitest: fakeVitest(report, 1) }).run('run-tests.ts');
  expect(lastLine(stdout)).toBe('1 passed, 1 failed');
});

test('a run in which nothing ran is no success', async () => {
  const { end, stdout } = await fakeRepository({
    turbo,
    vitest: fakeVitest({ success: true, testResults: [] }, 0),
  }).run('run-tests.ts');
  expect(stdout).toContain('No test was run.');
  expect(lastLine(stdout)).toBe('0 passed, 0 failed');
  expect(end).toBe('exit 1');
});

test('a partial run hands its paths on, judges unknown ids alone, and leaves the whole report as it was', async () => {
  const report = reportOf('/r', { 'a [LEDG-01]': 'skipped', b: 'passed' });
  const vitest = fakeVitest(report, 0, 'echo "arguments: $* full: $FULL"');
  const { root, run } = fakeRepository({ turbo, vitest });
  const { ok, stdout } = await run('run-tests.ts', ['--full', '-t', 'torn', 'packages/ledger']);
  expect(stdout).toMatch(/arguments: run .*--testNamePattern=torn packages\/ledger full: 1/);
  expect(lastLine(stdout)).toBe('1 passed, 0 failed, 1 skipped');
  expect(ok).toBe(true);
  expect(existsSync(join(root, 'node_modules/.cache/x/test-report.json'))).toBe(false);
});

test('a whole run fails on an id that only a skipped test claims', async () => {
  const report = reportOf('/r', { 'a [LEDG-01]': 'skipped', b: 'passed' });
  const { stdout } = await fakeRepository({ turbo, vitest: fakeVitest(report, 0) }).run('run-tests.ts');
  expect(lastLine(stdout)).toBe('1 passed, 1 failed, 1 skipped');
});

// Processes are found by their environment in /proc, which only Linux has.
test.skipIf(process.platform !== 'linux')(
  'a process that a test left behind is named, ended and counted',
  async () => {
    const report = reportOf('/r', { a: 'passed' });
    const vitest = fakeVitest(report, 0, 'echo "mark=$X_TEST_RUN"; setsid sleep 41 >/dev/null 2>&1 &');
    const { end, stdout } = await fakeRepository({ turbo, vitest }).run('run-tests.ts');
    const mark = /mark=(\S+)/.exec(stdout)?.[1] ?? '';
    expect(stdout).toMatch(/a test left process \d+ running: sleep 41/);
    expect(lastLine(stdout)).toBe('1 passed, 1 failed');
    expect(end).toBe('exit 1');
    expect(mark).not.toBe('');
    expect(markedProcesses('X_TEST_RUN', mark)).toEqual([]);
  },
);

test('a run that is told to stop ends its runner, still closes with its tally, and is no success', async () => {
  // The runner tells whoever started it to stop, and would itself go on for a minute.
  const vitest = 'kill -TERM $PPID; exec sleep 60';
  const { end, stdout } = await fakeRepository({ turbo, vitest }).run('run-tests.ts');
  expect(lastLine(stdout)).toBe('0 passed, 1 failed');
  expect(end).toBe('exit 1');
});

test('a misspelt option runs nothing and says how it is used', async () => {
  const { root, run } = fakeRepository({ turbo: 'touch ran', vitest: 'touch ran' });
  const { end, output } = await run('run-tests.ts', ['--ful']);
  expect(end).toBe('exit 2');
  expect(output).toContain('usage: pnpm test');
  expect(existsSync(join(root, 'ran'))).toBe(false);
});
