/**
 * A record as bytes, laid out so that its last part can be overwritten where it lies. Striking off what was done, or
 * noting that a question was put, then costs no new file, no sync and no folder entry.
 *
 * R1 Only bytes within one sector of the file are overwritten, in one write: a kill, a power cut and a reader see the old
 *    part or the new one. What does not fit is for a new file.
 * R2 Spaces fill up what is shorter: the file is JSON with a line feed at its end, always.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { isOpen, recordParts, type QuestionRecord } from '@x/bridge';

/** No disk writes less than this at once, or half of it. */
export const sectorBytes = 512;

const space = 0x20;
const newline = 0x0a;

const sectorOf = (at: number): number => Math.floor(at / sectorBytes);

const isWithinSector = (from: number, to: number): boolean => sectorOf(from) === sectorOf(to - 1);

/** What the last part of an open question may come to take: its delivery is noted there, with a log line and messages. */
const openTailBytes = 320;

/**
 * The bytes of a whole file, at least `bytesMin` of them: so the end of what it held before goes. The last part begins
 * with a sector where it would otherwise lie in two.
 */
export const layRecord = (record: QuestionRecord, bytesMin = 0): Buffer => {
  const { front, tail } = recordParts(record);
  const frontBytes = Buffer.byteLength(front);
  const tailBytes = Buffer.byteLength(tail);
  const room = isOpen(record.state) ? Math.max(tailBytes, openTailBytes) : tailBytes;
  const isApart = room <= sectorBytes && !isWithinSector(frontBytes, frontBytes + room);
  const gap = isApart ? sectorBytes - (frontBytes % sectorBytes) : 0;
  const lacking = Math.max(room - tailBytes, bytesMin - (frontBytes + gap + tailBytes));
  return Buffer.from(`${front}${' '.repeat(gap)}${tail.slice(0, -1)}${' '.repeat(lacking)}\n`);
};

/** The new last part for the file that has `bytes`, or null where another front or too little room needs a new file. */
const amendment = (bytes: Buffer, record: QuestionRecord): { at: number; tail: Buffer } | null => {
  const { front, tail } = recordParts(record);
  const expected = Buffer.from(front);
  if (!bytes.subarray(0, expected.length).equals(expected)) return null;
  let at = expected.length;
  while (bytes[at] === space) at += 1;
  const filled = Buffer.alloc(bytes.length - at, space);
  const wanted = Buffer.from(tail);
  if (wanted.length > filled.length || !isWithinSector(at, bytes.length)) return null;
  wanted.copy(filled, 0, 0, wanted.length - 1);
  filled[filled.length - 1] = newline;
  return { at, tail: filled };
};

/** Records are a few KiB; a larger one is written anew. */
const amendedBytesMax = 65_536;

/**
 * Overwrites the last part of the file at `path` with that of `record`. False: nothing was changed, and it needs a new
 * file, also where somebody has taken this one away. Throws the system's error, and then nothing was changed either.
 */
export const amendRecord = (path: string, record: QuestionRecord): boolean => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(fd);
    if (size === 0 || size > amendedBytesMax) return false;
    const bytes = Buffer.allocUnsafe(size);
    if (readSync(fd, bytes, 0, size, 0) !== size) return false;
    const made = amendment(bytes, record);
    return made !== null && writeSync(fd, made.tail, 0, made.tail.length, made.at) === made.tail.length;
  } finally {
    closeSync(fd);
  }
};
