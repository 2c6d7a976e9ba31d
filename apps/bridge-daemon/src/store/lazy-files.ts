/**
 * Replacing a file without waiting for the disk, and without risking what the disk already holds: the version before
 * stays under a second name until the new one is synced, which happens a moment later for all at once.
 *
 * Z1 A kill loses nothing: the new bytes are with the kernel when `replace` settles.
 * Z2 A power cut leaves the new version, or the one before under its second name; the next start puts that back.
 */
import { closeSync, fdatasync, linkSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { removeIfThere } from './durable-write.ts';

export const keptSuffix = '.kept';

export interface LazyFiles {
  /** Replaces the file at `path`, which must exist (0600). Rejects with the system's error, and then nothing was changed. */
  replace(path: string, text: string): Promise<void>;
  /** What stands for `path` has just been synced by other means, or is gone. */
  settled(path: string): Promise<void>;
  /** Syncs what is left. Never rejects. */
  close(): Promise<void>;
}

const syncData = promisify(fdatasync);

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** `scratchDir` is on the same disk; `syncMs` is how long a new version may wait for its sync. */
export const createLazyFiles = (scratchDir: string, syncMs: number): LazyFiles => {
  const unsynced = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let counter = 0;
  const keptFor = (path: string): string => join(scratchDir, basename(path) + keptSuffix);

  const settled = async (path: string): Promise<void> => {
    if (unsynced.delete(path)) await removeIfThere(keptFor(path));
  };

  const syncOne = async (path: string): Promise<void> => {
    const fd = openSync(path, 'r');
    try {
      await syncData(fd);
    } finally {
      closeSync(fd);
    }
  };

  const syncAll = async (): Promise<void> => {
    for (const path of unsynced) {
      try {
        await syncOne(path);
        await settled(path);
      } catch {
        // Moved on meanwhile, which syncs it; or a failing disk, and then the version before stays where it is.
        unsynced.delete(path);
      }
    }
  };

  return {
    replace: async (path, text) => {
      counter += 1;
      const scratch = join(scratchDir, `${basename(path)}.${process.pid}.${counter}.lazy`);
      try {
        writeFileSync(scratch, text, { mode: 0o600, flag: 'wx' });
        try {
          linkSync(path, keptFor(path));
        } catch (error) {
          // Of several versions that wait for a sync, the oldest is the one that the disk holds.
          if (!isTaken(error)) throw error;
        }
        renameSync(scratch, path);
      } catch (error) {
        await removeIfThere(scratch);
        throw error;
      }
      unsynced.add(path);
      timer ??= setTimeout(() => {
        timer = undefined;
        void syncAll();
      }, syncMs);
    },
    settled,
    close: async () => {
      clearTimeout(timer);
      await syncAll();
    },
  };
};
