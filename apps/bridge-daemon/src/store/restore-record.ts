/** What a journal says of a record, brought together with the file that a kill or a power cut left of it. */
import { lstatSync } from 'node:fs';
import {
  placementOf,
  readRecord,
  recordParts,
  sameDaemon,
  step,
  type Daemon,
  type Placement,
  type Qid,
  type QuestionRecord,
  type RecordReading,
} from '@x/bridge';
import { removeIfThere } from './durable-write.ts';
import type { Folders } from './folders.ts';
import type { JournalEntry } from './journal.ts';
import { readRecordFile } from './read-record-file.ts';
import { recordPath, type RecordWriter } from './record-writer.ts';

export interface Located {
  readonly placement: Placement;
  readonly reading: RecordReading;
}

export interface Held {
  readonly record: QuestionRecord;
  readonly placement: Placement;
}

/** In the order in which a record moves on. */
export const placements: readonly Placement[] = ['pending', 'closed', 'undelivered'];

interface RestoreParts {
  readonly folders: Folders;
  readonly daemon: Daemon;
  readonly writer: RecordWriter;
  readonly locate: (qid: Qid) => Located | null;
}

/** As it may stand after a power cut took the file that said whether its message had been sent. */
const maybeSent = (record: QuestionRecord): QuestionRecord =>
  step(record, { event: 'delivery_started' }, 0).record ?? record;

/** Whether a file says less than the journal's last entry. */
const isBehind = (lying: Held, entry: QuestionRecord, isOfEarlierBoot: boolean): boolean => {
  const to = placementOf(entry);
  // Along `pending/`, `closed/`, `undelivered/` and back: of two places the journal's is the later one, but for the first.
  if (to !== lying.placement) return to !== 'pending';
  // Its new name reached the disk, and its bytes did not.
  if (placementOf(lying.record) !== to) return true;
  // A kill takes nothing that was written; and what was only amended is not in the journal.
  if (!isOfEarlierBoot) return false;
  if (recordParts(lying.record).front !== recordParts(entry).front) return true;
  return to === 'pending' && !(lying.record.state === 'delivered' && entry.state === 'pending');
};

/** Whether this could be a file of ours that was cut short: never anything that somebody put there. */
const isPlainFile = (path: string, uid: number | null): boolean => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && (uid === null || stats.uid === uid);
};

const isFree = (path: string, uid: number | null): boolean =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined || isPlainFile(path, uid);

/** A power cut may leave more than one name of a record that has moved, on a disk that keeps each for itself. */
const removeOthers = ({ folders, daemon }: RestoreParts, qid: Qid, but: Placement): void => {
  for (const placement of placements) {
    const path = recordPath(folders, placement, qid);
    if (placement === but || !isPlainFile(path, folders.uid)) continue;
    const reading = readRecordFile(path, folders.uid);
    const isTheirs = reading?.code === 'record' && !sameDaemon(reading.record.daemon, daemon);
    if (reading?.code !== 'newer' && !isTheirs) removeIfThere(path);
  }
};

/** Brings the files up to what the journal says. Throws the system's error. */
export const restoreRecord = (
  parts: RestoreParts,
  qid: Qid,
  { text, isOfEarlierBoot }: JournalEntry,
): void => {
  const { daemon, folders, writer, locate } = parts;
  const entry = readRecord(`${text}\n`);
  if (entry.code !== 'record' || entry.record.qid !== qid) return;
  const record = isOfEarlierBoot ? maybeSent(entry.record) : entry.record;
  const to = placementOf(record);
  const located = locate(qid);
  // A closed record had a file in `pending/` first: where there is none at all, somebody has taken it away.
  if (located === null && to !== 'pending' && !isOfEarlierBoot) return;
  if (located === null) return writer.put(record, to);
  const { reading, placement } = located;
  if (reading.code === 'newer') return;
  const isTheirs = reading.code === 'record' && !sameDaemon(reading.record.daemon, daemon);
  if (isTheirs) return;
  if (isOfEarlierBoot) removeOthers(parts, qid, placement);
  if (reading.code === 'record' && !isBehind({ record: reading.record, placement }, record, isOfEarlierBoot))
    return;
  if (reading.code === 'damaged') {
    // What lies in its own place was made whole before it got there: somebody else has spoilt it (W2).
    if (placement === to && !isOfEarlierBoot) return;
    if (!isPlainFile(recordPath(folders, placement, qid), folders.uid)) return;
  }
  // Where somebody has put something else into the place it belongs in, it is whole at least in the one it lies in.
  if (placement === to || !isFree(recordPath(folders, to, qid), folders.uid))
    return writer.replace(record, placement);
  writer.move(record, placement, to);
};
