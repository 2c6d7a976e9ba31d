/** Work for the transport: a bounded number at once, one at a time for one question, in order. */
import type { Qid } from '@x/bridge';

export interface TransportQueue {
  /** `job` must not reject. */
  add(qid: Qid, job: () => Promise<void>): void;
  /** Whether a job added now would start at once. */
  hasRoom(): boolean;
  /** Drops what has not started. */
  close(): void;
}

export const createTransportQueue = (runsMax: number): TransportQueue => {
  const busy = new Set<Qid>();
  let waiting: { readonly qid: Qid; readonly job: () => Promise<void> }[] = [];
  let closed = false;

  const startNext = (): void => {
    while (busy.size < runsMax) {
      const at = waiting.findIndex(({ qid }) => !busy.has(qid));
      const [next] = at === -1 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      busy.add(next.qid);
      void next.job().finally(() => {
        busy.delete(next.qid);
        startNext();
      });
    }
  };

  return {
    add: (qid, job) => {
      if (closed) return;
      waiting.push({ qid, job });
      startNext();
    },
    hasRoom: () => busy.size + waiting.length < runsMax,
    close: () => {
      closed = true;
      waiting = [];
    },
  };
};
