/**
 * Record files as they are written: each in a file of its own, which gets its name when it is whole. Nothing here waits
 * for the disk; what must last stands in the journal.
 */
import { closeSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Placement, Qid, QuestionRecord } from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import { removeIfThere, syncFolder, writeAll } from './durable-write.ts';
import type { Folders } from './folders.ts';
import { layRecord } from './record-file.ts';
import { createSpareFiles } from './spare-files.ts';

/** All but `prepare` and `close` throw the system's error, and then nothing was changed. */
export interface RecordWriter {
  /** Writes a record where it has no file. */
  put(record: QuestionRecord, placement: Placement): void;
  /** Writes it where it has one. */
  replace(record: QuestionRecord, placement: Placement): void;
  /** Writes it in another folder than before. Whoever looks meanwhile finds the old file, the new one, or both. */
  move(record: QuestionRecord, from: Placement, to: Placement): void;
  /** Makes last what was named in the folders of records so far. */
  syncFolders(): Promise<void>;
  /** Makes files ready for what is to be written. */
  prepare(): void;
  close(): Promise<void>;
}

export const recordPath = (folders: Folders, placement: Placement, qid: Qid): string =>
  join(folders.placed[placement], `${qid}.json`);

export const createRecordWriter = (folders: Folders): RecordWriter => {
  const syncFolders = async (): Promise<void> => {
    for (const folder of Object.values(folders.placed)) await syncFolder(folder);
  };

  /** Writes a record into a file of its own, which gets its name by `name`. */
  const write = (record: QuestionRecord, name: (spare: string) => void): void => {
    const { path: spare, fd } = spares.take();
    try {
      try {
        writeAll(fd, layRecord(record));
      } finally {
        closeSync(fd);
      }
      name(spare);
    } catch (error) {
      removeIfThere(spare);
      throw error;
    }
  };

  const put = (record: QuestionRecord, placement: Placement): void =>
    write(record, (spare) => renameSync(spare, recordPath(folders, placement, record.qid)));

  /** As `put`, where a file is; its inode is used again. */
  const replace = (record: QuestionRecord, placement: Placement): void =>
    write(record, (spare) => {
      const path = recordPath(folders, placement, record.qid);
      const before = spares.keep(path);
      let replaced = false;
      try {
        renameSync(spare, path);
        replaced = true;
      } finally {
        before(replaced);
      }
    });

  const spares = createSpareFiles({
    folder: folders.writing,
    sparesMax: daemonLimits.spareFiles,
    delayMs: daemonLimits.spareDelayMs,
    syncRecords: syncFolders,
  });

  const move = (record: QuestionRecord, from: Placement, to: Placement): void => {
    put(record, to);
    const before = recordPath(folders, from, record.qid);
    spares.retire(before);
    if (existsSync(before)) removeIfThere(before);
  };

  return {
    put,
    replace,
    move,
    syncFolders,
    prepare: () => spares.prepare(),
    close: () => spares.close(),
  };
};
