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
import {
  closeSync,
  fdatasync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from './durable-write.ts';
import { headOf, readChapter, sumOf } from './journal-format.ts';

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

export interface JournalOptions {
  readonly folder: string;
  /** Of its files: `<name>.<number>`. Nobody else may use it at the same time. */
  readonly name: string;
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

interface JournalFile {
  readonly path: string;
  readonly keys: Set<string>;
}

interface OpenFile extends JournalFile {
  readonly fd: number;
  /** Where the next line goes. */
  end: number;
  /** The checksum of the line before. */
  sum: string;
}

const syncData = promisify(fdatasync);

/** Writes all of it at `at`; gives the position after it. Throws the system's error. */
const writeAt = (fd: number, bytes: Buffer, at: number): number => {
  for (let written = 0; written < bytes.length;)
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  return at + bytes.length;
};

const quietlyUnlink = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // It is read once more at the next start, and changes nothing there.
  }
};

/** Ends the chain at a line that was written and must not count. Space is there, as it has just been written. */
const spoil = (fd: number, at: number): boolean => {
  try {
    return writeSync(fd, '-', at) === 1;
  } catch {
    // The disk takes nothing at all: what was refused may come back at the next start, where it is judged anew.
    return false;
  }
};

/** False where the file had better go. */
const spoilFile = (path: string): boolean => {
  try {
    const fd = openSync(path, 'r+');
    try {
      return spoil(fd, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
};

export const createJournal = (options: JournalOptions): Journal => {
  const { folder, name, bytesMax, quietMs, boot, settle, retryMs } = options;
  let queue: Waiter[] = [];
  let flushing: Promise<void> | null = null;
  let current: OpenFile | null = null;
  /** Full ones, and those of earlier lives. */
  const old: JournalFile[] = [];
  let settling: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;
  /** A file whose entries are settled: its blocks are used again. */
  let free: string | null = null;
  let lastNumber = 0;
  let closed = false;

  const numberOf = (file: string): number =>
    file.startsWith(`${name}.`) && /^\d+$/.test(file.slice(name.length + 1))
      ? Number(file.slice(name.length + 1))
      : 0;

  const openNext = async (): Promise<OpenFile> => {
    lastNumber += 1;
    const path = join(folder, `${name}.${lastNumber}`);
    if (free !== null) renameSync(free, path);
    const fd = openSync(path, free === null ? 'wx' : 'r+', 0o600);
    free = null;
    const head = headOf(lastNumber, boot);
    const file = { path, keys: new Set<string>(), fd, end: 0, sum: sumOf('', head) };
    try {
      file.end = writeAt(fd, Buffer.from(`${head}\n`), 0);
      await syncFolder(folder);
    } catch (error) {
      closeSync(fd);
      quietlyUnlink(path);
      throw error;
    }
    return file;
  };

  const write = async (batch: readonly Waiter[]): Promise<void> => {
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
    try {
      const end = writeAt(current.fd, Buffer.from(lines), current.end);
      await syncData(current.fd);
      current.end = end;
      current.sum = sum;
    } catch (error) {
      spoil(current.fd, current.end);
      throw error;
    }
  };

  const settleOld = async (): Promise<void> => {
    for (let file = old[0]; file !== undefined; file = old[0]) {
      try {
        await settle(file.keys);
      } catch {
        // Told by whoever writes to the failing disk; the file stays until it could be done.
        if (!closed) retry = setTimeout(settleSoon, retryMs);
        return;
      }
      old.shift();
      if (free === null && !closed && spoilFile(file.path)) free = file.path;
      else quietlyUnlink(file.path);
    }
  };

  const settleSoon = (): void => {
    settling ??= settleOld().finally(() => {
      settling = null;
    });
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
      const found: JournalFile[] = [];
      const numbers = readdirSync(folder)
        .map(numberOf)
        .filter((number) => number > 0)
        .toSorted((one, other) => one - other);
      for (const number of numbers) {
        const path = join(folder, `${name}.${number}`);
        const chapter = readChapter(readFileSync(path, 'utf8'), number);
        const isOfEarlierBoot = boot === '' || chapter.boot !== boot;
        for (const { key, text } of chapter.entries) {
          last.delete(key);
          last.set(key, { text, isOfEarlierBoot });
        }
        found.push({ path, keys: new Set(chapter.entries.map(({ key }) => key)) });
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
