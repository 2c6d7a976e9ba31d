/** Bytes to text: UTF-8 or nothing, one BOM skipped (02 Reading what a child sends). */
import { faultAt, type ReadFault } from './read-fault.ts';

// A global of every runtime; the language's own library does not declare it.
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** The text of the bytes. Bytes that are not UTF-8 (UTF-16 included) are a fault, never replaced. */
export function decodeText(bytes: Uint8Array): { readonly ok: true; readonly text: string } | ReadFault {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return faultAt([], 'UTF-8');
  }
}
