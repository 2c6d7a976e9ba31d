/**
 * Reading and verifying a whole file under the lock, and mending what may be mended (L14–L16 in open.ts).
 * Boundary: the descriptor of a locked file in, its head out; nothing is opened, closed or locked here.
 */
import { fdatasyncSync, readSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createChainVerifier, type Tail } from '../chain.ts';
import type { AppendLimits } from '../ledger.ts';
import type { LineFault } from '../line-fault.ts';
import { recordAsRecorded, type Head, type LedgerRecord, type Recorded } from '../record.ts';
import { damaged, type Refused } from '../refusal.ts';
import { isFault, verifyLine } from '../verify-line.ts';
import { attempt } from './fault.ts';
import { forkedAt, tooNewAt } from './file-refusals.ts';
import { nodeSha256 } from './hash.ts';
import { setAside } from './set-aside.ts';

/** What the caller has to say about what is read. */
export type MendOptions = {
  /** Judges each verified record before anything is mended: a text refuses the opening with `LEDGER_TOO_NEW`. Default: all are accepted. */
  readonly accept?: (record: LedgerRecord) => string | null;
  /** Takes each record in order: what a state is folded from. */
  readonly onRecord?: (record: Recorded) => void;
  /** Decision of a person: if line `line` is the one that does not verify, it and all after it are set aside. */
  readonly keepVerifiedPrefix?: { readonly line: number };
};

/** Bytes that were set aside. `path`: the file that holds them now; `offset`: where they stood. */
export type SetAside = {
  readonly reason: 'torn_tail' | 'keep_verified_prefix';
  readonly path: string;
  readonly seq: number;
  readonly offset: number;
  readonly bytes: number;
  /** The damaged line, for `keep_verified_prefix`. */
  readonly fault: LineFault | null;
};

/** An open file, `size` bytes long. */
export type Source = { readonly fd: number; readonly path: string; readonly size: number };
/** A file that verifies from its first byte to its last. `completed`: the last record lacked its newline and got it. */
export type Mended = {
  readonly status: 'mended';
  readonly head: Head;
  readonly setAside: SetAside | null;
  readonly completed: boolean;
};

const chunkBytes = 256 * 1024;

/** Reads and verifies all of the file, then mends what may be mended. Throws Interrupted. */
export const verifyAndMend = async (
  source: Source,
  options: MendOptions & Pick<AppendLimits, 'lineBytesMax'>,
): Promise<Mended | Refused> => {
  const { fd, path, size } = source;
  attempt('fdatasync', path, () => fdatasyncSync(fd)); // L16
  const { lineBytesMax } = options;
  const verifier = createChainVerifier({ sha256: nodeSha256, lineBytesMax });
  const refusals: Refused[] = [];
  const take = (record: LedgerRecord): void => {
    if (refusals.length > 0) return;
    const tooNew = judge(record, options);
    if (tooNew === null) options.onRecord?.(recordAsRecorded(record));
    else refusals.push(tooNew);
  };
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let fault: LineFault | null = null;
  for (let at = 0; at < size && fault === null && refusals.length === 0;) {
    const position = at;
    const wanted = Math.min(chunkBytes, size - at);
    const bytesRead = attempt('read', path, () => readSync(fd, chunk, 0, wanted, position));
    if (bytesRead === 0) return forkedAt(size, at);
    fault = verifier.feed(chunk.subarray(0, bytesRead), take);
    at += bytesRead;
    await nextTurn();
  }
  const [refused] = refusals;
  if (refused !== undefined) return refused;
  const { head } = verifier;
  if (fault !== null) return keepPrefix(source, { head, fault, keep: options.keepVerifiedPrefix });
  const tail = verifier.tail();
  if (tail.length === 0) return { status: 'mended', head, setAside: null, completed: false };
  return mendTail(source, { head, tail, options });
};

const judge = (record: LedgerRecord, options: MendOptions): Refused | null => {
  const reason = options.accept?.(record) ?? null;
  return reason === null ? null : tooNewAt(record.seq, reason);
};

const keepPrefix = (
  { fd, path, size }: Source,
  found: { readonly head: Head; readonly fault: LineFault; readonly keep: MendOptions['keepVerifiedPrefix'] },
): Mended | Refused => {
  const { head, fault, keep } = found;
  if (keep?.line !== fault.line) return damaged(fault, head);
  const offset = head.bytes;
  const seq = head.seq + 1;
  const copy = setAside({ fd, path, offset, end: size }, seq);
  const aside = {
    reason: 'keep_verified_prefix',
    path: copy,
    seq,
    offset,
    bytes: size - offset,
    fault,
  } as const;
  return { status: 'mended', head, setAside: aside, completed: false };
};

/** L15 */
const mendTail = (
  { fd, path, size }: Source,
  found: { readonly head: Head; readonly tail: Tail; readonly options: MendOptions },
): Mended | Refused => {
  const { tail, options } = found;
  let { head } = found;
  const end = (tail.bytes?.lastIndexOf(0x7d) ?? -1) + 1;
  const expected = { seq: head.seq + 1, prev: head.digest, offset: head.bytes };
  const line =
    tail.bytes === null || end === 0
      ? null
      : verifyLine(tail.bytes.subarray(0, end), expected, { sha256: nodeSha256 });
  const whole = line === null || isFault(line) ? null : line;
  const tooNew = whole === null ? null : judge(whole, options);
  if (tooNew !== null) return tooNew;
  const offset = head.bytes + (whole === null ? 0 : end);
  const seq = head.seq + (whole === null ? 1 : 2);
  let aside: SetAside | null = null;
  if (offset < size) {
    const copy = setAside({ fd, path, offset, end: size }, seq);
    aside = { reason: 'torn_tail', path: copy, seq, offset, bytes: size - offset, fault: null };
  }
  if (whole !== null) {
    attempt('write', path, () => writeSync(fd, '\n', offset));
    attempt('fdatasync', path, () => fdatasyncSync(fd));
    head = { seq: whole.seq, digest: whole.digest, bytes: offset + 1, timestamp: whole.timestamp };
    options.onRecord?.(recordAsRecorded(whole));
  }
  return { status: 'mended', head, setAside: aside, completed: whole !== null };
};
