/** Reading verified records from a file that somebody may be writing to. No lock; nothing is set aside. */
import { constants, fstatSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createChainVerifier } from '../chain.ts';
import type { LineFault } from '../line-fault.ts';
import type { Head, LedgerRecord } from '../record.ts';
import type { Refused } from '../refusal.ts';
import { errnoOf, refusedBy, troubleOf } from './fault.ts';
import { nodeSha256 } from './hash.ts';
import { missing, notAFile } from './file-refusals.ts';

/** What a pass over the file found after its last record. */
export type ScanEnd = {
  readonly head: Head;
  readonly fault: LineFault | null;
  readonly inFlightBytes: number;
};

/** `lineBytesMax`: bytes; `canonical`: renders each payload again and compares. */
export type ScanOptions = { readonly lineBytesMax?: number; readonly canonical?: boolean };

/** Records that were read together, and where each of them ends, in bytes from the start of the ledger. */
export type Batch = { readonly records: readonly LedgerRecord[]; readonly ends: readonly number[] };

/** The end of a ledger whose last record this is. */
export const headAfter = ({ seq, digest, timestamp }: LedgerRecord, bytes: number): Head => ({
  seq,
  digest,
  bytes,
  timestamp,
});

const chunkBytes = 256 * 1024;
const attemptsMax = 3;
const attemptPauseMs = 20;

/** Opens a file for reading only; never waits on a pipe, never follows a link. */
export const openForReading = async (file: string): Promise<FileHandle | Refused> => {
  const path = resolve(file);
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(handle.fd).isFile()) return handle;
    await handle.close();
    return notAFile(path, 'no regular file');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return missing(path);
    if (errnoOf(error) === 'ELOOP') return notAFile(path, 'a symbolic link');
    return refusedBy(troubleOf(error, 'open', path));
  }
};

/**
 * Gives the records after `from`, then how the pass ended. A line that does not verify is read again a few times:
 * a writer that cut its tail back and wrote anew between two reads looks like damage, once.
 */
export async function* scan(
  handle: FileHandle,
  from: Head,
  options: ScanOptions,
): AsyncGenerator<Batch, ScanEnd, undefined> {
  let head = from;
  let end: ScanEnd = { head, fault: null, inFlightBytes: 0 };
  for (let attempts = 1; attempts <= attemptsMax; attempts++) {
    end = yield* scanOnce(handle, head, options);
    if (end.fault === null) return end;
    if (end.head.seq > head.seq) attempts = 0;
    ({ head } = end);
    if (attempts < attemptsMax) await sleep(attemptPauseMs);
  }
  return end;
}

async function* scanOnce(
  handle: FileHandle,
  from: Head,
  options: ScanOptions,
): AsyncGenerator<Batch, ScanEnd, undefined> {
  const verifier = createChainVerifier({ ...options, sha256: nodeSha256, from });
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = from.bytes; ;) {
    // Read synchronously, a chunk at a time: handing 256 KiB to the thread pool and back costs more than reading them.
    const bytesRead = readSync(handle.fd, chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return { head: verifier.head, fault: null, inFlightBytes: verifier.tail().length };
    const records: LedgerRecord[] = [];
    const ends: number[] = [];
    const fault = verifier.feed(chunk.subarray(0, bytesRead), (record, end) => {
      records.push(record);
      ends.push(end);
    });
    if (records.length > 0) yield { records, ends };
    if (fault !== null) return { head: verifier.head, fault, inFlightBytes: 0 };
    at += bytesRead;
    await nextTurn();
  }
}
