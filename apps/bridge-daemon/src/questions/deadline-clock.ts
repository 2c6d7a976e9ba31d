/** One timer a question that waits, of any length; a look at all of them catches what a sleeping machine missed. */
import { setLongTimer, type LongTimer } from '@x/coms-envelope/node';
import type { Qid } from '@x/bridge';

export interface DeadlineClock {
  /** Calls back when `deadline` (milliseconds since 1970) is reached; replaces what was set for this question. */
  set(qid: Qid, deadline: number): void;
  clear(qid: Qid): void;
  /** Calls back for all that are overdue. */
  sweep(): void;
  close(): void;
}

export const createDeadlineClock = (parts: {
  readonly now: () => number;
  readonly onDeadline: (qid: Qid) => void;
}): DeadlineClock => {
  const { now, onDeadline } = parts;
  const timers = new Map<Qid, { readonly deadline: number; readonly timer: LongTimer }>();
  let closed = false;

  const clear = (qid: Qid): void => {
    timers.get(qid)?.timer.clear();
    timers.delete(qid);
  };

  const fire = (qid: Qid): void => {
    clear(qid);
    onDeadline(qid);
  };

  return {
    set: (qid, deadline) => {
      if (closed || timers.get(qid)?.deadline === deadline) return;
      clear(qid);
      timers.set(qid, { deadline, timer: setLongTimer(Math.max(1, deadline - now()), () => fire(qid)) });
    },
    clear,
    sweep: () => {
      const at = now();
      for (const [qid, { deadline }] of timers) if (deadline <= at) fire(qid);
    },
    close: () => {
      closed = true;
      for (const qid of timers.keys()) clear(qid);
    },
  };
};
