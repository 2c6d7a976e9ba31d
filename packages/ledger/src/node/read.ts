/** Reading a ledger without a lock, beside a living writer. */
import { resolve } from 'node:path';
import { emptyHead, type Head, type LedgerRecord } from '../record.ts';
import { damaged, type Refused } from '../refusal.ts';
import { refusedBy, troubleOf } from './fault.ts';
import { forkedAt } from './file-refusals.ts';
import { openForReading, headAfter, scan, type Batch, type ScanOptions } from './scan.ts';

/**
 * What a reader gets. `record`: verified, with the end of the ledger after it. The last item is `end` (bytes after the
 * last newline are in flight, or torn if no writer lives: a reader cannot tell) or `refused`.
 */
export type ReadItem =
  | { readonly kind: 'record'; readonly record: LedgerRecord; readonly head: Head }
  | { readonly kind: 'end'; readonly head: Head; readonly inFlightBytes: number }
  | { readonly kind: 'refused'; readonly refused: Refused };

/** `after`: the head to go on from, as an earlier reading gave it (default: from the start). */
export type ReadOptions = ScanOptions & { readonly after?: Head };

/**
 * Gives every record after `after`, verified, in constant memory, and then one last item. Never takes a lock, never
 * sets anything aside, never rejects for what the disk does: see {@link ReadItem}. Implements 03 Ledger (readers).
 */
export async function* readLedger(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<ReadItem, void, undefined> {
  const passes = readBatches(file, options);
  try {
    let step = await passes.next();
    for (; step.done !== true; step = await passes.next()) {
      const { records, ends } = step.value;
      for (const [index, record] of records.entries()) {
        yield { kind: 'record', record, head: headAfter(record, ends[index] ?? 0) };
      }
    }
    yield step.value;
  } finally {
    await passes.return(unread); // closes the file when the reader left early
  }
}

type LastItem = Exclude<ReadItem, { readonly kind: 'record' }>;

const unread: LastItem = { kind: 'end', head: emptyHead, inFlightBytes: 0 };

/** Gives the records in the batches in which they were read, then how the reading ended. */
async function* readBatches(file: string, options: ReadOptions): AsyncGenerator<Batch, LastItem, undefined> {
  const handle = await openForReading(file);
  if ('status' in handle) return { kind: 'refused', refused: handle };
  const after = options.after ?? emptyHead;
  try {
    const { size } = await handle.stat();
    if (size < after.bytes) return { kind: 'refused', refused: forkedAt(after.bytes, size) };
    const { head, fault, inFlightBytes } = yield* scan(handle, after, options);
    if (fault === null) return { kind: 'end', head, inFlightBytes };
    return { kind: 'refused', refused: damaged(fault, head) };
  } catch (error) {
    return { kind: 'refused', refused: refusedBy(troubleOf(error, 'read', resolve(file))) };
  } finally {
    await handle.close();
  }
}

/** Every line verifies. `inFlightBytes` follow the last newline: in flight, or torn if no writer lives. */
export type Verified = { readonly status: 'whole'; readonly head: Head; readonly inFlightBytes: number };

/**
 * Verifies a ledger without a lock, as {@link readLedger} does, and hands each record to `onRecord`: the quickest way
 * through a long one. Never rejects but for what `onRecord` throws.
 */
export const verifyLedger = async (
  file: string,
  options: ReadOptions & { readonly onRecord?: (record: LedgerRecord) => void } = {},
): Promise<Verified | Refused> => {
  const { onRecord } = options;
  const passes = readBatches(file, options);
  try {
    let step = await passes.next();
    for (; step.done !== true; step = await passes.next()) {
      if (onRecord !== undefined) for (const record of step.value.records) onRecord(record);
    }
    const last = step.value;
    if (last.kind === 'refused') return last.refused;
    return { status: 'whole', head: last.head, inFlightBytes: last.inFlightBytes };
  } finally {
    await passes.return(unread); // closes the file when onRecord threw
  }
};
