/** The port of a ledger that can be appended to: files and memory both fit. Boundary: types and the encoding of a group. */
import { type Digest, type Sha256Hex } from './digest.ts';
import { encodeLine } from './line.ts';
import { asRecorded, sameHead, type Entry, type Head, type Recorded } from './record.ts';
import type { Refused } from './refusal.ts';

/** Every entry stands in the ledger, in order; `head` is its new end. Durable where the ledger is. */
export type Appended<E extends Entry = Entry> = {
  readonly status: 'appended';
  readonly records: readonly Recorded<E>[];
  readonly head: Head;
};

/**
 * A ledger open for appending.
 *
 * L7 An append states the head it expects: a compare-and-set. L8 A group is written and synced once, whole or refused.
 * L9 After a failed write or sync the ledger is closed and nothing in memory has moved; a sync is never repeated.
 */
export type Ledger = {
  /** The end of the ledger, as far as it is durable. */
  readonly head: Head;
  /** Whether an append survives the process and the machine: false for memory. */
  readonly durable: boolean;
  /**
   * Appends a group: encoded, written and synced synchronously, in one go. Never throws for a failing disk.
   * An empty group touches nothing and gives the present head.
   */
  readonly append: <E extends Entry>(expected: Head, entries: readonly E[]) => Appended<E> | Refused;
  /** Gives the lock back. Twice is once. Later appends are refused with `LEDGER_CLOSED`. */
  readonly close: () => Promise<void>;
};

/** Bounds of one append. */
export type AppendLimits = {
  /** Longest line in bytes, newline included. */
  readonly lineBytesMax: number;
  /** Longest group in bytes. */
  readonly groupBytesMax: number;
};

/** Largest group in bytes, unless another limit is given. */
export const groupBytesMaxDefault = 64 * 1024 * 1024;

/** A group ready to be written. */
export type EncodedGroup<E extends Entry> = {
  readonly status: 'encoded';
  readonly text: string;
  readonly records: readonly Recorded<E>[];
  readonly digest: Digest;
};

/** Refuses an append that expects another head. Not exported by the package. */
export const headMoved = (expected: Head, head: Head): Refused | null =>
  sameHead(expected, head)
    ? null
    : {
        status: 'refused',
        code: 'LEDGER_HEAD_MOVED',
        message: `the append expected the ledger to end at seq ${expected.seq} (${expected.digest}), but it ends at seq ${head.seq} (${head.digest}); nothing was written: fold what is new and decide again`,
        retryable: false,
        expected,
        head,
      };

/** Makes the lines of a group that follows `head`. Not exported by the package. */
export const encodeGroup = <E extends Entry>(
  head: Head,
  entries: readonly E[],
  options: AppendLimits & { readonly sha256: Sha256Hex },
): EncodedGroup<E> | Refused => {
  let { seq, digest: prev } = head;
  let text = '';
  const records: Recorded<E>[] = [];
  let index = -1;
  for (const entry of entries) {
    index += 1;
    const { event, payload, timestamp } = entry;
    seq += 1;
    const line = encodeLine({ event, payload, timestamp, seq, prev }, options.sha256);
    if (line.status === 'not_encodable') {
      const { path, found, accepted } = line;
      const message = `entry ${index}, ${path}: found ${found}, accepted: ${accepted}; nothing was written`;
      return {
        status: 'refused',
        code: 'LEDGER_ENTRY_INVALID',
        message,
        retryable: false,
        index,
        path,
        found,
        accepted,
      };
    }
    if (!fits(line.text, options.lineBytesMax))
      return tooLarge('lineBytesMax', options.lineBytesMax, utf8Length(line.text));
    text += line.text;
    if (text.length > options.groupBytesMax)
      return tooLarge('groupBytesMax', options.groupBytesMax, text.length);
    records.push(asRecorded(entry, { seq, prev, digest: line.digest }));
    prev = line.digest;
  }
  return { status: 'encoded', text, records, digest: prev };
};

/** A UTF-16 unit is at most three bytes of UTF-8, so counting is only needed near the limit. */
const fits = (text: string, bytesMax: number): boolean =>
  text.length * 3 <= bytesMax || utf8Length(text) <= bytesMax;

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. Not exported by the package. */
export const utf8Length = (text: string): number => encoder.encode(text).length;

const tooLarge = (limit: keyof AppendLimits, limitValue: number, found: number): Refused => ({
  status: 'refused',
  code: 'LEDGER_TOO_LARGE',
  message: `${limit}: found ${found} bytes, accepted: at most ${limitValue}; nothing was written`,
  retryable: false,
  limit,
  limitValue,
  found,
});
