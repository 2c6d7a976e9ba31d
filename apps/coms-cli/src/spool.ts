/**
 * Messages on disk: `cli/projects/<project>/<name>/{pending,responses,inbound}/<msg_id>.json` below the coms folder.
 *
 * - `pending/` prompts of ours that wait for a response, with the process that waits
 * - `responses/` what came back: the response envelope
 * - `inbound/` prompts that came to us and are not answered: the prompt envelope
 *
 * D1 A file is on the disk (synced, then renamed) before its envelope is acked.
 * D2 One response a `msg_id`: the first stays.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readSmallFile, removeFile, replaceFile, type Coms } from '@x/coms-envelope/node';

export const boxes = ['pending', 'responses', 'inbound'] as const;
export type Box = (typeof boxes)[number];

export interface SpoolPlace {
  readonly coms: Coms;
  readonly project: string;
  readonly name: string;
}

/** A line has at most 65,536 code units; escaped and indented, with our own fields, it stays below this. */
const fileBytesMax = 1_048_576;
/** Responses older than this have been read or forgotten. */
const responseAgeMsMax = 30 * 24 * 3_600_000;
const msgIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** True for an id that is safe as a file name; ids of other tools may have any form. */
export function isSpoolId(msgId: string): boolean {
  return msgIdPattern.test(msgId);
}

/** Ids that are no file name are spooled under their digest: no two share a file, however long they are. */
function fileName(msgId: string): string {
  if (isSpoolId(msgId)) return `${msgId}.json`;
  return `_${createHash('sha256').update(msgId).digest('hex')}.json`;
}

const digestNamePattern = /^_[0-9a-f]{64}\.json$/;

function isSpoolFile(file: string): boolean {
  return (
    digestNamePattern.test(file) || (file.endsWith('.json') && isSpoolId(file.slice(0, -'.json'.length)))
  );
}

function boxDir(place: SpoolPlace, box: Box): string {
  return join(place.coms.root, 'cli', 'projects', place.project, place.name, box);
}

function spoolPath(place: SpoolPlace, box: Box, msgId: string): string {
  return join(boxDir(place, box), fileName(msgId));
}

/** Makes the three folders (0700). Gives the message of a refusal, or null. */
export function makeSpool(place: SpoolPlace): string | null {
  for (const box of boxes) {
    const made = makeFolder(place.coms, 'cli', 'projects', place.project, place.name, box);
    if (!made.ok) return made.message;
  }
  return null;
}

/** Writes one record durably. Throws on a full or failing disk. */
export function writeSpool(place: SpoolPlace, box: Box, record: { readonly msg_id: string }): void {
  const path = spoolPath(place, box, record.msg_id);
  const scratch = `${path}.${process.pid}.tmp`;
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, { scratch, durable: true });
}

export function removeSpool(place: SpoolPlace, box: Box, msgId: string): void {
  removeFile(spoolPath(place, box, msgId));
}

export type SpoolReading =
  | { readonly ok: true; readonly record: object }
  | { readonly ok: false; readonly absent: boolean; readonly problem: string };

function readRecord(path: string, uid: number | null): SpoolReading {
  const file = readSmallFile(path, fileBytesMax, uid);
  if (!file.ok) return { ok: false, absent: file.code === 'ABSENT', problem: file.problem };
  try {
    const value: unknown = JSON.parse(file.text);
    if (typeof value === 'object' && value !== null) return { ok: true, record: value };
    return { ok: false, absent: false, problem: 'is not a record' };
  } catch {
    return { ok: false, absent: false, problem: 'is not JSON' };
  }
}

/** Reads one record. Never throws. */
export function readSpool(place: SpoolPlace, box: Box, msgId: string): SpoolReading {
  const reading = readRecord(spoolPath(place, box, msgId), place.coms.uid);
  if (!reading.ok) return reading;
  return 'msg_id' in reading.record && reading.record.msg_id === msgId
    ? reading
    : { ok: false, absent: false, problem: 'is not a record of this message' };
}

function list(path: string): string[] {
  try {
    return readdirSync(path).toSorted();
  } catch {
    return [];
  }
}

/** The `msg_id`s in a box, in the order of their file names. A digest does not tell its id: the record does. */
export function spoolIds(place: SpoolPlace, box: Box): string[] {
  const dir = boxDir(place, box);
  return list(dir)
    .filter(isSpoolFile)
    .flatMap((file) => {
      if (!digestNamePattern.test(file)) return [file.slice(0, -'.json'.length)];
      const reading = readRecord(join(dir, file), place.coms.uid);
      if (!reading.ok || !('msg_id' in reading.record)) return [];
      const { msg_id: msgId } = reading.record;
      return typeof msgId === 'string' && fileName(msgId) === file ? [msgId] : [];
    });
}

/** How many messages a box holds, without reading any. */
export function spoolCount(place: SpoolPlace, box: Box): number {
  return list(boxDir(place, box)).filter(isSpoolFile).length;
}

/** Removes responses that are older than 30 days. */
export function pruneResponses(place: SpoolPlace, now: number): void {
  for (const msgId of spoolIds(place, 'responses')) {
    const stats = statSync(spoolPath(place, 'responses', msgId), { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > responseAgeMsMax) removeSpool(place, 'responses', msgId);
  }
}

/** The spool that holds this message: the given place first, then every other name and project. */
export function findSpool(place: SpoolPlace, among: readonly Box[], msgId: string): SpoolPlace | null {
  const holds = (candidate: SpoolPlace): boolean =>
    among.some((box) => statSync(spoolPath(candidate, box, msgId), { throwIfNoEntry: false }) !== undefined);
  if (holds(place)) return place;
  const root = join(place.coms.root, 'cli', 'projects');
  for (const project of list(root)) {
    for (const name of list(join(root, project))) {
      const candidate = { coms: place.coms, project, name };
      if (holds(candidate)) return candidate;
    }
  }
  return null;
}
