/** The clock of the machine. Timers hold 2^31 − 1 ms at most; longer waits go in pieces. */
import type { Clock } from '@x/conference-core/chair';

const TIMER_MAX_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleepUntil: (ms, signal) =>
    new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const arm = (): void => {
        const left = ms - Date.now();
        if (left <= 0 || signal.aborted) done();
        else timer = setTimeout(arm, Math.min(left, TIMER_MAX_MS));
      };
      signal.addEventListener('abort', done, { once: true });
      arm();
    }),
};
