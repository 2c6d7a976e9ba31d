// Catches a deadline that is judged before what was said in time is heard, and one that is never judged.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daemonLimits } from '../limits.ts';
import { createCatchUp } from './catch-up.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

let heardAt: number | null = null;
const create = () =>
  createCatchUp({
    sinceHeardMs: () => (heardAt === null ? null : performance.now() - heardAt),
    now: () => Date.now(),
  });
const asleep = daemonLimits.sleptMs + 1_000;

test('a start waits for what was said meanwhile, and not for ever [DAEM-12]', async () => {
  const catchUp = create();
  let heard = (): void => undefined;
  catchUp.await(new Promise((resolve) => (heard = resolve)));
  expect(catchUp.isUnderWay()).toBe(true);
  heard();
  await Promise.resolve();
  expect(catchUp.isUnderWay()).toBe(false);
  catchUp.await(new Promise(() => undefined));
  vi.advanceTimersByTime(daemonLimits.catchUpMs - 1);
  expect(catchUp.isUnderWay()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(catchUp.isUnderWay()).toBe(false);
});

test('a deadline that was slept through waits until the channel has told something anew, once [DAEM-12]', () => {
  heardAt = performance.now();
  const catchUp = create();
  catchUp.afterSleep(Date.now() - 1_000);
  expect(catchUp.isUnderWay()).toBe(false);
  catchUp.afterSleep(Date.now() - asleep);
  expect(catchUp.isUnderWay()).toBe(true);
  vi.advanceTimersByTime(1_000);
  // What was heard before the sleep says nothing.
  expect(catchUp.isUnderWay()).toBe(true);
  heardAt = performance.now();
  vi.advanceTimersByTime(daemonLimits.catchUpLookMs);
  expect(catchUp.isUnderWay()).toBe(false);
  catchUp.afterSleep(Date.now() - asleep);
  expect(catchUp.isUnderWay()).toBe(false);
});

test('a channel that tells nothing holds a deadline up for a bounded time, and one that never tells anything not at all [DAEM-12]', () => {
  heardAt = performance.now();
  const catchUp = create();
  catchUp.afterSleep(Date.now() - asleep);
  vi.advanceTimersByTime(daemonLimits.catchUpMs);
  expect(catchUp.isUnderWay()).toBe(false);
  catchUp.afterSleep(Date.now() - asleep - daemonLimits.catchUpMs);
  expect(catchUp.isUnderWay()).toBe(false);
  heardAt = null;
  const deaf = create();
  deaf.afterSleep(Date.now() - asleep);
  expect(deaf.isUnderWay()).toBe(false);
});
