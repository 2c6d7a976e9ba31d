/** Times: milliseconds since 1970 inside, ISO 8601 with milliseconds and Z on the wire (03 Ledger). */

/** Milliseconds of a timestamp of our own spelling; NaN for anything else. */
export function fromTimestamp(text: string): number {
  return Date.parse(text);
}

/** The one spelling of a time. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
