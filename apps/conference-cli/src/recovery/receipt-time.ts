/** `--at TIME`: the time that a recovery receipt is made for (01 Recovery). */
import { usage, type Failure } from '../output.ts';

export type ReceiptTime =
  /** Undefined: not given; the receipt is then made for the time of the ledger's last event. */
  { readonly ok: true; readonly at: number | undefined } | { readonly ok: false; readonly failure: Failure };

export function receiptTime(text: string | undefined): ReceiptTime {
  const at = text === undefined ? undefined : Date.parse(text);
  if (at === undefined || !Number.isNaN(at)) return { ok: true, at };
  const message = `--at ${text ?? ''} is no time; accepted is ISO 8601, such as 2026-11-30T12:00:00Z`;
  return { ok: false, failure: usage('AT_INVALID', message) };
}
