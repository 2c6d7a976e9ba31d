// Catches a gate that holds although nothing stands behind a claim: a skipped test that cites, an id that does not exist.
import { expect, test } from 'vitest';
import { citationsOfRun, judgeRequirements, prefixesOf } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { ExecutedTest, TestOutcome } from './test-report.ts';

const rows = ['LEDG-01', 'LEDG-02', 'CLI-01'].map((id) => ({ id, source: '0', area: 'a', text: 't' }));
const requirements = { rows, faults: [] };

const ran = (
  title: string,
  outcome: TestOutcome = 'passed',
  groups: readonly string[] = [],
): ExecutedTest => ({
  title,
  outcome,
  groups,
  file: 'a.test.ts',
});

const judge = (
  tests: readonly ExecutedTest[],
  options: { partial?: boolean; release?: boolean; excepted?: readonly string[] } = {},
): Judgement =>
  judgeRequirements({
    requirements,
    exceptions: { rows: (options.excepted ?? []).map((id) => ({ id, reason: 'why' })), faults: [] },
    citations: citationsOfRun(tests, prefixesOf(rows)),
    partial: options.partial ?? false,
    release: options.release ?? false,
  });

const statusesOf = ({ rows: judged }: Judgement): Record<string, string> =>
  Object.fromEntries(judged.map(({ id, status }) => [id, status]));

test('one passed test covers what it cites, also beside a failed and a skipped one', () => {
  const judgement = judge([
    ran('a [LEDG-01]', 'skipped'),
    ran('b [LEDG-01 CLI-01]'),
    ran('c [CLI-01]', 'failed'),
  ]);
  expect(statusesOf(judgement)).toEqual({ 'LEDG-01': 'covered', 'LEDG-02': 'open', 'CLI-01': 'covered' });
  expect(judgement.violations).toEqual([]);
});

test.each(['skipped', 'failed'] as const)('an id that only a %s test cites is claimed falsely', (outcome) => {
  const judgement = judge([ran('a [LEDG-01]', outcome)]);
  expect(statusesOf(judgement)['LEDG-01']).toBe('claimed falsely');
  expect(judgement.violations).toEqual([
    "LEDG-01 is claimed only by tests that did not pass or did not run: a.test.ts: 'a [LEDG-01]'",
  ]);
});

test("a group's title covers nothing, and an unknown id in it is found all the same", () => {
  const judgement = judge([
    ran('a', 'passed', ['group [LEDG-01 LEDG-99]']),
    ran('b', 'passed', ['group [LEDG-01 LEDG-99]']),
  ]);
  expect(statusesOf(judgement)['LEDG-01']).toBe('open');
  expect(judgement.violations).toEqual([
    "LEDG-99 is cited and is no requirement: a.test.ts: 'group [LEDG-01 LEDG-99]'",
  ]);
});

test('a partial run complains of unknown ids alone: the other tests were not asked', () => {
  const judgement = judge([ran('a [LEDG-01]', 'skipped'), ran('b [NOPE-01]')], {
    partial: true,
    release: true,
  });
  expect(judgement.violations).toEqual(["NOPE-01 is cited and is no requirement: a.test.ts: 'b [NOPE-01]'"]);
});

test('an open requirement is allowed until a release is judged', () => {
  expect(judge([]).violations).toEqual([]);
  expect(judge([ran('a [LEDG-01 CLI-01]')], { release: true }).violations).toEqual([
    'LEDG-02 is open: no test cites it',
  ]);
});

test('an exception lets a requirement be open or skipped, also at a release', () => {
  const tests = [ran('a [LEDG-01]', 'skipped'), ran('b [CLI-01]')];
  const judgement = judge(tests, { release: true, excepted: ['LEDG-01', 'LEDG-02'] });
  expect(statusesOf(judgement)).toEqual({
    'LEDG-01': 'excepted',
    'LEDG-02': 'excepted',
    'CLI-01': 'covered',
  });
  expect(judgement.violations).toEqual([]);
});

test('an exception that excepts nothing any more, or names no requirement, does not stay', () => {
  expect(judge([ran('a [LEDG-01]')], { excepted: ['LEDG-01', 'LEDG-98'] }).violations).toEqual([
    'requirement-exceptions.tsv excepts LEDG-98, which is no requirement',
    'LEDG-01 is covered: take its exception out of requirement-exceptions.tsv',
  ]);
});

test('faults of the tables themselves fail the gate, in a partial run too', () => {
  const judgement = judgeRequirements({
    requirements: { rows, faults: ['table fault'] },
    exceptions: { rows: [], faults: ['exception fault'] },
    citations: [],
    partial: true,
    release: false,
  });
  expect(judgement.violations).toEqual(['table fault', 'exception fault']);
});
