/**
 * Record files as they are written, without waiting for the disk: what is written stands in the journal already.
 *
 * W1 A file that moves on is written over where it lies and then renamed: cut short by a kill it is in a folder where the
 *    journal no longer has it, and is written again at the next start.
 * W2 One that stays is written beside and renamed, so that a damaged file in its own place is never of our making.
 */
import { closeSync, constants, fstatSync, open, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Placement, Qid, QuestionRecord } from '@x/bridge';
import { removeIfThere, writeAll } from './durable-write.ts';
import type { Folders } from './folders.ts';
import { layRecord } from './record-file.ts';

/** All throw the system's error. */
export interface RecordWriter {
  /** Writes a record where it has no file (0600). */
  put(record: QuestionRecord, placement: Placement): void;
  /**
   * As `put` in `pending/`, with the record as `current` gives it when the file is there; null: none is needed any more.
   * Making a file may take milliseconds where many have been removed lately (ext4 passes them over), so it is done outside
   * the main thread.
   */
  putSoon(qid: Qid, current: () => QuestionRecord | null): Promise<void>;
  /** Puts another file in the place of its file. */
  replace(record: QuestionRecord, placement: Placement): void;
  /** Writes it over its file, which then goes to another folder. Where it throws, the file may be half written. */
  move(record: QuestionRecord, from: Placement, to: Placement): void;
  /** Removes what a kill left beside the records. */
  sweep(): void;
}

export const recordPath = (folders: Folders, placement: Placement, qid: Qid): string =>
  join(folders.placed[placement], `${qid}.json`);

const ours = constants.O_WRONLY | constants.O_NOFOLLOW;

const fill = (fd: number, record: QuestionRecord): void => {
  const { size } = fstatSync(fd);
  writeAll(fd, layRecord(record, size));
};

const writeTo = (path: string, flags: number, record: QuestionRecord): void => {
  const fd = openSync(path, flags | ours, 0o600);
  try {
    fill(fd, record);
  } finally {
    closeSync(fd);
  }
};

const openOff = promisify(open);

/** `scratchName` is a name in `.writing/` that nobody else uses. */
export const createRecordWriter = (folders: Folders, scratchName: string): RecordWriter => {
  const scratch = join(folders.writing, scratchName);
  return {
    put: (record, placement) =>
      writeTo(recordPath(folders, placement, record.qid), constants.O_CREAT, record),
    putSoon: async (qid, current) => {
      const fd = await openOff(recordPath(folders, 'pending', qid), constants.O_CREAT | ours, 0o600);
      try {
        const record = current();
        if (record !== null) fill(fd, record);
      } finally {
        closeSync(fd);
      }
    },
    replace: (record, placement) => {
      writeTo(scratch, constants.O_CREAT | constants.O_TRUNC, record);
      renameSync(scratch, recordPath(folders, placement, record.qid));
    },
    move: (record, from, to) => {
      const before = recordPath(folders, from, record.qid);
      writeTo(before, 0, record);
      renameSync(before, recordPath(folders, to, record.qid));
    },
    sweep: () => removeIfThere(scratch),
  };
};
