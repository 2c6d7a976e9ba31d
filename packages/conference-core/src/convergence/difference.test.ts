/** Catches a results table whose delta is rounded, signed wrongly, or compared with the wrong best. */
import { expect, test } from 'vitest';

import { compareWithLaneBest, deltaPercent, exactDelta } from './difference.ts';
import type { LaneBest } from './difference.ts';
import type { Direction, MeasurementVerdict } from './input.ts';

test('a delta is exact at the larger scale of the two numbers, with its sign [LEDG-11]', () => {
  const cases: readonly (readonly [from: string, to: string, delta: string])[] = [
    ['85.0', '91', '+6.0'],
    ['91', '85.00', '-6.00'],
    ['34.5', '40.5', '+6.0'],
    ['1e-3', '0.0025', '+0.0015'],
    ['0.3', '0.4', '+0.1'],
    ['5', '5.0', '+0.0'],
    ['-0', '0', '+0'],
    ['-2', '-5', '-3'],
    ['1e2', '100.5', '+0.5'],
    ['+.5', '9007199254740993', '+9007199254740992.5'],
  ];
  expect(cases.map(([from, to]) => [from, to, exactDelta(from, to)])).toEqual(cases);
});

test('a delta in per cent has one decimal, half up, over the absolute base; base 0 has none [LEDG-11]', () => {
  const cases: readonly (readonly [from: string, to: string, percent: string])[] = [
    ['34.5', '40.5', '+17.4%'],
    ['1000', '1000.5', '+0.1%'],
    ['1000', '1000.49', '+0.0%'],
    ['1000', '999.51', '-0.0%'],
    ['1000', '999.5', '-0.1%'],
    ['200', '229.7', '+14.9%'],
    ['3', '1', '-66.7%'],
    ['-10', '-5', '+50.0%'],
    ['0', '5', '-'],
    ['-0.00', '5', '-'],
    ['7', '7', '+0.0%'],
  ];
  expect(cases.map(([from, to]) => [from, to, deltaPercent(from, to)])).toEqual(cases);
});

function table(
  direction: Direction,
  values: readonly (readonly [string, MeasurementVerdict | null])[],
): string[] {
  let lane: LaneBest | null = null;
  return values.map(([number, verdict]) => {
    const row = compareWithLaneBest(direction, lane, { quantity: { number, unit: 'ms' }, verdict });
    lane = row.next;
    return `${number} ${row.status} ${row.delta} ${row.delta_pct}`;
  });
}

test('a lane is compared with its own best so far: baseline first, kept when not worse, else reverted [LEDG-11]', () => {
  expect(
    table('maximize', [
      ['80', 'validated'],
      ['85.0', null],
      ['82', 'validated'],
      ['85', 'challenged'],
      ['86', 'validated'],
    ]),
  ).toEqual([
    '80 baseline - -',
    '85.0 kept +5.0 +6.3%',
    '82 reverted -3.0 -3.5%',
    '85 kept +0.0 +0.0%',
    '86 kept +1.0 +1.2%',
  ]);
  expect(
    table('minimize', [
      ['50', 'validated'],
      ['40', 'validated'],
      ['45', 'validated'],
      ['40', 'validated'],
      ['39.5', 'validated'],
    ]),
  ).toEqual([
    '50 baseline - -',
    '40 kept -10 -20.0%',
    '45 reverted +5 +12.5%',
    '40 kept +0 +0.0%',
    '39.5 kept -0.5 -1.3%',
  ]);
});

test('an overturned value stands in the table and never becomes the best [LEDG-11]', () => {
  expect(
    table('maximize', [
      ['99', 'overturned'],
      ['98', 'overturned'],
      ['50', 'validated'],
      ['90', 'overturned'],
      ['60', 'validated'],
    ]),
  ).toEqual(['99 baseline - -', '98 kept - -', '50 kept - -', '90 kept +40 +80.0%', '60 kept +10 +20.0%']);
});
