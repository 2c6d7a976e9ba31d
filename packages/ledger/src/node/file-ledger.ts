/**
 * Appending to an open file: one write and one fdatasync a group, synchronously.
 *
 * L10 Before a commit the open file still has a name, and its size is the durable offset; else nothing is written.
 *     (A folder that was moved keeps its ledger: appends go where it is now.)
 * L11 A write or sync that fails is never repeated: the file is cut back to the durable offset and the ledger is closed.
 * Synchronous, because the thread pool costs a third of the rate and the owner may do nothing else meanwhile.
 */
import { fdatasyncSync, fstatSync, ftruncateSync, writeSync, type Stats } from 'node:fs';
import type { CheckFailed } from '../grant.ts';
import { encodeGroup, headMoved, type AppendLimits, type Appended, type Ledger } from '../ledger.ts';
import type { Entry, Head } from '../record.ts';
import { closedBecause, type Refused } from '../refusal.ts';
import { attempt, Interrupted, refusedBy } from './fault.ts';
import { forkedAt, replacedAt } from './file-refusals.ts';
import { nodeSha256 } from './hash.ts';
import type { LockLabel } from './lock-file.ts';

/** The system calls of an append: a seam for tests that let the n-th one fail. */
export type AppendCalls = {
  readonly stat: (fd: number) => Pick<Stats, 'size' | 'nlink'>;
  readonly write: (fd: number, bytes: Uint8Array, position: number) => number;
  readonly sync: (fd: number) => void;
  readonly truncate: (fd: number, length: number) => void;
};

export const systemCalls: AppendCalls = {
  stat: (fd) => fstatSync(fd),
  write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

/** An open, locked and verified file. `authorize`: asked before each append; null lets it through. */
export type OpenFile = AppendLimits & {
  readonly fd: number;
  readonly path: string;
  readonly head: Head;
  readonly authorize: (() => CheckFailed | null) | undefined;
  readonly calls: AppendCalls;
  readonly announce: AnnouncingLedger['announce'];
  /** Closes the descriptor and gives the lock back. */
  readonly giveBack: () => Promise<void>;
};

type Outcome<E extends Entry> = Appended<E> | Refused;

/** A ledger whose holder can say more about itself: `ledger.lock` and the refusals of others show it. */
export type AnnouncingLedger = Ledger & { readonly announce: (label: LockLabel) => void };

/** The ledger on an open file. */
export const fileLedger = (file: OpenFile): AnnouncingLedger => {
  let head = file.head;
  let closed: string | null = null;
  let given: Promise<void> | null = null;

  const close = (because: string): Promise<void> => {
    closed ??= because;
    return (given ??= file.giveBack());
  };
  const appendGroup = <E extends Entry>(expected: Head, entries: readonly E[]): Outcome<E> => {
    const group = encodeGroup(head, entries, { ...file, sha256: nodeSha256 });
    const last = entries.at(-1);
    if (group.status === 'refused') return group;
    if (last === undefined) return { status: 'appended', records: [], head };
    const forked = findFork(file, expected.bytes);
    if (forked !== null) {
      closed = forked.code;
      return forked;
    }
    const bytes = Buffer.from(group.text, 'utf8');
    const refused = commit(file, bytes, head.bytes);
    if (refused !== null) {
      closed = refused.code;
      return refused;
    }
    const seq = head.seq + group.records.length;
    head = { seq, digest: group.digest, bytes: head.bytes + bytes.length, timestamp: last.timestamp };
    return { status: 'appended', records: group.records, head };
  };

  return {
    get head() {
      return head;
    },
    durable: true,
    append: (expected, entries) => {
      if (closed !== null) return closedBecause(closed);
      const refused = headMoved(expected, head) ?? unauthorized(file);
      return refused ?? appendGroup(expected, entries);
    },
    announce: file.announce,
    close: () => close('its owner closed it'),
  };
};

const unauthorized = (file: OpenFile): Refused | null => {
  const refused = file.authorize?.() ?? null;
  if (refused === null) return null;
  const { check, reason } = refused;
  const message = `the check "${check}" refused the append: ${reason}; nothing was written`;
  return { status: 'refused', code: 'LEDGER_NOT_AUTHORIZED', message, retryable: false, check, reason };
};

/** L10. One fstat: it gives the size, and whether the open file still has a name. Half the price of a stat by path. */
const findFork = (file: OpenFile, expectedBytes: number): Refused | null => {
  try {
    const found = attempt('fstat', file.path, () => file.calls.stat(file.fd));
    if (found.nlink === 0) return replacedAt(file.path);
    return found.size === expectedBytes ? null : forkedAt(expectedBytes, found.size);
  } catch (error) {
    if (error instanceof Interrupted) return refusedBy(error.trouble);
    throw error;
  }
};

/** L11. Null: durable. */
const commit = (file: OpenFile, bytes: Uint8Array, offset: number): Refused | null => {
  const { calls, fd, path } = file;
  try {
    attempt('write', path, () => {
      let written = 0;
      // A short write is no failure; the next one says what is wrong, or goes on.
      while (written < bytes.length) {
        const step = calls.write(fd, bytes.subarray(written), offset + written);
        if (step <= 0) throw Object.assign(new Error('nothing was written'), { code: 'EIO' });
        written += step;
      }
    });
    attempt('fdatasync', path, () => calls.sync(fd));
    return null;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    try {
      attempt('ftruncate', path, () => calls.truncate(fd, offset));
    } catch (second) {
      // The first trouble is the one to tell; what stands after the durable offset, the next opening judges.
      if (!(second instanceof Interrupted)) throw second;
    }
    return refusedBy(error.trouble);
  }
};
