/**
 * Record files as they are written, without waiting for the disk: what is written stands in the journal already.
 *
 * W1 A file that moves on is written over where it lies and then renamed: cut short by a kill it is in a folder where the
 *    journal no longer has it, and is written again at the next start; cut short by a failing disk, before the journal has
 *    anything newer of it.
 * W2 One that stays is written beside and renamed, so that a damaged file in its own place is never of our making.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  open,
  openSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Placement, Qid, QuestionRecord } from '@x/bridge';
import { removeIfThere, writeAt } from './durable-write.ts';
import type { Folders } from './folders.ts';
import { layRecord } from './record-file.ts';

/** All throw the system's error. */
export interface RecordWriter {
  /** Writes a record where it has no file, or an unfinished one (0600). */
  put(record: QuestionRecord, placement: Placement): void;
  /**
   * As `put` in `pending/`, with the record that `use` gives to its argument once the file is there. Making a file may
   * take milliseconds where many have been removed lately (ext4 passes them over), so it is done outside the main thread.
   * Nobody ever sees it without its record.
   */
  putSoon(qid: Qid, use: (write: (record: QuestionRecord) => void) => void): Promise<void>;
  /** Puts another file in the place of its file, if that is still there. */
  replace(record: QuestionRecord, placement: Placement): void;
  /**
   * Writes it over its file, if that is still there, which then goes to another folder. Where it throws, the file may be
   * half written, though not for want of room.
   */
  move(record: QuestionRecord, from: Placement, to: Placement): void;
  /** Removes what a kill left beside the records. */
  sweep(): void;
}

export const recordPath = (folders: Folders, placement: Placement, qid: Qid): string =>
  join(folders.placed[placement], `${qid}.json`);

const ours = constants.O_WRONLY | constants.O_NOFOLLOW;
const made = constants.O_CREAT | ours;

/** Emptied first: cut short by a kill it is an unfinished file, whatever it held. */
const fill = (fd: number, record: QuestionRecord): void => {
  if (fstatSync(fd).size > 0) ftruncateSync(fd, 0);
  writeAt(fd, layRecord(record), 0);
};

const writeAnew = (path: string, record: QuestionRecord): void => {
  const fd = openSync(path, made, 0o600);
  try {
    fill(fd, record);
  } finally {
    closeSync(fd);
  }
};

/** What needs room is written first, and taken back where there is none: then the file is as it was. */
const writeEnd = (fd: number, bytes: Buffer, size: number): void => {
  try {
    writeAt(fd, bytes.subarray(size), size);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
};

/** False where there is nothing that can be written over. */
const isWrittenOver = (path: string, record: QuestionRecord): boolean => {
  let fd: number;
  try {
    fd = openSync(path, ours);
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = layRecord(record, size);
    writeEnd(fd, bytes, size);
    writeAt(fd, bytes.subarray(0, size), 0);
    return true;
  } finally {
    closeSync(fd);
  }
};

const openOff = promisify(open);

/** `scratchName` is a name in `.writing/` that only lives of this daemon use, one of which may be about to end. */
export const createRecordWriter = (folders: Folders, scratchName: string): RecordWriter => {
  const scratch = join(folders.writing, `${scratchName}.${process.pid}`);

  const replace = (record: QuestionRecord, placement: Placement): void => {
    writeAnew(scratch, record);
    renameSync(scratch, recordPath(folders, placement, record.qid));
  };

  return {
    put: (record, placement) => writeAnew(recordPath(folders, placement, record.qid), record),
    putSoon: async (qid, use) => {
      const beside = `${scratch}.${qid}`;
      const fd = await openOff(beside, made, 0o600);
      let named = false;
      try {
        use((record) => {
          fill(fd, record);
          renameSync(beside, recordPath(folders, 'pending', qid));
          named = true;
        });
      } finally {
        closeSync(fd);
        if (!named) removeIfThere(beside);
      }
    },
    replace,
    move: (record, from, to) => {
      const before = recordPath(folders, from, record.qid);
      if (!isWrittenOver(before, record)) replace(record, from);
      renameSync(before, recordPath(folders, to, record.qid));
    },
    sweep: () => {
      for (const file of readdirSync(folders.writing))
        if (file.startsWith(`${scratchName}.`)) removeIfThere(join(folders.writing, file));
    },
  };
};
