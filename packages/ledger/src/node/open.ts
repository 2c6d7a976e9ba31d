/**
 * Opening a ledger for writing: lock, verify everything, mend the tail, and only then append.
 *
 * L14 A complete line that does not verify is never touched: the opening is refused and names it. Only the decision
 *     `keepVerifiedPrefix` of a person who was shown that line sets it and everything after it aside.
 * L15 Bytes after the last newline: a whole record that only lacks its newline is kept, the rest is set aside and reported.
 * L16 The file is synced before it is read: what the opening reads is durable, so its records are `Recorded`.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CheckFailed } from '../grant.ts';
import { groupBytesMaxDefault, type AppendLimits } from '../ledger.ts';
import { lineBytesMaxDefault } from '../line.ts';
import type { Head } from '../record.ts';
import type { Refused } from '../refusal.ts';
import { attempt, errnoOf, Interrupted, refusedBy, troubleOf } from './fault.ts';
import { fileLedger, systemCalls, type AnnouncingLedger, type AppendCalls } from './file-ledger.ts';
import { missing, notAFile } from './file-refusals.ts';
import { lockFolder, type FolderLock, type LockOptions } from './lock.ts';
import { verifyAndMend, type MendOptions, type SetAside } from './mend.ts';
import { makeFolder, syncFolder } from './sync-folder.ts';

/** How a ledger is opened. Everything has a default. */
export type OpenOptions = LockOptions &
  Partial<AppendLimits> &
  MendOptions & {
    /** Default `if_missing`: folder (0700) and file (0600) are made. `never`: `LEDGER_MISSING`. `must_be_new`: `LEDGER_EXISTS`. */
    readonly create?: 'if_missing' | 'never' | 'must_be_new';
    /** Asked before each append, as before each other write; null lets it through. Default: none asked. */
    readonly authorize?: () => CheckFailed | null;
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
    const limits = limitsOf(options);
    const mended = await verifyAndMend({ fd, path, size: entry.stats.size }, { ...options, ...limits });
    if (mended.status === 'refused') return mended;
    const { head } = mended;
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
