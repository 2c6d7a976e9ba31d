// Catches sums that do not add up, and a table that needs colour to be read.
import { expect, test } from 'vitest';
import { citationsOfRun, judgeRequirements, prefixesOf } from './judge.ts';
import { areaTable, idTable, judgementJson } from './print.ts';

const rows = [
  { id: 'LEDG-01', source: '0', area: 'ledger', text: 'A line is never cut.' },
  { id: 'LEDG-02', source: '0', area: 'ledger', text: 'x'.repeat(200) },
  { id: 'CLI-01', source: '0', area: 'cli', text: 'Exit codes are pinned.' },
];
const citations = citationsOfRun(
  [
    { title: 'a [LEDG-01]', groups: [], file: 'a.test.ts', outcome: 'passed' },
    { title: 'b [CLI-01 CLI-77]', groups: [], file: 'b.test.ts', outcome: 'skipped' },
  ],
  prefixesOf(rows),
);
const judgement = judgeRequirements({
  requirements: { rows, faults: [] },
  exceptions: { rows: [], faults: [] },
  citations,
  partial: false,
  release: false,
});

test('the table by area counts every requirement once and names the unknown ids', () => {
  expect(areaTable(judgement)).toBe(
    [
      'area    covered  open  excepted  claimed falsely  all',
      'cli           0     0         0                1    1',
      'ledger        1     1         0                0    2',
      'sum           1     1         0                1    3',
      'unknown ids that tests cite: CLI-77',
    ].join('\n'),
  );
});

test('the table by id keeps each requirement on one line', () => {
  const lines = idTable(judgement.rows).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toBe('LEDG-01  ledger  covered              1  A line is never cut.');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(140);
});

test('the JSON says where it comes from and holds counts, citations and violations', () => {
  const value: unknown = JSON.parse(judgementJson(judgement, 'run'));
  expect(value).toMatchObject({
    from: 'run',
    counts: { covered: 1, open: 1, excepted: 0, claimed_falsely: 1 },
    requirements: [
      {
        id: 'LEDG-01',
        status: 'covered',
        cited_by: [{ title: 'a [LEDG-01]', file: 'a.test.ts', passed: true }],
      },
      { id: 'LEDG-02', status: 'open', cited_by: [] },
      { id: 'CLI-01', status: 'claimed_falsely' },
    ],
    unknown: [{ id: 'CLI-77' }],
    violations: [expect.stringContaining('CLI-77'), expect.stringContaining('CLI-01')],
  });
});
