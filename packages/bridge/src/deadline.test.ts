import { expect, test } from 'vitest';
import { graceMs, questionTimeoutMs, timeoutError } from './deadline.ts';

const rows: [
  flagMs: number | null,
  env: string | undefined,
  promptMs: number | null,
  out: number,
  why: string,
][] = [
  [null, undefined, null, 1_800_000, 'nothing given: the default'],
  [null, '60000', null, 60_000, 'the environment'],
  [null, 'soon', null, 1_800_000, 'an invalid environment counts as unset'],
  [null, '0', null, 1_800_000, 'so does zero'],
  [null, '-5', null, 1_800_000, 'and a negative'],
  [null, '1e3', null, 1_800_000, 'and what is not written in digits'],
  [5_000, '60000', null, 5_000, 'the flag wins over the environment'],
  [null, '60000', 90_000, 90_000, 'the prompt replaces the default'],
  [5_000, undefined, 90_000, 5_000, 'the flag bounds the prompt'],
  [5_000, undefined, 200, 200, 'and lets a shorter one be'],
  [null, undefined, Number.NaN, 1_800_000, 'a prompt’s nonsense counts as absent'],
  [null, undefined, -1, 1_800_000, 'and a negative'],
  [null, undefined, 1e300, 315_360_000_000, 'the longest is ten years: a deadline is always a date'],
  [null, undefined, 3_000_000_000, 3_000_000_000, 'longer than one timer can wait is fine'],
];

test('the timeout is the flag, the prompt within it, the environment, or 30 minutes [BRID-24]', () => {
  for (const [flagMs, env, promptMs, out, why] of rows)
    expect(questionTimeoutMs({ flagMs, env, promptMs }), why).toBe(out);
});

test('the error of a timeout names the milliseconds, and grace is two polls but at least a second [BRID-25 BRID-13]', () => {
  expect(timeoutError(1500)).toBe('no remote answer within 1500ms');
  expect([graceMs(100), graceMs(500), graceMs(501), graceMs(1000)]).toEqual([1000, 1000, 1002, 2000]);
});
