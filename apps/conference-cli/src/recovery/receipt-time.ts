/** `--at TIME`: the time that a recovery receipt is made for (01 Recovery). */
import * as z from 'zod';
import { usage, type Failure } from '../output.ts';

export type ReceiptTime =
  /** Undefined: not given; the receipt is then made for the time of the ledger's last event. */
  { readonly ok: true; readonly at: number | undefined } | { readonly ok: false; readonly failure: Failure };

/** With its zone: the same text is the same receipt on every machine. */
const ISO_TIME = z.iso.datetime({ offset: true });

export function receiptTime(text: string | undefined): ReceiptTime {
  if (text === undefined) return { ok: true, at: undefined };
  if (ISO_TIME.safeParse(text).success) return { ok: true, at: Date.parse(text) };
  const message = `--at ${text} is no time; accepted is ISO 8601 with its zone, such as 2026-11-30T12:00:00Z`;
  return { ok: false, failure: usage('AT_INVALID', message) };
}
