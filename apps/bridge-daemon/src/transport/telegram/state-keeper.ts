/**
 * Holds the state of the way in while it runs, and gets it onto the disk. A disk that refuses is tried until it takes it:
 * meanwhile nothing is told to the server as handled.
 */
import type { Logger } from '../../log/operational-log.ts';
import type { Trouble } from '../../status.ts';
import { createBackoff } from './backoff.ts';
import { pause } from './pause.ts';
import { emptyState, type StateFile, type UpdatesState } from './updates-state.ts';

/** Thrown where work ends because the way in ends; nothing is lost by it. */
export class Stopped extends Error {}

export interface StateKeeper {
  state(): UpdatesState;
  /** In memory; `save` makes it last. */
  change(to: (state: UpdatesState) => UpdatesState): void;
  /** Reads what is stored, once, at the start. */
  load(): Promise<void>;
  /** Writes the state unless it is written. Settles when it is on the disk; rejects with `Stopped` alone. */
  save(): Promise<void>;
  /** One attempt of the same, at the end. Never rejects. */
  saveOnce(): Promise<void>;
  /** Does work that needs the disk until it succeeds, with growing pauses; rejects with `Stopped` alone. */
  surely<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
  /** Why the disk does not take what it should; null where it does. */
  trouble(): Trouble | null;
}

interface KeeperParts {
  readonly file: StateFile;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly backoffFirstMs: number;
}

export const createStateKeeper = (parts: KeeperParts): StateKeeper => {
  const { file, log, signal, now } = parts;
  let current = emptyState;
  let stored = emptyState;
  let trouble: Trouble | null = null;

  const surely: StateKeeper['surely'] = async (what, work) => {
    const backoff = createBackoff(parts.backoffFirstMs);
    for (;;) {
      if (signal.aborted) throw new Stopped(what);
      try {
        const result = await work();
        if (trouble !== null) log.info('the disk takes what Telegram brings again');
        trouble = null;
        return result;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (trouble === null) log.error({ err: error }, `${what} failed; it is tried again`);
        trouble = { reason: `${what} failed: ${why}`, since: trouble?.since ?? now() };
        await pause(backoff.nextMs(), signal);
      }
    }
  };

  const save = async (): Promise<void> => {
    const saving = current;
    if (saving === stored) return;
    await file.save(saving);
    stored = saving;
  };

  return {
    state: () => current,
    change: (to) => {
      current = to(current);
    },
    load: async () => {
      const { state, damaged } = await surely('reading what is known of Telegram', () => file.load());
      if (damaged !== null)
        log.error({ damaged }, 'what was known of Telegram cannot be read; updates are counted anew');
      current = state;
      stored = state;
    },
    save: () => surely('storing what Telegram brought', save),
    saveOnce: async () => {
      try {
        await save();
      } catch (error) {
        log.error({ err: error }, 'the last state of Telegram could not be stored; updates come again');
      }
    },
    surely,
    trouble: () => trouble,
  };
};
