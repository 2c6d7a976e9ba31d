/**
 * SIGINT, SIGTERM and SIGHUP as an abort signal, so that entry, socket and records are tidied up first.
 */
import { constants } from 'node:os';
import type { CliContext } from './context.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface UntilSignal {
  readonly signal: AbortSignal;
  /** Which one it was, or null. */
  readonly received: () => (typeof signals)[number] | null;
  /** Stops listening; after a signal the exit code becomes 128 and its number, as shells expect. */
  readonly done: () => void;
}

export function untilSignal(context: CliContext): UntilSignal {
  const controller = new AbortController();
  let received: (typeof signals)[number] | null = null;
  const on = (name: (typeof signals)[number]): void => {
    received ??= name;
    controller.abort();
  };
  for (const name of signals) context.node.on(name, on);
  return {
    signal: controller.signal,
    received: () => received,
    done: () => {
      for (const name of signals) context.node.removeListener(name, on);
      if (received !== null) context.exit(128 + constants.signals[received]);
    },
  };
}
