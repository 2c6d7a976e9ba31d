/**
 * Writing a small file so that a reader, a kill and a power cut see the old bytes or the new ones.
 *
 * D1 A file that replaces another is synced before it gets its name: a power cut leaves the old bytes or the new.
 * D2 A new file gets its name at once and is synced together with its folder, which costs half the waiting: until both
 *    are done nobody is told of it, and what a power cut leaves of it is a file without its last line feed.
 * D3 Waiting for the disk happens outside the main thread, and one folder sync serves all who wait for it.
 */
import { closeSync, fdatasync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SpareFiles, TakenFile } from './spare-files.ts';

/**
 * What waits for the disk, on threads of the pool. All else is done on the spot: names and a few bytes in the page cache
 * cost less than waking a thread, and the four of the pool are there for the syncs.
 */
const disk = { fdatasync: promisify(fdatasync), fsync: promisify(fsync) };

export const writeAll = (fd: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
};

/** Removes a file if it is there; throws on any other failure. */
export const removeIfThere = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
};

/** Renames within one disk; rejects with the system's error. */
export const move = async (from: string, to: string): Promise<void> => renameSync(from, to);

interface FolderSync {
  running: Promise<void>;
  next: Promise<void> | null;
}

const folderSyncs = new Map<string, FolderSync>();

const syncNow = async (folder: string): Promise<void> => {
  const fd = openSync(folder, 'r');
  try {
    await disk.fsync(fd);
  } finally {
    closeSync(fd);
  }
};

/** Makes every rename done in `folder` so far last. Calls that come while one runs share the next one. */
export const syncFolder = (folder: string): Promise<void> => {
  const known = folderSyncs.get(folder);
  if (known?.next) return known.next;
  const after = known === undefined ? Promise.resolve() : known.running.catch(() => undefined);
  const mine = after.then(() => {
    const now = folderSyncs.get(folder);
    if (now) {
      now.running = mine;
      now.next = null;
    }
    return syncNow(folder);
  });
  if (known) known.next = mine;
  else folderSyncs.set(folder, { running: mine, next: mine });
  const forget = (): void => {
    const now = folderSyncs.get(folder);
    if (now?.running === mine && now.next === null) folderSyncs.delete(folder);
  };
  mine.then(forget, forget);
  return mine;
};

/** Where a file is written before it gets its name: a folder of the same disk, or the spare files of one. */
export type Scratch = string | Pick<SpareFiles, 'take' | 'keep'>;

let scratchCounter = 0;

/** For files that are written now and then: each is made for its purpose. */
const makeScratch = (path: string, folder: string): TakenFile => {
  scratchCounter += 1;
  const scratch = join(folder, `${basename(path)}.${process.pid}.${scratchCounter}`);
  return { path: scratch, fd: openSync(scratch, 'wx', 0o600) };
};

/**
 * Puts `text` into a file of `scratch`, and hands it on: a folder of records never shows half of one. What is left of it
 * after a failure is removed.
 */
const viaScratch = async (
  path: string,
  text: string,
  via: { readonly scratch: Scratch; readonly finish: (taken: TakenFile) => Promise<void> },
): Promise<void> => {
  const { scratch, finish } = via;
  const taken = typeof scratch === 'string' ? makeScratch(path, scratch) : scratch.take();
  try {
    try {
      writeAll(taken.fd, text);
      await finish(taken);
    } finally {
      closeSync(taken.fd);
    }
  } catch (error) {
    removeIfThere(taken.path);
    throw error;
  }
};

/**
 * Replaces `path` with `text` (0600). Rejects with the system's error, and then nothing was changed. The folder's own
 * entry is not waited for: where that matters, `syncFolder` does it.
 */
export const replaceFile = (path: string, text: string, scratch: Scratch): Promise<void> =>
  viaScratch(path, text, {
    scratch,
    finish: async (taken) => {
      await disk.fdatasync(taken.fd);
      const before = typeof scratch === 'string' ? null : scratch.keep(path);
      let replaced = false;
      try {
        renameSync(taken.path, path);
        replaced = true;
      } finally {
        before?.(replaced);
      }
    },
  });

/**
 * Makes a new file (0600), which lasts when this settles. Rejects with the system's error; the file is then gone again,
 * as far as that can be done.
 */
export const createFile = (path: string, text: string, scratch: Scratch): Promise<void> =>
  viaScratch(path, text, {
    scratch,
    finish: async (taken) => {
      renameSync(taken.path, path);
      try {
        await Promise.all([disk.fdatasync(taken.fd), syncFolder(dirname(path))]);
      } catch (error) {
        removeIfThere(path);
        throw error;
      }
    },
  });
