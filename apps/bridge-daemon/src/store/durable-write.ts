/**
 * Writing a small file so that a reader, a kill and a power cut see the old bytes or the new ones.
 *
 * D1 The bytes are synced before the name is, and the name before `durable` is reported.
 * D2 Waiting for the disk happens outside the main thread, and one folder sync serves all who wait for it.
 */
import { closeSync, fdatasync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const settle = (run: (done: (error: NodeJS.ErrnoException | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => run((error) => (error === null ? resolve() : reject(error))));

const writeAll = (fd: number, text: string): void => {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
};

/** Removes a file if it is there; any other failure is thrown. */
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
    await settle((done) => fsync(fd, done));
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

let scratchCounter = 0;

export interface WriteOptions {
  /** A folder on the same disk for the file while it is written: a folder of records never shows half of one. */
  readonly scratchDir: string;
  /** `power`: survives a power cut when this settles. `kill`: survives a kill only, which costs no waiting. */
  readonly survives: 'power' | 'kill';
}

/**
 * Replaces `path` with `text` (0600). Rejects with the system's error, and then nothing was changed.
 * The folder's own entry is not waited for: `syncFolder` does that.
 */
export const replaceFile = async (path: string, text: string, options: WriteOptions): Promise<void> => {
  const { survives, scratchDir } = options;
  scratchCounter += 1;
  const scratch = join(scratchDir, `${basename(path)}.${process.pid}.${scratchCounter}`);
  try {
    const fd = openSync(scratch, 'wx', 0o600);
    try {
      writeAll(fd, text);
      if (survives === 'power') await settle((done) => fdatasync(fd, done));
    } finally {
      closeSync(fd);
    }
    renameSync(scratch, path);
  } catch (error) {
    removeIfThere(scratch);
    throw error;
  }
};

/** As `replaceFile`, and the name itself survives a power cut too. */
export const replaceFileDurably = async (path: string, text: string, scratchDir: string): Promise<void> => {
  await replaceFile(path, text, { survives: 'power', scratchDir });
  await syncFolder(dirname(path));
};
