/**
 * Opening a ledger for writing: lock, verify everything, mend the tail, and only then append.
 *
 * L14 A complete line that does not verify is never touched: the opening is refused and names it. Only the decision
 *     `keepVerifiedPrefix` of a person who was shown that line sets it and everything after it aside.
 * L15 Bytes after the last newline: a whole record that only lacks its newline is kept, the rest is set aside and reported.
 * L16 The file is synced before it is read: what the opening reads is durable, so its records are `Recorded`.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createChainVerifier, type Tail } from '../chain.ts';
import type { CheckFailed } from '../grant.ts';
import { groupBytesMaxDefault, type AppendLimits } from '../ledger.ts';
import type { LineFault } from '../line-fault.ts';
import { lineBytesMaxDefault } from '../line.ts';
import { isFault, verifyLine } from '../verify-line.ts';
import { recordAsRecorded, type Head, type LedgerRecord, type Recorded } from '../record.ts';
import { damaged, type Refused } from '../refusal.ts';
import { attempt, errnoOf, Interrupted, refusedBy, troubleOf } from './fault.ts';
import { fileLedger, forkedAt, systemCalls, type AnnouncingLedger, type AppendCalls } from './file-ledger.ts';
import { nodeSha256 } from './hash.ts';
import { lockFolder, type FolderLock, type LockOptions } from './lock.ts';
import { setAside } from './set-aside.ts';
import { makeFolder, syncFolder } from './sync-folder.ts';

/** How a ledger is opened. Everything has a default. */
export type OpenOptions = LockOptions &
  Partial<AppendLimits> & {
    /** Default `if_missing`: folder (0700) and file (0600) are made. `never`: `LEDGER_MISSING`. `must_be_new`: `LEDGER_EXISTS`. */
    readonly create?: 'if_missing' | 'never' | 'must_be_new';
    /** Judges each verified record before anything is mended: a text refuses the opening with `LEDGER_TOO_NEW`. Default: all are accepted. */
    readonly accept?: (record: LedgerRecord) => string | null;
    /** Takes each record in order: what a state is folded from. */
    readonly onRecord?: (record: Recorded) => void;
    /** Decision of a person: if line `line` is the one that does not verify, it and all after it are set aside. */
    readonly keepVerifiedPrefix?: { readonly line: number };
    /** Asked before each append, as before each other write; null lets it through. Default: none asked. */
    readonly authorize?: () => CheckFailed | null;
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

/** A ledger open for appending. `completed`: the last record lacked its newline and got it. */
export type Opened = {
  readonly status: 'opened';
  readonly ledger: AnnouncingLedger;
  readonly head: Head;
  readonly setAside: SetAside | null;
  readonly completed: boolean;
};

/**
 * Opens a ledger for appending; creates it unless told otherwise. Verifies every line, streaming, in constant memory.
 * Refuses with a value of {@link Refused} and then has changed nothing (but a torn tail that it had set aside already).
 * Rejects only for a wrong option and for what `accept` and `onRecord` throw; lock and file are given back then too.
 * Implements 03 Ledger, 01 Recovery (last two rows).
 */
export const openLedger = (file: string, options: OpenOptions = {}): Promise<Opened | Refused> =>
  openWith(file, options, systemCalls);

/** As {@link openLedger}, with the system calls of an append as a seam. Not exported by the package. */
export const openWith = async (
  file: string,
  options: OpenOptions,
  calls: AppendCalls,
): Promise<Opened | Refused> => {
  const path = resolve(file);
  let lock: FolderLock | null = null;
  let fd: number | null = null;
  const giveBack = async (): Promise<void> => {
    if (fd !== null) closeSync(fd);
    await lock?.release();
  };
  let opened: Opened | null = null;
  try {
    if (options.create !== 'never') attempt('mkdir', dirname(path), () => makeFolder(dirname(path)));
    const locked = await lockFolder(dirname(path), options);
    if (locked.status === 'refused') return options.create === 'never' ? asMissing(locked, path) : locked;
    lock = locked;
    const entry = openFile(path, options.create ?? 'if_missing');
    if (entry.status === 'refused') return entry;
    ({ fd } = entry);
    const mended = await verifyAndMend({ fd, path, size: entry.stats.size }, options);
    if (mended.status === 'refused') return mended;
    const { head } = mended;
    const limits = limitsOf(options);
    const { authorize } = options;
    const { announce } = lock;
    const ledger = fileLedger({
      fd,
      path,
      head,
      authorize,
      calls,
      announce,
      giveBack,
      ...limits,
    });
    opened = { ...mended, status: 'opened', ledger };
    return opened;
  } catch (error) {
    if (error instanceof Interrupted) return refusedBy(error.trouble);
    throw error;
  } finally {
    if (opened === null) await giveBack();
  }
};

/** The complete set of limits. */
const limitsOf = (options: OpenOptions): AppendLimits => ({
  lineBytesMax: options.lineBytesMax ?? lineBytesMaxDefault,
  groupBytesMax: options.groupBytesMax ?? groupBytesMaxDefault,
});

const asMissing = (refused: Refused, path: string): Refused =>
  refused.code === 'LEDGER_VANISHED' ? missing(path) : refused;

/** The refusal of a ledger that is not there. */
export const missing = (path: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_MISSING',
  message: `there is no ledger at ${path}`,
  retryable: false,
  path,
});

