/**
 * A last record that only lacks its newline: the next writer keeps it, so whoever asks what a writer would find counts it
 * (03 Ledger). Reads only; while a writer lives such bytes are in flight and mean nothing.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { asDigest, isFault, lineBytesMaxDefault, verifyLine, type LedgerRecord } from '@x/ledger';
import { nodeSha256 } from '@x/ledger/node';

export interface WholeTail {
  readonly record: LedgerRecord;
  /** Bytes of the record; what follows is torn. */
  readonly bytes: number;
}

/** Null: the bytes after the last newline hold no whole record. */
export function wholeTail(
  file: string,
  head: { readonly seq: number; readonly digest: string; readonly bytes: number },
  tailBytes: number,
): WholeTail | null {
  if (tailBytes === 0 || tailBytes > lineBytesMaxDefault) return null;
  const tail = Buffer.alloc(tailBytes);
  const fd = openSync(file, 'r');
  try {
    if (readSync(fd, tail, 0, tailBytes, head.bytes) !== tailBytes) return null;
  } finally {
    closeSync(fd);
  }
  const bytes = tail.lastIndexOf(0x7d) + 1;
  if (bytes === 0) return null;
  const expected = { seq: head.seq + 1, prev: asDigest(head.digest), offset: head.bytes };
  const record = verifyLine(tail.subarray(0, bytes), expected, { sha256: nodeSha256 });
  return isFault(record) ? null : { record, bytes };
}
