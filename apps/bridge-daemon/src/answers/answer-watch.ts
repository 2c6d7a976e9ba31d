/**
 * Notices new answers: the folder is watched, and looked through at every poll, because a watcher may miss, fail, or
 * fall silent when its folder is deleted and made again (05).
 */
import { statSync, watch, type FSWatcher } from 'node:fs';
import { makeFolders } from '@x/coms-envelope/node';
import type { Logger } from '../log/operational-log.ts';

export interface AnswerWatch {
  /** Milliseconds since the last poll that was completed. */
  sincePollMs(): number;
  close(): void;
}

interface WatchParts {
  readonly folder: string;
  readonly pollMs: number;
  readonly log: Logger;
  /** Something happened to this name; null: something happened. */
  readonly onName: (name: string | null) => void;
  /** Looks through the whole folder. */
  readonly onPoll: () => Promise<void>;
  /** False leaves the poll alone at work; for tests of it. */
  readonly watching?: boolean;
}

export const watchAnswers = (parts: WatchParts): AnswerWatch => {
  const { folder, pollMs, log, onName, onPoll } = parts;
  let watcher: FSWatcher | null = null;
  let watchedIno: bigint | null = null;
  let pollFailed = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const names = new Set<string | null>();
  let telling: NodeJS.Immediate | undefined;
  let lastPoll = performance.now();

  /** Making a file and writing it are two events, mostly of one moment: one look is enough for both. */
  const noticed = (name: string | null): void => {
    names.add(name);
    telling ??= setImmediate(() => {
      telling = undefined;
      const all = [...names];
      names.clear();
      for (const one of all) onName(one);
    });
  };

  const unwatch = (): void => {
    watcher?.close();
    watcher = null;
    watchedIno = null;
  };

  const startWatching = (ino: bigint): void => {
    if (parts.watching === false) return;
    try {
      watcher = watch(folder, (_event, name) => noticed(name));
      watcher.on('error', (error) => {
        log.warn({ err: error }, 'watching the questions folder failed; polling goes on');
        unwatch();
      });
      watchedIno = ino;
    } catch (error) {
      log.debug({ err: error }, 'the questions folder cannot be watched; polling goes on');
    }
  };

  /** A folder made anew is another inode, of which the old watcher says nothing. */
  const keepWatching = (): void => {
    let stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) {
      makeFolders(folder);
      log.warn({ folder }, 'the questions folder was gone and is made again');
      stats = statSync(folder, { bigint: true });
    }
    if (watcher !== null && watchedIno === stats.ino) return;
    unwatch();
    startWatching(stats.ino);
  };

  const poll = async (): Promise<void> => {
    try {
      keepWatching();
      await onPoll();
      lastPoll = performance.now();
      if (pollFailed) log.info('the questions folder can be read again');
      pollFailed = false;
    } catch (error) {
      if (!pollFailed) log.error({ err: error }, 'the questions folder cannot be read');
      pollFailed = true;
    }
    if (!closed) timer = setTimeout(() => void poll(), pollMs);
  };

  void poll();
  return {
    sincePollMs: () => performance.now() - lastPoll,
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearImmediate(telling);
      unwatch();
    },
  };
};
