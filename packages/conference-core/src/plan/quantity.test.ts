/** Catches a number that is guessed, rounded or read in two ways: measurements, durations, positive whole numbers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  decimalOf,
  durationMsMax,
  isWhole,
  parseDuration,
  parsePositiveWhole,
  parseQuantity,
  quantityTextMax,
  scaleOf,
} from './quantity.ts';

test('a quantity is a decimal as written and its unit, and nothing else is one [CONF-15]', () => {
  const read: readonly (readonly [text: string, number: string, unit: string])[] = [
    ['12.5 ms', '12.5', 'ms'],
    ['95%', '95', '%'],
    ['1e-3', '1e-3', ''],
    ['8/10', '8', '/10'],
    ['-0/10', '-0', '/10'],
    ['+.5', '+.5', ''],
    ['1E+999', '1E+999', ''],
    ['12   req/s', '12', 'req/s'],
    ['5 e', '5', 'e'],
    ['7 ', '7', ''],
    ['3°', '3', '°'],
    ['3€', '3', '€'],
    ['4.20 m2', '4.20', 'm2'],
  ];
  expect(read.map(([text]) => parseQuantity(text))).toEqual(
    read.map(([, number, unit]) => ({ number, unit })),
  );
  const refused = [
    '',
    ' ',
    ' 5',
    '5.',
    '.',
    '-',
    '1,000',
    '0x10',
    '1e9999',
    '1e',
    'NaN',
    'Infinity',
    '5 a b',
    '5 (x)',
    '5%,',
    '5\u202e',
  ];
  expect(refused.filter((text) => parseQuantity(text) !== null)).toEqual(['1e']);
  // `1e` is 1 of the unit e: the grammar allows it, and the metric's unit decides.
  expect(parseQuantity('1e')).toEqual({ number: '1', unit: 'e' });
});

test('text beyond the bound is no quantity, and a long one costs no more than its length [CONF-15]', () => {
  expect(parseQuantity('9'.repeat(quantityTextMax))).toEqual({
    number: '9'.repeat(quantityTextMax),
    unit: '',
  });
  expect(parseQuantity('9'.repeat(quantityTextMax + 1))).toBeNull();
  expect(parseQuantity(`1 ${'u'.repeat(32)}`)?.unit).toHaveLength(32);
  expect(parseQuantity(`1 ${'u'.repeat(33)}`)).toBeNull();
  expect(parseQuantity(`${'9'.repeat(2000)}${' '.repeat(2000)}(`)).toBeNull();
});

test('whole means without a fractional part, however it is written; the scale is the digits shown [CONV-05]', () => {
  const cases: readonly (readonly [number: string, whole: boolean, scale: number])[] = [
    ['5', true, 0],
    ['85.0', true, 1],
    ['85.10', false, 2],
    ['1e3', true, 0],
    ['1.5e1', true, 0],
    ['1.25e1', false, 1],
    ['1e-3', false, 3],
    ['10e-1', true, 1],
    ['-0', true, 0],
    ['.5', false, 1],
    ['+7.00', true, 2],
    ['1e-999', false, 999],
    ['100000000000000000000000.1', false, 1],
  ];
  expect(cases.map(([number]) => [number, isWhole(number), scaleOf(number)])).toEqual(cases);
});

test('decimal arithmetic is exact: what a binary float rounds, this does not [CONF-15]', () => {
  expect(decimalOf('0.4').minus(decimalOf('0.3')).toString()).toBe('0.1');
  expect(decimalOf('9007199254740993').minus(decimalOf('9007199254740992')).toString()).toBe('1');
  const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  const scales = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(digits, digits, scales, (left, right, scale) => {
      const written = (value: bigint): string => `${value}e-${scale}`;
      const difference = decimalOf(written(left)).minus(decimalOf(written(right)));
      return difference.eq(decimalOf(written(left - right)));
    }),
  );
});

test('a duration is one or more parts in falling order, in whole milliseconds, positive and bounded [CONF-11]', () => {
  const read: readonly (readonly [text: string, ms: number])[] = [
    ['2h', 7_200_000],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    [' 90s ', 90_000],
    ['1500ms', 1500],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
    ['1m500ms', 60_500],
    ['0.001s', 1],
    ['366d', durationMsMax],
  ];
  expect(read.map(([text]) => [text, parseDuration(text)])).toEqual(
    read.map(([text, value]) => [text, { ok: true, value }]),
  );
  const vague = [
    '0',
    '0s',
    '-1h',
    '2',
    'h',
    '2H',
    '2 hours',
    '30m1h',
    '1h1h',
    '1h-30m',
    '1e3s',
    'NaN',
    'Infinity',
    '0.0001s',
    '367d',
    '9'.repeat(60) + 's',
    `${' '.repeat(80)}x`,
    'TBD',
    'ask user before run',
    '2h (round 1)',
  ];
  for (const text of vague) {
    expect(parseDuration(text), text).toMatchObject({
      ok: false,
      problem: 'vague',
      accepted: expect.stringContaining('1h30m'),
    });
  }
  for (const text of [undefined, '', '  ', '{time budget}', '_Describe the budget_', '<!-- 2h -->']) {
    expect(parseDuration(text), text).toMatchObject({ ok: false, problem: 'missing' });
  }
});

test('a positive whole number is digits; anything else is reported with what was found, never guessed [CONF-11]', () => {
  expect(['1', ' 12 ', 3, '9007199254740991'].map((found) => parsePositiveWhole(found))).toEqual(
    [1, 12, 3, 9007199254740991].map((value) => ({ ok: true, value })),
  );
  const vague = [
    '0',
    '-1',
    '+1',
    'NaN',
    'Infinity',
    '1e999',
    '1e3',
    '3.5',
    '3.0',
    '014',
    '1,000',
    '0x10',
    '4 (round 1-2), 3 (round 3)',
    'TBD',
    'ask user before run',
    'four',
    '9007199254740992',
    '99999999999999999999',
    '{N} or so',
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ];
  for (const found of vague) {
    expect(parsePositiveWhole(found), String(found)).toMatchObject({
      ok: false,
      problem: 'vague',
      found: String(found),
    });
  }
  for (const found of [undefined, '', ' ', '{N}', '_Describe it_', '<!-- 4 -->']) {
    expect(parsePositiveWhole(found), String(found)).toMatchObject({
      ok: false,
      problem: 'missing',
      found: (found ?? '').trim(),
    });
  }
  expect(parsePositiveWhole('27', 26)).toEqual({
    ok: false,
    problem: 'vague',
    found: '27',
    accepted: 'a whole number from 1 to 26, in digits, without a remark',
  });
});

test('a finding repeats at most 120 code points of what was found, and cuts no character in half', () => {
  const result = parsePositiveWhole('🙂'.repeat(200));
  expect(result).toMatchObject({ ok: false, found: `${'🙂'.repeat(120)}…` });
});
