/**
 * A journal of texts by key: what is appended to it lasts, while the files that those texts belong in are still on their
 * way to the disk. All that comes at once is one write and one sync, of a file whose blocks are there already: a fraction
 * of what a sync of every file and of its folder would cost.
 *
 * J1 `append` settles when the text survives a power cut.
 * J2 Each line is chained to the line before by its checksum: what a write that was cut short left behind is never taken
 *    for an entry, nor is what an earlier use of the same file left.
 * J3 A journal file is given up only when `settle` has made last what its entries stand for. Meanwhile another one takes
 *    what comes.
 */
import { closeSync, fstatSync } from 'node:fs';
import {
  addLines,
  isSpoilt,
  journalNumbers,
  journalPath,
  openJournalFile,
  quietlyUnlink,
  readLasting,
  removeJournalFile,
  type JournalFile,
  type JournalName,
  type OpenJournalFile,
} from './journal-file.ts';
import { readChapter, sumOf } from './journal-format.ts';

export interface JournalEntry {
  readonly text: string;
  /** The machine has started anew since it was written: files may have lost what they were given after it. */
  readonly isOfEarlierBoot: boolean;
}

export interface Journal {
  /**
   * Hands on what earlier lives left: the last entry of each key, in the order in which they were written. To be called
   * once, before the first `append`; what was handed on is settled afterwards. Throws what `restore` throws, and then it
   * is all left for a later start.
   */
  recover(restore: (key: string, entry: JournalEntry) => void): void;
  /** `key` has no spaces, `text` no line feeds. Rejects with the system's error, and then it is in no later `recover`. */
  append(key: string, text: string): Promise<void>;
  /** Settles what is left and removes the files. Never rejects; what could not be settled stays. */
  close(): Promise<void>;
}

/** Nobody else may use its name at the same time, but for an earlier life that is about to end. */
export interface JournalOptions extends JournalName {
  /** A file above this size is settled, however busy it is. */
  readonly bytesMax: number;
  /** And any file when nothing has been appended for so long. */
  readonly quietMs: number;
  /** Changes with every start of the machine; empty where that is not known. */
  readonly boot: string;
  /** Makes last what the newest texts of these keys stand for. */
  readonly settle: (keys: ReadonlySet<string>) => Promise<void>;
  /** A settling that failed is tried again after this. */
  readonly retryMs: number;
}

interface Waiter {
  readonly key: string;
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export const createJournal = (options: JournalOptions): Journal => {
  const { folder, bytesMax, quietMs, boot, settle, retryMs } = options;
  let queue: Waiter[] = [];
  let flushing: Promise<void> | null = null;
  let current: OpenJournalFile | null = null;
  /** Full ones, and those of earlier lives. */
  const old: JournalFile[] = [];
  /** Those of earlier lives: one that is not over yet may still write into them, so that they are not used again. */
  const found = new Set<JournalFile>();
  let settling: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;
  /** A file whose entries are settled: its blocks are used again. */
  let free: string | null = null;
  let lastNumber = 0;
  let closed = false;

  const openNext = (): Promise<OpenJournalFile> => {
    lastNumber = Math.max(lastNumber, ...journalNumbers(options)) + 1;
    const again = free;
    free = null;
    return openJournalFile(options, { number: lastNumber, boot, free: again });
  };

  const write = async (batch: readonly Waiter[]): Promise<void> => {
    // Somebody has removed it: what is written there lasts no longer than this process.
    if (current !== null && fstatSync(current.fd).nlink === 0) giveUpCurrent();
    current ??= await openNext();
    let { sum } = current;
    let lines = '';
    for (const { key, text } of batch) {
      const rest = `${key} ${text}`;
      sum = sumOf(sum, rest);
      lines += `${sum} ${rest}\n`;
      // Before the write: whatever may stand in the file counts.
      current.keys.add(key);
    }
    await addLines(current, lines, sum);
  };

  /** Lastingly, and before any later file: of two that come back, the older would undo what the newer said. */
  const giveUp = async (file: JournalFile): Promise<void> => {
    if (free === null && !closed && !found.has(file) && (await isSpoilt(file.path))) free = file.path;
    else await removeJournalFile(folder, file.path);
    found.delete(file);
  };

  const settleOld = async (): Promise<void> => {
    try {
      for (let file = old[0]; file !== undefined; file = old[0]) {
        await settle(file.keys);
        await giveUp(file);
        old.shift();
      }
    } catch {
      // Told by whoever writes to the failing disk; the file stays until it could be done.
      clearTimeout(retry);
      if (!closed) retry = setTimeout(settleSoon, retryMs);
    } finally {
      // In the same turn as the last look at `old`: what comes after it begins anew.
      settling = null;
    }
  };

  const settleSoon = (): void => {
    settling ??= Promise.resolve().then(settleOld);
  };

  const giveUpCurrent = (): void => {
    if (current === null) return;
    closeSync(current.fd);
    old.push(current);
    current = null;
    settleSoon();
  };

  const onQuiet = (): void => {
    quiet = undefined;
    if (flushing === null) giveUpCurrent();
  };

  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await write(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (current !== null && current.end > bytesMax) giveUpCurrent();
    }
    flushing = null;
    if (closed || current === null) return;
    if (quiet === undefined) quiet = setTimeout(onQuiet, quietMs);
    else quiet.refresh();
  };

  return {
    recover: (restore) => {
      const last = new Map<string, JournalEntry>();
      for (const number of journalNumbers(options)) {
        const path = journalPath(options, number);
        const chapter = readChapter(readLasting(path), number);
        const isOfEarlierBoot = boot === '' || chapter.boot !== boot;
        for (const { key, text } of chapter.entries) {
          last.delete(key);
          last.set(key, { text, isOfEarlierBoot });
        }
        found.add({ path, keys: new Set(chapter.entries.map(({ key }) => key)) });
        lastNumber = number;
      }
      for (const [key, entry] of last) restore(key, entry);
      old.push(...found);
      settleSoon();
    },
    append: (key, text) =>
      new Promise((resolve, reject) => {
        queue.push({ key, text, resolve, reject });
        // After all that this turn of the event loop brings: one write and one sync for it.
        flushing ??= new Promise<void>((begin) => setImmediate(begin)).then(flush);
      }),
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearTimeout(quiet);
      while (flushing !== null) await flushing;
      giveUpCurrent();
      await settling;
      await settleOld();
      if (free !== null) quietlyUnlink(free);
    },
  };
};