type Entry = { readonly status: 'entry'; readonly fd: number; readonly stats: Stats };

const openFile = (path: string, create: NonNullable<OpenOptions['create']>): Entry | Refused => {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ELOOP') return notAFile(path, 'a symbolic link');
    if (errno === 'EISDIR') return notAFile(path, 'a folder');
    if (errno === 'ENXIO') return notAFile(path, 'a socket or device');
    if (errno !== 'ENOENT') return refusedBy(troubleOf(error, 'open', path));
    return create === 'never' ? missing(path) : createFile(path, flags);
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && create !== 'must_be_new') return { status: 'entry', fd, stats };
  closeSync(fd);
  if (!stats.isFile()) return notAFile(path, 'a pipe or device');
  const message = `a ledger stands at ${path} already; it was left as it is`;
  return { status: 'refused', code: 'LEDGER_EXISTS', message, retryable: false, path };
};

const createFile = (path: string, flags: number): Entry => {
  const fd = attempt('open', path, () => openSync(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600));
  try {
    attempt('fchmod', path, () => fchmodSync(fd, 0o600)); // whatever the umask took
    attempt('fsync', dirname(path), () => syncFolder(dirname(path)));
    return { status: 'entry', fd, stats: fstatSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

/** The refusal of something at the path that is no regular file. */
export const notAFile = (path: string, found: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_NOT_A_FILE',
  message: `${path} is ${found}; accepted: a regular file. It was left as it is`,
  retryable: false,
  path,
  found,
});

type Source = { readonly fd: number; readonly path: string; readonly size: number };
type Mended = Omit<Opened, 'status' | 'ledger'> & { readonly status: 'mended' };

const chunkBytes = 256 * 1024;

/** Reads and verifies all of the file, then mends what may be mended. Throws Interrupted. */
const verifyAndMend = async (source: Source, options: OpenOptions): Promise<Mended | Refused> => {
  const { fd, path, size } = source;
  attempt('fdatasync', path, () => fdatasyncSync(fd)); // L16
  const { lineBytesMax } = limitsOf(options);
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

const judge = (record: LedgerRecord, options: OpenOptions): Refused | null => {
  const reason = options.accept?.(record) ?? null;
  return reason === null ? null : tooNewAt(record.seq, reason);
};

/** The refusal of a record that the caller does not know. */
export const tooNewAt = (line: number, reason: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_TOO_NEW',
  message: `line ${line}: ${reason}; nothing was changed: use a newer version`,
  retryable: false,
  line,
  reason,
});

const keepPrefix = (
  { fd, path, size }: Source,
  found: { readonly head: Head; readonly fault: LineFault; readonly keep: OpenOptions['keepVerifiedPrefix'] },
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
  found: { readonly head: Head; readonly tail: Tail; readonly options: OpenOptions },
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
