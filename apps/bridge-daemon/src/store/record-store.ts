/**
 * Records as files: one question, one file, in exactly one of `pending/`, `closed/` and `undelivered/`.
 *
 * S1 A record is written where it lies, then renamed to where it belongs: a kill between the two leaves one file, whose
 *    content says where it goes.
 * S2 A file of a newer version, a damaged one and somebody else's are never written, moved or removed.
 */
import { constants, openSync, closeSync, fstatSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  parseQid,
  placementOf,
  readRecord,
  recordText,
  type Placement,
  type Qid,
  type QuestionRecord,
  type RecordReading,
} from '@x/bridge';
import type { Folders } from './folders.ts';
import { createFile, move, removeIfThere, replaceFile, syncFolder } from './durable-write.ts';

/** Records of a daemon's own are far below this; a larger file is damaged. */
const recordBytesMax = 16_777_216;

export interface Located {
  readonly placement: Placement;
  readonly reading: RecordReading;
}

export interface RecordStore {
  /** Where a record of this qid lies, or null where there is none. A moving record is not missed. */
  locate(qid: Qid): Located | null;
  /** The qids in one folder, in order of name. */
  list(placement: Placement): Qid[];
  /** Number of records in one folder. */
  count(placement: Placement): number;
  /** A new record: survives a power cut when this settles. */
  create(record: QuestionRecord): Promise<void>;
  /** A record that lies in `from`: rewritten there, and renamed where it belongs elsewhere. */
  save(record: QuestionRecord, from: Placement): Promise<void>;
  /** Removes what a killed write left behind. */
  sweep(): Promise<void>;
}

const extension = '.json';
const searchOrder: readonly Placement[] = ['pending', 'closed', 'undelivered'];

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const readPlaced = (path: string, uid: number | null): RecordReading | null => {
  // Most searches find nothing: that must not cost an exception.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    return { code: 'damaged', detail: `cannot be opened (${errorCode(error)})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { code: 'damaged', detail: 'is not a regular file' };
    if (uid !== null && stats.uid !== uid) return { code: 'damaged', detail: 'belongs to another user' };
    if (stats.size > recordBytesMax) return { code: 'damaged', detail: `has ${stats.size} bytes` };
    return readRecord(readFileSync(fd, 'utf8'));
  } catch (error) {
    return { code: 'damaged', detail: `cannot be read (${errorCode(error)})` };
  } finally {
    closeSync(fd);
  }
};

const alive = (pid: number): boolean => {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
};

export const openRecordStore = (folders: Folders): RecordStore => {
  const pathOf = (placement: Placement, qid: Qid): string => join(folders.placed[placement], qid + extension);

  const list = (placement: Placement): Qid[] =>
    readdirSync(folders.placed[placement]).flatMap((file) => {
      const qid = file.endsWith(extension) ? parseQid(file.slice(0, -extension.length)) : null;
      return qid === null ? [] : [qid];
    });

  return {
    list,
    count: (placement) => list(placement).length,
    locate: (qid) => {
      // Twice: a record that moved against the order of one search is found by the next.
      for (const placement of [...searchOrder, ...searchOrder]) {
        const reading = readPlaced(pathOf(placement, qid), folders.uid);
        if (reading !== null) return { placement, reading };
      }
      return null;
    },
    create: (record) => createFile(pathOf('pending', record.qid), recordText(record), folders.writing),
    save: async (record, from) => {
      const here = pathOf(from, record.qid);
      const to = placementOf(record);
      await replaceFile(here, recordText(record), folders.writing);
      if (to === from) return;
      const there = pathOf(to, record.qid);
      await move(here, there);
      // The rename is in order with what follows it; its own sync need not hold up the asker.
      syncFolder(dirname(there)).catch(() => undefined);
    },
    sweep: async () => {
      for (const file of readdirSync(folders.writing)) {
        const pid = Number(/\.(\d+)\.\d+$/.exec(file)?.[1]);
        if (pid === process.pid || !alive(pid)) await removeIfThere(join(folders.writing, file));
      }
    },
  };
};
