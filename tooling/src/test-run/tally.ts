/**
 * Counts a test run into the closing line that people and machines read.
 *
 * Boundary: pure. Whatever kept a test from being judged counts as failed, so a run can never look better than it was.
 */
import type { TestReport } from '../requirements/test-report.ts';

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

export type Run = {
  /** Nothing where the runner wrote no readable report. */
  readonly report: TestReport | undefined;
  /** Whether the runner itself ended with exit code 0. */
  readonly runnerOk: boolean;
  /** Violations of the requirement gate and processes left behind: one failure each. */
  readonly complaints: number;
};

export const tallyRun = ({ report, runnerOk, complaints }: Run): Tally => {
  const count = (outcome: string): number =>
    report?.tests.filter((test) => test.outcome === outcome).length ?? 0;
  const failed = count('failed') + (report?.brokenFiles.length ?? 0);
  // An unhandled rejection outside every test fails the run and stands in no test's result.
  const unexplained = failed === 0 && (!runnerOk || report?.success !== true) ? 1 : 0;
  return { passed: count('passed'), failed: failed + unexplained + complaints, skipped: count('skipped') };
};

/** `12 passed, 0 failed`, and `, 3 skipped` where some were: alone on a line, in exactly this form. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** A run that executed nothing proves nothing. */
export const exitCodeOf = ({ passed, failed }: Tally): 0 | 1 => (failed === 0 && passed > 0 ? 0 : 1);
