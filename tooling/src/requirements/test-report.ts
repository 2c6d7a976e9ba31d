/**
 * Reads the JSON report of a test run into the few facts that the gate and the closing line need.
 *
 * Boundary: the report's text in, facts out. The report is another program's output, so nothing of its shape is trusted.
 */

export type TestOutcome = 'passed' | 'failed' | 'skipped';

export type ExecutedTest = {
  readonly title: string;
  /** Titles of the `describe` blocks around it. */
  readonly groups: readonly string[];
  readonly file: string;
  readonly outcome: TestOutcome;
};

export type TestReport = {
  readonly tests: readonly ExecutedTest[];
  /** Files that could not be run at all (a failed import, a syntax error): no test of theirs is in `tests`. */
  readonly brokenFiles: readonly string[];
  /** False where the runner itself says that something went wrong, also outside any test. */
  readonly success: boolean;
};

export type ReadReport =
  | { readonly code: 'read'; readonly report: TestReport }
  | { readonly code: 'unreadable'; readonly reason: string };

/** Never throws. */
export const readTestReport = (text: string): ReadReport => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      code: 'unreadable',
      reason: `the test report is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (!isRecord(value) || !Array.isArray(value['testResults'])) {
    return { code: 'unreadable', reason: 'the test report has no list `testResults`' };
  }
  const tests: ExecutedTest[] = [];
  const brokenFiles: string[] = [];
  const files: readonly unknown[] = value['testResults'];
  for (const file of files) {
    if (!isRecord(file) || typeof file['name'] !== 'string' || !Array.isArray(file['assertionResults'])) {
      return {
        code: 'unreadable',
        reason: 'the test report has a file without `name` or `assertionResults`',
      };
    }
    const name = file['name'];
    const results: readonly unknown[] = file['assertionResults'];
    const ofFile = results.filter(isRecord).map((result) => executedTest(result, name));
    tests.push(...ofFile);
    if (file['status'] === 'failed' && !ofFile.some((test) => test.outcome === 'failed'))
      brokenFiles.push(name);
  }
  return { code: 'read', report: { tests, brokenFiles, success: value['success'] === true } };
};

const executedTest = (result: Record<string, unknown>, file: string): ExecutedTest => {
  const groups: readonly unknown[] = Array.isArray(result['ancestorTitles']) ? result['ancestorTitles'] : [];
  return {
    title: typeof result['title'] === 'string' ? result['title'] : '',
    groups: groups.filter((group): group is string => typeof group === 'string' && group !== ''),
    file,
    outcome: outcomeOf(result['status']),
  };
};

/** What is neither passed nor failed (pending, todo, disabled, skipped) was not executed. */
const outcomeOf = (status: unknown): TestOutcome =>
  status === 'passed' || status === 'failed' ? status : 'skipped';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
