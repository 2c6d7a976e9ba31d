/** Catches a target or a threshold that is guessed at instead of asked about. */
import { expect, test } from 'vitest';

import { parseNoiseThreshold } from './noise-threshold.ts';
import { comparatorOf, parseTarget } from './target.ts';

test('a target is an optional comparator, a number and a unit [CONF-16]', () => {
  const read: readonly (readonly [string, string | null, string, string])[] = [
    ['> 95%', '>', '95', '%'],
    ['>= 80', '>=', '80', ''],
    ['< 50ms', '<', '50', 'ms'],
    ['> 8/10', '>', '8', '/10'],
    ['34.28ms', null, '34.28', 'ms'],
    [' <=1e3 req/s ', '<=', '1e3', 'req/s'],
    ['≤ -0.5', '<=', '-0.5', ''],
    ['≥1', '>=', '1', ''],
  ];
  expect(read.map(([text]) => parseTarget(text))).toEqual(
    read.map(([, comparator, number, unit]) => ({ ok: true, value: { comparator, number, unit } })),
  );
});

test('a target without a single meaning is a finding with what is accepted [CONF-16]', () => {
  const vague = [
    '95 or more',
    '> 95 (maybe 90)',
    '=> 95',
    '== 95',
    '= 95',
    '> > 95',
    '>',
    'fast',
    '90-95%',
    '> 1,000',
    '4 (round 1-2), 3 (round 3)',
    'NaN',
    '> Infinity',
    '> 1e9999',
    'TBD',
    '9'.repeat(5000),
  ];
  for (const text of vague) expect(parseTarget(text), text).toMatchObject({ ok: false, problem: 'vague' });
  for (const text of [undefined, '', '{target}', '_Describe it_']) {
    expect(parseTarget(text), text).toMatchObject({
      ok: false,
      problem: 'missing',
      accepted: expect.stringContaining('> 95%'),
    });
  }
});

test('without a comparator the direction decides; with one the comparator does [CONF-16]', () => {
  const bare = { comparator: null, number: '5', unit: '' };
  const strict = { comparator: '<', number: '5', unit: '' } as const;
  expect([comparatorOf(bare, 'maximize'), comparatorOf(bare, 'minimize')]).toEqual(['>=', '<=']);
  expect([comparatorOf(strict, 'maximize'), comparatorOf(strict, 'minimize')]).toEqual(['<', '<']);
});

test('a noise threshold is absolute, or relative in per cent, and never negative or in another unit [CONV-07]', () => {
  const read = ['0.5', '0', '1%', '0.01 %', '2%', '1e-3', '-0'].map(parseNoiseThreshold);
  expect(read).toEqual([
    { ok: true, value: { kind: 'absolute', number: '0.5' } },
    { ok: true, value: { kind: 'absolute', number: '0' } },
    { ok: true, value: { kind: 'relative', number: '1' } },
    { ok: true, value: { kind: 'relative', number: '0.01' } },
    { ok: true, value: { kind: 'relative', number: '2' } },
    { ok: true, value: { kind: 'absolute', number: '1e-3' } },
    { ok: true, value: { kind: 'absolute', number: '-0' } },
  ]);
  for (const text of ['-1', '-1%', '0.5ms', '1/10', 'NaN', 'small', '1% or 2%', 'TBD']) {
    expect(parseNoiseThreshold(text), text).toMatchObject({ ok: false, problem: 'vague', found: text });
  }
  expect(parseNoiseThreshold(undefined)).toMatchObject({ ok: false, problem: 'missing' });
  expect(parseNoiseThreshold('{threshold}')).toMatchObject({ ok: false, problem: 'missing' });
});
