import { parseQid } from '@x/bridge';
import { expect, test, vi } from 'vitest';
import { createDeadlineClock } from './deadline-clock.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');

test('a deadline beyond what one timer can wait fires at its time and not before [BRID-25]', () => {
  vi.useFakeTimers();
  try {
    const fired: string[] = [];
    const clock = createDeadlineClock({ now: Date.now, onDeadline: (one) => fired.push(one) });
    const waitMs = 3 * 2 ** 31;
    clock.set(qid, Date.now() + waitMs);
    vi.advanceTimersByTime(waitMs - 1);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual([qid]);
    clock.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a machine that slept is caught by the sweep, and a cleared question is not called [BRID-25 BRID-21]', () => {
  let now = 0;
  const fired: string[] = [];
  const clock = createDeadlineClock({ now: () => now, onDeadline: (one) => fired.push(one) });
  clock.set(qid, 3_600_000);
  now = 3_599_999;
  clock.sweep();
  expect(fired).toEqual([]);
  now = 3_600_000;
  clock.sweep();
  clock.sweep();
  expect(fired).toEqual([qid]);
  clock.set(qid, 7_200_000);
  clock.clear(qid);
  now = 7_200_000;
  clock.sweep();
  expect(fired).toEqual([qid]);
  clock.close();
});
