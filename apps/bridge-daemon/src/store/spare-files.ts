/**
 * Files kept ready for the next record. Making a file is by far the dearest step of writing one (ext4 looks at every
 * inode that was freed in the last minute first), so it is done ahead, outside the main thread, and a file that a newer
 * version has replaced is emptied and used again.
 *
 * V1 A file is emptied only when no name leads to it but its spare one, and when the rename that took its old name has
 *    reached the disk: a power cut must not bring back that name for what is another record by then.
 * V2 Spares are a matter of speed alone: where there is none, or one cannot be had, a file is made on the spot.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  open,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface TakenFile {
  readonly path: string;
  /** Open for writing; the file is empty, and 0600. */
  readonly fd: number;
}

export interface SpareFiles {
  /** Gives a file that nobody else has. Throws the system's error. */
  take(): TakenFile;
  /** Takes a file that nobody needs any more for a spare, off its path. One that is not there is none. Never throws. */
  retire(path: string): void;
  /**
   * Holds on to the file at `path`, which a rename is about to replace; `replaced` says whether it did. Never throws.
   */
  keep(path: string): (replaced: boolean) => void;
  /** Makes spares, a moment later. */
  prepare(): void;
  /** Removes all of them. Never rejects. */
  close(): Promise<void>;
}

export interface SpareOptions {
  /** Where spares lie, on the disk of the records. */
  readonly folder: string;
  /** Spares kept at most, and as many again on their way. Half of that are made ahead; the rest are used ones. */
  readonly sparesMax: number;
  /** Makes last what was renamed in the folders of the records so far. */
  readonly syncRecords: () => Promise<void>;
  /** How long making spares gives way to what is happening. */
  readonly delayMs?: number;
}

/** Making a file is the one thing here that is worth waking a thread for. */
const openSoon = promisify(open);

const quietlyUnlink = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // What is left lies in a folder of scratch, and is removed at the next start.
  }
};

let counter = 0;

export const createSpareFiles = (options: SpareOptions): SpareFiles => {
  const { folder, sparesMax, syncRecords, delayMs = 10 } = options;
  const sparesMin = sparesMax / 2;
  const handful = sparesMax / 8;
  const spares: string[] = [];
  /** Named as spares, not to be emptied yet (V1). */
  let retired: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | null = null;
  let closed = false;

  /** Of the form that a later start knows for scratch of a process that is gone. */
  const nextName = (): string => {
    counter += 1;
    return join(folder, `spare.${process.pid}.${counter}`);
  };

  const makeOne = async (): Promise<void> => {
    const path = nextName();
    closeSync(await openSoon(path, 'wx', 0o600));
    spares.push(path);
  };

  /** Opens a spare, and empties it; null where it turns out to be none (V1). */
  const openEmpty = (path: string): number | null => {
    let fd: number;
    try {
      fd = openSync(path, 'r+');
    } catch {
      // Somebody has cleaned up.
      return null;
    }
    try {
      const { nlink, size } = fstatSync(fd);
      if (nlink === 1) {
        if (size > 0) ftruncateSync(fd, 0);
        return fd;
      }
    } catch {
      // The one that is made instead will show what is the matter.
    }
    closeSync(fd);
    quietlyUnlink(path);
    return null;
  };

  /** What has been retired so far becomes spare once the renames that retired it last. */
  const reuseRetired = async (): Promise<void> => {
    const batch = retired;
    retired = [];
    try {
      await syncRecords();
      spares.push(...batch.splice(0, sparesMax - spares.length));
    } finally {
      for (const path of batch) quietlyUnlink(path);
    }
  };

  const work = async (): Promise<void> => {
    try {
      // Files that are there already come first; one sync for a handful of them is cheaper than making one.
      while (!closed) {
        if (retired.length >= handful) await reuseRetired();
        else if (spares.length < sparesMin) await makeOne();
        else break;
      }
    } catch {
      // A failing disk tells whoever writes to it; here it costs speed alone (V2).
    }
  };

  const workSoon = (): void => {
    if (closed || working !== null || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      working = work().finally(() => {
        working = null;
      });
    }, delayMs);
  };

  const add = (path: string): void => {
    if (closed || retired.length >= sparesMax) quietlyUnlink(path);
    else retired.push(path);
    if (retired.length >= handful) workSoon();
  };

  return {
    take: () => {
      for (let path = spares.pop(); path !== undefined; path = spares.pop()) {
        if (spares.length < sparesMin) workSoon();
        const fd = openEmpty(path);
        if (fd !== null) return { path, fd };
      }
      workSoon();
      const path = nextName();
      return { path, fd: openSync(path, 'wx', 0o600) };
    },
    retire: (path) => {
      const name = nextName();
      try {
        renameSync(path, name);
      } catch {
        return;
      }
      add(name);
    },
    keep: (path) => {
      const name = nextName();
      try {
        linkSync(path, name);
      } catch {
        return () => undefined;
      }
      return (replaced) => {
        if (replaced) add(name);
        else quietlyUnlink(name);
      };
    },
    prepare: workSoon,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await working;
      for (const path of [...spares, ...retired]) quietlyUnlink(path);
    },
  };
};
