/** The bug this exists to catch: a timer above 2^31 ms fires at once. */
import { expect, test, vi } from 'vitest';
import { setLongTimer } from './long-timer.ts';

test('fires once, after its whole time, also beyond 2^31 ms; not after clear', () => {
  vi.useFakeTimers();
  try {
    const fired: string[] = [];
    const days30 = 30 * 24 * 3_600_000;
    setLongTimer(days30, () => fired.push('long'));
    setLongTimer(5, () => fired.push('short'));
    const cleared = setLongTimer(days30, () => fired.push('cleared'));
    vi.advanceTimersByTime(days30 - 1);
    expect(fired).toEqual(['short']);
    cleared.clear();
    vi.advanceTimersByTime(days30);
    expect(fired).toEqual(['short', 'long']);
  } finally {
    vi.useRealTimers();
  }
});
