/**
 * Records as files: one question, one file, in exactly one of `pending/`, `closed/` and `undelivered/`.
 *
 * S1 What must last stands in the journal first, and the files follow without waiting for the disk: a kill or a power cut
 *    in between is made good from the journal at the next start.
 * S2 A file of a newer version, somebody else's, and a damaged one that no kill, power cut or failed write of ours explains
 *    are never written, moved or removed.
 * S3 A new question has its file a moment after its ack, and before its message is sent.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { parseQid, placementOf, type Daemon, type Placement, type Qid, type QuestionRecord } from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import { bootId } from './boot-id.ts';
import { syncFile, syncFolder } from './durable-write.ts';
import type { Folders } from './folders.ts';
import { createJournal } from './journal.ts';
import { readRecordFile } from './read-record-file.ts';
import { amendRecord } from './record-file.ts';
import { createRecordWriter, recordPath } from './record-writer.ts';
import { placements, restoreRecord, type Held, type Located } from './restore-record.ts';

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
  /**
   * Finishes or removes what a kill or a power cut left of this daemon's writes. Before anything else at a start. Throws
   * the system's error, and then nothing is lost.
   */
  sweep(): void;
  /** Syncs what was changed last and gives up the journal. Never rejects. */
  close(): Promise<void>;
}

const extension = '.json';
/** Records move along this order, and from `undelivered/` back to `closed/`: there is looked twice, so that none is missed. */
const searchOrder: readonly Placement[] = [...placements, 'closed'];

/** In names of files that are this daemon's alone: several may have records below one folder. */
const nameOf = ({ name, project, coms_dir }: Daemon): string =>
  createHash('sha256')
    .update(JSON.stringify([name, project, coms_dir]))
    .digest('hex')
    .slice(0, 16);

