/**
 * One file of a journal on the disk: made under a name that nobody has, written at its end, and given up so that it no
 * longer counts.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeIfThere, syncData, syncFolder, writeAt } from './durable-write.ts';
import { headOf, sumOf } from './journal-format.ts';

export interface JournalFile {
  readonly path: string;
  readonly keys: Set<string>;
}

export interface OpenJournalFile extends JournalFile {
  readonly fd: number;
  /** Where the next line goes. */
  end: number;
  /** The checksum of the line before. */
  sum: string;
}

export interface JournalName {
  readonly folder: string;
  /** Of its files: `<name>.<number>`. */
  readonly name: string;
}

export const quietlyUnlink = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // It holds nothing that counts.
  }
};

export const journalPath = ({ folder, name }: JournalName, number: number): string =>
  join(folder, `${name}.${number}`);

/** In their order. */
export const journalNumbers = ({ folder, name }: JournalName): number[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`) && /^[1-9]\d{0,14}$/.test(file.slice(name.length + 1)))
    .map((file) => Number(file.slice(name.length + 1)))
    .toSorted((one, other) => one - other);

/**
 * What a file holds, once it lasts: a kill may have come before its sync, and what follows from an entry must not be ahead
 * of it. Throws the system's error.
 */
export const readLasting = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    fdatasyncSync(fd);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
};

/** The file at `free` under another name, or null where that cannot be. A link goes over no other file. */
const openAgain = (free: string, path: string): number | null => {
  try {
    linkSync(free, path);
  } catch {
    // Somebody has taken it away, or this disk knows no links.
    return null;
  } finally {
    quietlyUnlink(free);
  }
  try {
    return openSync(path, 'r+');
  } catch (error) {
    quietlyUnlink(path);
    throw error;
  }
};

/**
 * Makes the file of this number, of the blocks of the one at `free` where there is one; that is gone then in any case.
 * Rejects with the system's error.
 */
export const openJournalFile = async (
  journal: JournalName,
  { number, boot, free }: { readonly number: number; readonly boot: string; readonly free: string | null },
): Promise<OpenJournalFile> => {
  const path = journalPath(journal, number);
  const fd = (free === null ? null : openAgain(free, path)) ?? openSync(path, 'wx', 0o600);
  const head = headOf(number, boot);
  try {
    const end = writeAt(fd, Buffer.from(`${head}\n`), 0);
    await syncFolder(journal.folder);
    return { path, keys: new Set(), fd, end, sum: sumOf('', head) };
  } catch (error) {
    closeSync(fd);
    quietlyUnlink(path);
    throw error;
  }
};

/**
 * Ends the file where it ended before lines that must not count. They must be gone, not only cut off from the chain: the
 * same line written once more in the place of the first would bring back those after it.
 */
const cutOff = async (fd: number, at: number): Promise<void> => {
  try {
    ftruncateSync(fd, at);
    await syncData(fd);
  } catch {
    // The disk takes nothing at all: what was refused may come back at the next start, where it is judged anew.
  }
};

/** Adds lines of which `sum` is the last checksum; they last when this settles. Rejects with the system's error. */
export const addLines = async (file: OpenJournalFile, lines: string, sum: string): Promise<void> => {
  try {
    const end = writeAt(file.fd, Buffer.from(lines), file.end);
    await syncData(file.fd);
    file.end = end;
    file.sum = sum;
  } catch (error) {
    await cutOff(file.fd, file.end);
    throw error;
  }
};

/** Takes the validity from a file, lastingly, and leaves its blocks. False where it had better go. */
export const isSpoilt = async (path: string): Promise<boolean> => {
  try {
    const fd = openSync(path, 'r+');
    try {
      writeAt(fd, Buffer.from('-'), 0);
      await syncData(fd);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
};

/** Removes a file lastingly. Rejects with the system's error. */
export const removeJournalFile = async (folder: string, path: string): Promise<void> => {
  removeIfThere(path);
  await syncFolder(folder);
};
