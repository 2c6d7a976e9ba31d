/**
 * A timer without the ceiling of `setTimeout`, which fires at once above 2^31 - 1 ms.
 */
const oneTimerMsMax = 2_147_483_647;

export interface LongTimer {
  clear(): void;
}

/** Calls back once after `delayMs` milliseconds, of any size; re-armed below the ceiling. */
export function setLongTimer(delayMs: number, callback: () => void): LongTimer {
  let leftMs = delayMs;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const stepMs = Math.min(leftMs, oneTimerMsMax);
    leftMs -= stepMs;
    timer = setTimeout(() => (leftMs > 0 ? arm() : callback()), stepMs);
  };
  arm();
  return { clear: () => clearTimeout(timer) };
}
