/** Reading a ledger without a lock, beside a living writer. */
import { resolve } from 'node:path';
import { emptyHead, type Head, type LedgerRecord } from '../record.ts';
import { damaged, type Refused } from '../refusal.ts';
import { Interrupted, refusedBy, troubleOf } from './fault.ts';
import { forkedAt } from './file-ledger.ts';
import { openForReading, scan, type ScanOptions } from './scan.ts';

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
  const handle = await openForReading(file);
  if ('status' in handle) {
    yield { kind: 'refused', refused: handle };
    return;
  }
  const after = options.after ?? emptyHead;
  try {
    const { size } = await handle.stat();
    if (size < after.bytes) {
      yield { kind: 'refused', refused: forkedAt(after.bytes, size) };
      return;
    }
    const passes = scan(handle, after, options);
    let step = await passes.next();
    for (; step.done !== true; step = await passes.next()) {
      for (const { record, head } of step.value) yield { kind: 'record', record, head };
    }
    const { head, fault, inFlightBytes } = step.value;
    if (fault === null) yield { kind: 'end', head, inFlightBytes };
    else yield { kind: 'refused', refused: damaged(fault, head) };
  } catch (error) {
    if (error instanceof Interrupted) yield { kind: 'refused', refused: refusedBy(error.trouble) };
    else yield { kind: 'refused', refused: refusedBy(troubleOf(error, 'read', resolve(file))) };
  } finally {
    await handle.close();
  }
}
