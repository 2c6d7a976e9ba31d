/**
 * Writing a small file so that a reader, a kill and a power cut see the old bytes or the new ones.
 *
 * D1 A file that replaces another is synced before it gets its name: a power cut leaves the old bytes or the new.
 * D2 A new file gets its name at once and is synced together with its folder, which costs half the waiting: until both
 *    are done nobody is told of it, and what a power cut leaves of it is a file without its last line feed.
 * D3 Waiting for the disk happens outside the main thread, and one folder sync serves all who wait for it.
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fsync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * What waits for the disk, on threads of the pool. All else is done on the spot: names and a few bytes in the page cache
 * cost less than waking a thread, and the four of the pool are there for the syncs.
 */
const disk = { fsync: promisify(fsync) };
/** Waits until the content behind `fd` is on the disk. Rejects with the system's error. */
export const syncData = promisify(fdatasync);

/** Writes all of it at `at`; gives the position after it. Throws the system's error. */
export const writeAt = (fd: number, bytes: Buffer, at: number): number => {
  for (let written = 0; written < bytes.length;)
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  return at + bytes.length;
};

/** Removes a file if it is there; throws on any other failure. */
export const removeIfThere = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
};

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

/** Makes last what a file holds, whoever wrote it; where there is none there is nothing to do. */
export const syncFile = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await syncData(fd);
  } finally {
    closeSync(fd);
  }
};

let scratchCounter = 0;

/**
 * Puts `text` into a new file in `scratchDir`, and hands it on: a folder of state never shows half of one. What is left of
 * it after a failure is removed.
 */
const viaScratch = async (
  path: string,
  text: string,
  via: {
    readonly scratchDir: string;
    readonly finish: (scratch: { readonly path: string; readonly fd: number }) => Promise<void>;
  },
): Promise<void> => {
  scratchCounter += 1;
  const scratch = join(via.scratchDir, `${basename(path)}.${process.pid}.${scratchCounter}`);
  const fd = openSync(scratch, 'wx', 0o600);
  try {
    try {
      writeAt(fd, Buffer.from(text), 0);
      await via.finish({ path: scratch, fd });
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    removeIfThere(scratch);
    throw error;
  }
};

/**
 * Replaces `path` with `text` (0600), by way of a folder on the same disk. Rejects with the system's error, and then
 * nothing was changed. The folder's own entry is not waited for: where that matters, `syncFolder` does it.
 */
export const replaceFile = (path: string, text: string, scratchDir: string): Promise<void> =>
  viaScratch(path, text, {
    scratchDir,
    finish: async (scratch) => {
      await syncData(scratch.fd);
      renameSync(scratch.path, path);
    },
  });

/**
 * Makes a new file (0600), which lasts when this settles. Rejects with the system's error; the file is then gone again,
 * as far as that can be done.
 */
export const createFile = (path: string, text: string, scratchDir: string): Promise<void> =>
  viaScratch(path, text, {
    scratchDir,
    finish: async (scratch) => {
      renameSync(scratch.path, path);
      try {
        await Promise.all([syncData(scratch.fd), syncFolder(dirname(path))]);
      } catch (error) {
        removeIfThere(path);
        throw error;
      }
    },
  });
