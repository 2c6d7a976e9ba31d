/** A line that does not verify: what is wrong, where, and in words. */

/** What is wrong with a line: `digest` a changed byte; `sequence`, `previous` a missing, repeated or swapped line; the rest say themselves. */
export type LineFaultKind =
  | 'digest'
  | 'sequence'
  | 'previous'
  | 'frame'
  | 'utf8'
  | 'length'
  | 'payload'
  | 'canonical';

/** A line that does not verify. `line` counts from 1, `offset` is the byte where it starts. */
export type LineFault = {
  readonly kind: LineFaultKind;
  readonly line: number;
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly message: string;
};

const meanings: Record<LineFaultKind, string> = {
  digest: 'the line was changed after it was written',
  sequence: 'a line is missing, repeated or out of order',
  previous: 'the line does not follow the one before it',
  frame: 'the line has not the form of a ledger line',
  utf8: 'the line is not UTF-8',
  length: 'the line is too long',
  payload: 'the payload is not a JSON object',
  canonical: 'the line is not canonical JSON',
};

/** Makes faults of the line that should stand at `place`. */
export const faultAt =
  (place: { readonly seq: number; readonly offset: number }) =>
  (kind: LineFaultKind, wanted: string, found: string): LineFault => ({
    kind,
    line: place.seq,
    offset: place.offset,
    expected: wanted,
    found,
    message: `line ${place.seq} (byte ${place.offset}): ${meanings[kind]}: expected ${wanted}, found ${found}`,
  });
