// Catches a run that closes with "0 failed" although something went wrong outside every test.
import { expect, test } from 'vitest';
import type { TestOutcome, TestReport } from '../requirements/test-report.ts';
import { closingLine, exitCodeOf, tallyRun } from './tally.ts';

const reportOf = (
  outcomes: readonly TestOutcome[],
  brokenFiles: readonly string[] = [],
  success = true,
): TestReport => ({
  tests: outcomes.map((outcome) => ({ title: 't', groups: [], file: 'a.test.ts', outcome })),
  brokenFiles,
  success,
});

test.each([
  {
    why: 'all passed',
    run: { report: reportOf(['passed', 'passed']), runnerOk: true, complaints: 0 },
    line: '2 passed, 0 failed',
    exit: 0,
  },
  {
    why: 'some skipped',
    run: { report: reportOf(['passed', 'skipped']), runnerOk: true, complaints: 0 },
    line: '1 passed, 0 failed, 1 skipped',
    exit: 0,
  },
  {
    why: 'one failed',
    run: { report: reportOf(['passed', 'failed'], [], false), runnerOk: false, complaints: 0 },
    line: '1 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'a file could not be run',
    run: { report: reportOf(['passed'], ['b.test.ts'], false), runnerOk: false, complaints: 0 },
    line: '1 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'an unhandled error outside every test',
    run: { report: reportOf(['passed']), runnerOk: false, complaints: 0 },
    line: '1 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'the report itself says no success',
    run: { report: reportOf(['passed'], [], false), runnerOk: true, complaints: 0 },
    line: '1 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'the runner died without a report',
    run: { report: undefined, runnerOk: false, complaints: 0 },
    line: '0 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'no report although the runner was content',
    run: { report: undefined, runnerOk: true, complaints: 0 },
    line: '0 passed, 1 failed',
    exit: 1,
  },
  {
    why: 'violations of the gate',
    run: { report: reportOf(['passed']), runnerOk: true, complaints: 2 },
    line: '1 passed, 2 failed',
    exit: 1,
  },
  {
    why: 'no test ran',
    run: { report: reportOf([]), runnerOk: true, complaints: 0 },
    line: '0 passed, 0 failed',
    exit: 1,
  },
  {
    why: 'only skipped tests',
    run: { report: reportOf(['skipped']), runnerOk: true, complaints: 0 },
    line: '0 passed, 0 failed, 1 skipped',
    exit: 1,
  },
])('$why: $line', ({ run, line, exit }) => {
  const tally = tallyRun(run);
  expect(closingLine(tally)).toBe(line);
  expect(exitCodeOf(tally)).toBe(exit);
});
