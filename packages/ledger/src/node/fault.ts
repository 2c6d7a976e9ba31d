/** What the system says when a call on a file fails, as a typed refusal. Boundary: errno in, value out. */
import type { Refused } from '../refusal.ts';

/** Kinds of trouble with a file system, independent of who met it. */
export type TroubleKind = 'DISK_FULL' | 'READ_ONLY' | 'VANISHED' | 'IO';

/** One failed call: `errno` as the system names it (`ENOSPC`), `operation` and `path` say where. */
export type Trouble = {
  readonly kind: TroubleKind;
  readonly errno: string;
  readonly operation: string;
  readonly path: string;
  readonly message: string;
};

const kinds: Readonly<Record<string, TroubleKind>> = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  EFBIG: 'DISK_FULL',
  EROFS: 'READ_ONLY',
  EACCES: 'READ_ONLY',
  EPERM: 'READ_ONLY',
  ENOENT: 'VANISHED',
  ENOTDIR: 'VANISHED',
  ESTALE: 'VANISHED',
};

const remedies: Record<TroubleKind, string> = {
  DISK_FULL: 'free some space, then open again',
  READ_ONLY: 'make the folder writable for this user, then open again',
  VANISHED: 'the file or its folder is gone or was replaced: bring it back, then open again',
  IO: 'look at the disk, then open again',
};

/** The errno of a failed call; `UNKNOWN` when it has none. */
export const errnoOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'UNKNOWN';
  return typeof error.code === 'string' ? error.code : 'UNKNOWN';
};

/** Describes a failed call. An error without an errno is a bug of ours and is thrown on. */
export const troubleOf = (error: unknown, operation: string, path: string): Trouble => {
  const errno = errnoOf(error);
  if (errno === 'UNKNOWN' || errno.startsWith('ERR_')) throw error;
  const kind = kinds[errno] ?? 'IO';
  return {
    kind,
    errno,
    operation,
    path,
    message: `${operation} failed with ${errno} at ${path}: ${remedies[kind]}`,
  };
};

/** Trouble as the refusal of a ledger. Retryable: opening again is worth a try, this ledger object is not. */
export const refusedBy = (trouble: Trouble): Refused => {
  const { kind, errno, operation, path, message } = trouble;
  return { status: 'refused', code: `LEDGER_${kind}`, message, retryable: false, errno, operation, path };
};

/** A call that failed in the middle of an operation that ends in one typed refusal. */
export class Interrupted extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

/** Runs one system call; a failure becomes {@link Interrupted}, which the public function turns into a value. */
export const attempt = <Result>(operation: string, path: string, call: () => Result): Result => {
  try {
    return call();
  } catch (error) {
    throw new Interrupted(troubleOf(error, operation, path));
  }
};

/** Throws what was caught, inside {@link attempt}. */
export const rethrow = (error: unknown): never => {
  throw error;
};
