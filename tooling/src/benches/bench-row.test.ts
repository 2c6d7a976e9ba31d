// Catches an aim that is read the wrong way round: a slow run would be shown as met.
import { expect, test } from 'vitest';
import { readBenchLine } from './bench-row.ts';
import { benchTable } from './bench-table.ts';

const lineOf = (value: unknown): string => JSON.stringify(value);

test.each([
  { ratio: 0.9, aim: '>= 0.9', met: true },
  { ratio: 0.89, aim: '>= 0.9', met: false },
  { ratio: 1.3, aim: '<= 1.3', met: true },
  { ratio: 1.31, aim: '≤ 1.3 × node -e 0', met: false },
  { ratio: 0.7, aim: '≥0.7', met: true },
  { ratio: 200, aim: '< 200', met: false },
  { ratio: 201, aim: '> 200', met: true },
  { ratio: 1, aim: 0.9, met: undefined },
  { ratio: 1, aim: undefined, met: undefined },
])('$ratio against $aim', ({ ratio, aim, met }) => {
  expect(readBenchLine(lineOf({ bench: 'a', ratio, aim }))).toMatchObject({
    bench: 'a',
    figure: 'ratio',
    value: ratio,
    met,
  });
});

test('without a ratio the first number is compared, and the rest are extra figures', () => {
  expect(
    readBenchLine(lineOf({ bench: 'memory', peak_mb: 120, aim: '< 200', lines: 1000, seed: 'x' })),
  ).toEqual({
    bench: 'memory',
    figure: 'peak_mb',
    value: 120,
    aim: '< 200',
    met: true,
    extras: { lines: 1000, seed: 'x' },
  });
});

test('a bench that knows better says itself whether its aim is met', () => {
  expect(readBenchLine(lineOf({ bench: 'a', ratio: 5, aim: '<= 1', met: true }))?.met).toBe(true);
});

test.each(['warming up …', '{ broken', 'null', '[]', '{"ratio": 1}', ''])(
  '%j is talk, never a figure',
  (line) => {
    expect(readBenchLine(line)).toBeUndefined();
  },
);

test('the table says yes, NO or nothing', () => {
  const rows = [
    { bench: 'a', ratio: 1, aim: '>= 0.9', lines: 10 },
    { bench: 'bb', ratio: 0.5, aim: '>= 0.9', note: 'slow disk' },
    { bench: 'c', ratio: 2 },
  ].map((row) => readBenchLine(lineOf(row)));
  expect(benchTable(rows.filter((row) => row !== undefined))).toBe(
    [
      'bench  figure  value  aim     met  also',
      'a      ratio       1  >= 0.9  yes  lines=10',
      'bb     ratio     0.5  >= 0.9  NO   note=slow disk',
      'c      ratio       2',
    ].join('\n'),
  );
});
