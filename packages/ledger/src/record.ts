/** What a ledger is made of: entries before, records after they were written. Boundary: types, and the one maker of the brand. */
import { zeroDigest, type Digest } from './digest.ts';

/**
 * What a caller appends. `event`: 1 to 128 characters. `payload`: a plain object of JSON values.
 * `timestamp`: `YYYY-MM-DDTHH:MM:SS.sssZ`, given by the caller: the ledger has no clock.
 */
export type Entry = { readonly event: string; readonly payload: object; readonly timestamp: string };

/** A line as it was read and verified. */
export type LedgerRecord = {
  readonly seq: number;
  readonly prev: Digest;
  readonly digest: Digest;
  readonly event: string;
  readonly payload: { readonly [key: string]: unknown };
  readonly timestamp: string;
};

/** Where a ledger ends: last `seq` (0: empty), its digest, length in bytes, last timestamp (null: empty). */
export type Head = {
  readonly seq: number;
  readonly digest: Digest;
  readonly bytes: number;
  readonly timestamp: string | null;
};

/** The head of a ledger without lines. */
export const emptyHead: Head = { seq: 0, digest: zeroDigest, bytes: 0, timestamp: null };

/** Whether two heads name the same end of the same ledger. */
export const sameHead = (a: Head, b: Head): boolean =>
  a.seq === b.seq && a.digest === b.digest && a.bytes === b.bytes;

declare const recordedBrand: unique symbol;

/**
 * An entry that stands in the ledger. Only a successful append, or the verified reading of a writer that opened,
 * makes one; so a function that announces an effect and asks for a `Recorded` cannot be called before the append.
 * A union of entries gives the union of their records.
 */
export type Recorded<E extends Entry = Entry> = E extends Entry
  ? {
      readonly event: E['event'];
      readonly payload: E['payload'];
      readonly timestamp: string;
      readonly seq: number;
      readonly prev: Digest;
      readonly digest: Digest;
      readonly [recordedBrand]: true;
    }
  : never;

/** The only maker of the brand; not exported by the package. Member by member: a spread costs more than the hash. */
export const asRecorded = <E extends Entry>(
  entry: E,
  receipt: { readonly seq: number; readonly prev: Digest; readonly digest: Digest },
): Recorded<E> => {
  const { event, payload, timestamp } = entry;
  const { seq, prev, digest } = receipt;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the maker of the brand
  return { event, payload, timestamp, seq, prev, digest } as unknown as Recorded<E>;
};

/** A verified line of a writer that holds the lock and has synced the file. Not exported by the package. */
export const recordAsRecorded = (record: LedgerRecord): Recorded =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- verified and durable, which is the brand
  record as LedgerRecord & Recorded;
