/** A clock that moves only when told: sleeping ends when the time is set past it. */
import type { Clock } from '../chair/ports.ts';

export interface ManualClock extends Clock {
  /** Moves the time forward by milliseconds and wakes who slept until then. */
  advance(ms: number): void;
}

export function manualClock(startMs: number): ManualClock {
  let now = startMs;
  const sleepers = new Map<() => void, number>();
  return {
    now: () => now,
    sleepUntil: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= now || signal.aborted) {
          resolve();
          return;
        }
        const done = (): void => {
          sleepers.delete(done);
          resolve();
        };
        sleepers.set(done, ms);
        signal.addEventListener('abort', done, { once: true });
      }),
    advance: (ms) => {
      now += ms;
      for (const [wake, at] of sleepers) if (at <= now) wake();
    },
  };
}
