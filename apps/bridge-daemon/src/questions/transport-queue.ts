/**
 * Work for the transport: a bounded number at once, one at a time for one question, in order. New work gives way to
 * prompts that wait for their ack, for a bounded moment.
 */
import type { Qid } from '@x/bridge';

export interface TransportQueue {
  /** `job` must not reject. */
  add(qid: Qid, job: () => Promise<void>): void;
  /** Starts what held back. To be called when nobody waits for an ack any more. */
  resume(): void;
  /** Drops what has not started. */
  close(): void;
}

export interface QueueOptions {
  readonly runsMax: number;
  /** Whether starting something now would hold up somebody. */
  readonly giveWay?: () => boolean;
  /** For how long work gives way at most. */
  readonly giveWayMs?: number;
}

export const createTransportQueue = (options: QueueOptions): TransportQueue => {
  const { runsMax, giveWay = () => false, giveWayMs = 0 } = options;
  const busy = new Set<Qid>();
  let waiting: { readonly qid: Qid; readonly job: () => Promise<void> }[] = [];
  let closed = false;
  let holding: NodeJS.Timeout | null = null;

  const stopHolding = (): void => {
    if (holding !== null) clearTimeout(holding);
    holding = null;
  };

  /** Starts at once, or when the way is free, or after `giveWayMs`. */
  const startSoon = (): void => {
    if (holding !== null) return;
    if (giveWay()) holding = setTimeout(startNext, giveWayMs);
    else startNext();
  };

  const startNext = (): void => {
    stopHolding();
    while (busy.size < runsMax) {
      const at = waiting.findIndex(({ qid }) => !busy.has(qid));
      const [next] = at === -1 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      busy.add(next.qid);
      void next.job().finally(() => {
        busy.delete(next.qid);
        startSoon();
      });
    }
  };

  return {
    add: (qid, job) => {
      if (closed) return;
      waiting.push({ qid, job });
      startSoon();
    },
    resume: () => {
      if (holding !== null) startNext();
    },
    close: () => {
      closed = true;
      stopHolding();
      waiting = [];
    },
  };
};