/** Opens the records of `daemon` for writing, and those of others for reading. */
export const openRecordStore = (folders: Folders, daemon: Daemon): RecordStore => {
  const list = (placement: Placement): Qid[] =>
    readdirSync(folders.placed[placement]).flatMap((file) => {
      const qid = file.endsWith(extension) ? parseQid(file.slice(0, -extension.length)) : null;
      return qid === null ? [] : [qid];
    });

  const locate = (qid: Qid): Located | null => {
    for (const placement of searchOrder) {
      const reading = readRecordFile(recordPath(folders, placement, qid), folders.uid);
      if (reading !== null) return { placement, reading };
    }
    return null;
  };

  const name = nameOf(daemon);
  const writer = createRecordWriter(folders, `record.${name}`);
  /** New questions that stand in the journal alone. */
  const unfiled = new Map<Qid, QuestionRecord>();
  const beingFiled = new Map<Qid, Promise<void>>();
  /** Open questions whose file has changed and may not have reached the disk. */
  const changed = new Map<Qid, QuestionRecord>();
  /** Moves that failed in the middle: the journal alone may have the record, until it is written again. */
  const halfWritten = new Map<Qid, Held>();
  let filing: NodeJS.Timeout | undefined;
  let syncing: NodeJS.Timeout | undefined;
  let closed = false;

  /** Written and known to be so in one turn: what changes before has to be in it, what changes later finds it there. */
  const fileOnce = (qid: Qid): Promise<void> =>
    writer.putSoon(qid, (write) => {
      const record = unfiled.get(qid);
      if (record !== undefined) write(record);
      unfiled.delete(qid);
    });

  /** Gives a new question its file. Rejects with the system's error; the question is then still without one. */
  const file = (qid: Qid): Promise<void> => {
    const known = beingFiled.get(qid);
    if (known !== undefined) return known;
    const mine = fileOnce(qid).finally(() => beingFiled.delete(qid));
    beingFiled.set(qid, mine);
    return mine;
  };

  const fileAll = async (): Promise<void> => {
    filing = undefined;
    for (const qid of unfiled.keys())
      try {
        await file(qid);
      } catch {
        // A question that is to be put needs its file, and says what is wrong.
        fileLater(daemonLimits.storeRetryMs);
      }
  };

  const fileLater = (ms: number): void => {
    if (!closed) filing ??= setTimeout(() => void fileAll(), ms);
  };

  /** A new question that changes before it has its file gets one that says so. */
  const fileAs = async (record: QuestionRecord, before: QuestionRecord): Promise<void> => {
    unfiled.set(record.qid, record);
    try {
      await file(record.qid);
    } catch (error) {
      if (unfiled.get(record.qid) === record) unfiled.set(record.qid, before);
      throw error;
    }
  };

  const move = (record: QuestionRecord, from: Placement, to: Placement): void => {
    try {
      writer.move(record, from, to);
    } catch (error) {
      halfWritten.set(record.qid, { record, placement: from });
      throw error;
    }
  };

  /** Before the journal has anything newer, or goes. Throws the system's error. */
  const makeWhole = (qid: Qid): void => {
    const half = halfWritten.get(qid);
    if (half === undefined) return;
    writer.replace(half.record, half.placement);
    halfWritten.delete(qid);
  };

  /** What is not there has moved on: that move stands in the journal. */
  const syncOne = async (qid: Qid): Promise<void> => {
    if (unfiled.has(qid)) await file(qid);
    makeWhole(qid);
    for (const placement of placements) await syncFile(recordPath(folders, placement, qid));
  };

  /** All at once: one write and one sync. */
  const journalChanged = (): void => {
    syncing = undefined;
    for (const [qid, record] of changed)
      // A failing disk tells whoever waits for it.
      journal.append(qid, JSON.stringify(record)).catch(() => undefined);
    changed.clear();
  };

  const journalSoon = (record: QuestionRecord): void => {
    changed.set(record.qid, record);
    syncing ??= setTimeout(journalChanged, daemonLimits.syncMs);
  };

  const journal = createJournal({
    folder: folders.writing,
    name: `journal.${name}`,
    bytesMax: daemonLimits.journalBytes,
    quietMs: daemonLimits.syncMs,
    boot: bootId(),
    settle: async (keys) => {
      for (const key of keys) {
        const qid = parseQid(key);
        if (qid !== null) await syncOne(qid);
      }
      for (const folder of Object.values(folders.placed)) await syncFolder(folder);
    },
    retryMs: daemonLimits.storeRetryMs,
  });

  return {
    list,
    count: (placement) => list(placement).length,
    locate: (qid) => {
      const record = unfiled.get(qid);
      return record === undefined
        ? locate(qid)
        : { placement: 'pending', reading: { code: 'record', record } };
    },
    create: async (record) => {
      await journal.append(record.qid, JSON.stringify(record));
      unfiled.set(record.qid, record);
      fileLater(daemonLimits.fileMs);
    },
    save: async (record, from) => {
      const { qid } = record;
      const to = placementOf(record);
      makeWhole(qid);
      if (to === from) {
        const before = unfiled.get(qid);
        if (before !== undefined) {
          await fileAs(record, before);
          return journalSoon(record);
        }
        if (amendRecord(recordPath(folders, from, qid), record)) {
          // What is closed is written back by the system in its own time: at worst it is done once more.
          if (to === 'pending') journalSoon(record);
          return;
        }
      }
      if (unfiled.has(qid)) await file(qid);
      changed.delete(qid);
      await journal.append(qid, JSON.stringify(record));
      if (to === from) writer.replace(record, to);
      else move(record, from, to);
    },
    close: async () => {
      closed = true;
      clearTimeout(filing);
      clearTimeout(syncing);
      journalChanged();
      await journal.close();
    },
    sweep: () => {
      writer.sweep();
      journal.recover((key, entry) => {
        const qid = parseQid(key);
        if (qid !== null) restoreRecord({ daemon, folders, writer, locate }, qid, entry);
      });
    },
  };
};
