/** Messages of a host in the order in which they came; a root takes them between two turns. None is ever dropped. */
import type { HostMessage } from './ports.ts';

export interface Inbox {
  readonly push: (message: HostMessage) => void;
  readonly take: (max: number) => HostMessage[];
  /** Ends the waiting for a message without one. */
  readonly wake: () => void;
  /** Resolves when a message is there, somebody wakes it, or the signal aborts. */
  readonly arrival: (signal: AbortSignal) => Promise<void>;
}

export function createInbox(): Inbox {
  const queue: HostMessage[] = [];
  let woken = false;
  let waiting: (() => void) | null = null;
  const wake = (): void => {
    woken = true;
    waiting?.();
  };
  return {
    push: (message) => {
      queue.push(message);
      wake();
    },
    take: (max) => {
      woken = false;
      return queue.splice(0, max);
    },
    wake,
    arrival: (signal) =>
      new Promise((resolve) => {
        if (woken || queue.length > 0 || signal.aborted) {
          resolve();
          return;
        }
        const done = (): void => {
          waiting = null;
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting = done;
        signal.addEventListener('abort', done, { once: true });
      }),
  };
}
