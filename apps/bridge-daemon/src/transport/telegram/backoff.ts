/** Waiting that doubles from one failure to the next, up to a bound. */
import { wayInLimits } from './way-in-limits.ts';

export interface Backoff {
  /** Milliseconds to wait now. */
  nextMs(): number;
  /** It worked: the next failure waits the shortest time again. */
  reset(): void;
}

export const createBackoff = (firstMs: number, mostMs: number = wayInLimits.backoffMs): Backoff => {
  let ms = firstMs;
  return {
    nextMs: () => {
      const now = ms;
      ms = Math.min(ms * 2, mostMs);
      return now;
    },
    reset: () => {
      ms = firstMs;
    },
  };
};
