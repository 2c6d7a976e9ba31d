/**
 * Replacing a file without waiting for the disk, and without risking what the disk already holds: the version before
 * stays under a second name until the new one is synced, which happens a moment later for all at once.
 *
 * Z1 A kill loses nothing: the new bytes are with the kernel when `replace` returns.
 * Z2 A power cut leaves the new version, or the one before under its second name; the next start puts that back.
 */
import { closeSync, fdatasync, linkSync, openSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { removeIfThere, writeAll } from './durable-write.ts';
import type { SpareFiles } from './spare-files.ts';

export const keptSuffix = '.kept';

export interface LazyFiles {
  /** Replaces the file at `path`, which must exist (0600). Throws the system's error, and then nothing was changed. */
  replace(path: string, text: string): void;
  /** What stands for `path` has just been synced by other means, or is gone. */
  settled(path: string): void;
  /** Syncs what is left. Never rejects. */
  close(): Promise<void>;
}

const syncData = promisify(fdatasync);

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

export interface LazyOptions {
  /** Where the versions before are kept, on the same disk. */
  readonly scratchDir: string;
  /** How long a new version may wait for its sync. */
  readonly syncMs: number;
  readonly spares: SpareFiles;
}

export const createLazyFiles = ({ scratchDir, syncMs, spares }: LazyOptions): LazyFiles => {
  const unsynced = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const keptFor = (path: string): string => join(scratchDir, basename(path) + keptSuffix);

  /** Gives the version that stands at `path` its second name; says what becomes of it once it is replaced. */
  const keepBefore = (path: string): ((replaced: boolean) => void) => {
    try {
      linkSync(path, keptFor(path));
      return () => undefined;
    } catch (error) {
      if (!isTaken(error)) throw error;
      // Of several versions that wait for a sync, the oldest is the one that the disk holds.
      return spares.keep(path);
    }
  };

  const settled = (path: string): void => {
    if (unsynced.delete(path)) spares.retire(keptFor(path));
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
        settled(path);
      } catch {
        // Moved on meanwhile, which syncs it; or a failing disk, and then the version before stays where it is.
        unsynced.delete(path);
      }
    }
  };

  return {
    replace: (path, text) => {
      const { path: spare, fd } = spares.take();
      try {
        try {
          writeAll(fd, text);
        } finally {
          closeSync(fd);
        }
        const before = keepBefore(path);
        let replaced = false;
        try {
          renameSync(spare, path);
          replaced = true;
        } finally {
          before(replaced);
        }
      } catch (error) {
        removeIfThere(spare);
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
