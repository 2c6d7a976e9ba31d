// Catches a report that looks better than the run was: a file that could not be imported has no failed test in it.
import { expect, test } from 'vitest';
import { readTestReport } from './test-report.ts';

const reportOf = (testResults: unknown, success = true): string => JSON.stringify({ success, testResults });

test('passed and failed are taken as they are, everything else was not executed', () => {
  const assertionResults = ['passed', 'failed', 'skipped', 'pending', 'todo', 'disabled', undefined].map(
    (status, index) => ({ title: `t${index}`, ancestorTitles: ['', 'group'], status }),
  );
  const read = readTestReport(reportOf([{ name: '/a.test.ts', status: 'failed', assertionResults }], false));
  expect(read).toMatchObject({ code: 'read', report: { brokenFiles: [], success: false } });
  if (read.code !== 'read') throw new Error(read.reason);
  expect(read.report.tests.map(({ outcome }) => outcome)).toEqual([
    'passed',
    'failed',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
  ]);
  expect(read.report.tests[0]).toEqual({
    title: 't0',
    groups: ['group'],
    file: '/a.test.ts',
    outcome: 'passed',
  });
});

test('a file that could not be run counts as broken, never as a file without tests', () => {
  const read = readTestReport(
    reportOf([{ name: '/a.test.ts', status: 'failed', assertionResults: [] }], false),
  );
  expect(read).toMatchObject({ report: { tests: [], brokenFiles: ['/a.test.ts'] } });
});

test('a file whose setup failed counts as broken although its tests are only skipped', () => {
  const assertionResults = [{ title: 't', status: 'skipped' }];
  const read = readTestReport(reportOf([{ name: '/a.test.ts', status: 'failed', assertionResults }], false));
  expect(read).toMatchObject({ report: { brokenFiles: ['/a.test.ts'] } });
});

test.each([
  ['half a report', '{"success": true, "testRes'],
  ['another shape', '{"success": true}'],
  ['a file without results', reportOf([{ name: '/a.test.ts' }])],
  ['null', 'null'],
])('%s is unreadable with a reason, never an empty run', (_, text) => {
  expect(readTestReport(text)).toMatchObject({
    code: 'unreadable',
    reason: expect.stringContaining('the test report'),
  });
});
