/**
 * Records as files: one question, one file, in exactly one of `pending/`, `closed/` and `undelivered/`.
 *
 * S1 A record is written where it lies, then renamed to where it belongs: a kill between the two leaves one file, whose
 *    content says where it goes.
 * S2 A file of a newer version, a damaged one and somebody else's are never written, moved or removed.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  parseQid,
  placementOf,
  readRecord,
  recordText,
  sameDaemon,
  type Daemon,
  type Placement,
  type Qid,
  type QuestionRecord,
  type RecordReading,
} from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import type { Folders } from './folders.ts';
import { createFile, removeIfThere, replaceFile, syncFolder } from './durable-write.ts';
import { createLazyFiles, keptSuffix } from './lazy-files.ts';
import { createSpareFiles } from './spare-files.ts';

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
  /**
   * A record that lies in `from`: rewritten there, and renamed where it belongs elsewhere. A move survives a power cut
   * when this settles; another change survives a kill, and a moment later a power cut too.
   */
  save(record: QuestionRecord, from: Placement): Promise<void>;
  /** Finishes or removes what a kill or a power cut left of this daemon's writes. Before anything else at a start. */
  sweep(daemon: Daemon): void;
  /** Syncs what was changed last. Never rejects. */
  close(): Promise<void>;
}

const extension = '.json';
/** Records move along this order, and from `undelivered/` back to `closed/`: there is looked twice, so that none is missed. */
const searchOrder: readonly Placement[] = ['pending', 'closed', 'undelivered', 'closed'];

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

  const locate = (qid: Qid): Located | null => {
    for (const placement of searchOrder) {
      const reading = readPlaced(pathOf(placement, qid), folders.uid);
      if (reading !== null) return { placement, reading };
    }
    return null;
  };

  const spares = createSpareFiles({
    folder: folders.writing,
    sparesMax: daemonLimits.spareFiles,
    delayMs: daemonLimits.spareDelayMs,
    syncRecords: async () => {
      for (const folder of Object.values(folders.placed)) await syncFolder(folder);
    },
  });
  const lazy = createLazyFiles({ scratchDir: folders.writing, syncMs: daemonLimits.syncMs, spares });

  /** After a power cut: a version that was kept is put back where the one that followed it did not reach the disk. */
  const putBackKept = (file: string, daemon: Daemon): void => {
    const kept = join(folders.writing, file);
    const reading = readPlaced(kept, folders.uid);
    if (reading?.code !== 'record' || !sameDaemon(reading.record.daemon, daemon)) return;
    const located = locate(reading.record.qid);
    if (located === null) return renameSync(kept, pathOf(placementOf(reading.record), reading.record.qid));
    if (located.reading.code === 'unfinished')
      return renameSync(kept, pathOf(located.placement, reading.record.qid));
    removeIfThere(kept);
  };

  return {
    list,
    count: (placement) => list(placement).length,
    locate,
    create: (record) => createFile(pathOf('pending', record.qid), recordText(record), spares),
    save: async (record, from) => {
      const here = pathOf(from, record.qid);
      const to = placementOf(record);
      if (to === from) return lazy.replace(here, recordText(record));
      await replaceFile(here, recordText(record), spares);
      // The content says where the file goes: should a power cut undo the rename, the next start makes it again.
      renameSync(here, pathOf(to, record.qid));
      lazy.settled(here);
    },
    close: async () => {
      await lazy.close();
      await spares.close();
    },
    sweep: (daemon) => {
      for (const file of readdirSync(folders.writing)) {
        if (file.endsWith(keptSuffix)) putBackKept(file, daemon);
        else {
          // Spare files, and what earlier versions of this program wrote in.
          const pid = Number(/\.(\d+)\.\d+(?:\.lazy)?$/.exec(file)?.[1]);
          if (pid === process.pid || !alive(pid)) removeIfThere(join(folders.writing, file));
        }
      }
      spares.prepare();
    },
  };
};
