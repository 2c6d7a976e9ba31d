/**
 * Empty files kept ready for the next record. Making a file is by far the dearest step of writing one (ext4 looks at
 * every inode that was freed in the last minute first), so it is done ahead, outside the main thread, and a file that a
 * newer version has replaced is emptied and used again.
 *
 * V1 A file is emptied only when no name leads to it but its spare one, and when the rename that took its old name has
 *    reached the disk: a power cut must not bring back that name for what is another record by then.
 * V2 Spares are a matter of speed alone: where there is none, or one cannot be had, a file is made on the spot.
 */
import { closeSync, fstatSync, ftruncate, linkSync, open, openSync, renameSync, unlink } from 'node:fs';
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

/**
 * What allocates or frees something on the disk: it waits for a commit of the file system's journal that is under way,
 * which naming and writing do not.
 */
const off = { open: promisify(open), ftruncate: promisify(ftruncate), unlink: promisify(unlink) };

const quietlyUnlink = async (path: string): Promise<void> => {
  try {
    await off.unlink(path);
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
    closeSync(await off.open(path, 'wx', 0o600));
    spares.push(path);
  };

  /** Empties a file, or lets it go where another name leads to it (V1). */
  const empty = async (path: string): Promise<void> => {
    const fd = openSync(path, 'r+');
    let alone = false;
    try {
      alone = fstatSync(fd).nlink === 1;
      if (alone) await off.ftruncate(fd, 0);
    } finally {
      closeSync(fd);
    }
    if (alone) spares.push(path);
    else await quietlyUnlink(path);
  };

  /** What has been retired so far becomes spare once the renames that retired it last. */
  const reuseRetired = async (): Promise<void> => {
    const batch = retired;
    retired = [];
    const each = async (use: (path: string) => Promise<void>): Promise<void> => {
      for (let path = batch.pop(); path !== undefined; path = batch.pop()) await use(path);
    };
    try {
      await syncRecords();
      const reuse = (): Promise<void> =>
        each((path) => (spares.length < sparesMax && !closed ? empty(path) : quietlyUnlink(path)));
      // One thread of the pool at least is left to those who wait for a sync.
      await Promise.all([reuse(), reuse(), reuse()]);
    } finally {
      await each(quietlyUnlink);
    }
  };

  const isDue = (): boolean => retired.length >= handful || spares.length < sparesMin;

  /** False where it failed: whoever takes the next spare tries again. */
  const work = async (): Promise<boolean> => {
    try {
      // Files that are there already come first; one sync for a handful of them is cheaper than making one.
      while (!closed) {
        if (retired.length >= handful) await reuseRetired();
        else if (spares.length < sparesMin) await makeOne();
        else break;
      }
      return true;
    } catch {
      // A failing disk tells whoever writes to it; here it costs speed alone (V2).
      return false;
    }
  };

  const workSoon = (): void => {
    if (closed || working !== null || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      working = work().then((done) => {
        working = null;
        // What became due in its last moment was not seen any more.
        if (done && isDue()) workSoon();
      });
    }, delayMs);
  };

  const add = (path: string): void => {
    if (closed || retired.length >= sparesMax) void quietlyUnlink(path);
    else retired.push(path);
    if (retired.length >= handful) workSoon();
  };

  return {
    take: () => {
      const ready = spares.pop();
      if (spares.length < sparesMin) workSoon();
      if (ready !== undefined)
        try {
          return { path: ready, fd: openSync(ready, 'r+') };
        } catch {
          // Somebody has cleaned up.
        }
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
        else void quietlyUnlink(name);
      };
    },
    prepare: workSoon,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await working;
      for (const path of [...spares, ...retired]) await quietlyUnlink(path);
    },
  };
};
