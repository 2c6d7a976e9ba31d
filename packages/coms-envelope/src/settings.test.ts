/** The bug these exist to catch: a mistyped variable that makes a timeout zero, or NaN. */
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('unset variables give the documented defaults [COMS-08]', () => {
  expect(readSettings({})).toEqual({ dir: null, hopsMax: 5, replyTimeoutMs: 1_800_000 });
});

test('set variables count, also at their lowest [COMS-08 COMS-09]', () => {
  const env = { PI_COMS_DIR: '/x', PI_COMS_MAX_HOPS: '0', PI_COMS_TIMEOUT_MS: '1' };
  expect(readSettings(env)).toEqual({ dir: '/x', hopsMax: 0, replyTimeoutMs: 1 });
});

test('values that are no whole number count as unset', () => {
  for (const bad of ['', 'x', '-1', '1.5', '1e3', 'NaN', '0x10', '99999999999999999999']) {
    expect(readSettings({ PI_COMS_MAX_HOPS: bad, PI_COMS_TIMEOUT_MS: bad })).toEqual(readSettings({}));
  }
  expect(readSettings({ PI_COMS_TIMEOUT_MS: '0' }).replyTimeoutMs).toBe(1_800_000);
});
