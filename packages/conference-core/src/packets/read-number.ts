/** One rule for numbers, in JSON and in YAML: a number means one thing, or it is refused (cases, "JSON that means two things"). */

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const ZERO = /^-?[0.]+([eE][+-]?\d+)?$/;

export type NumberRead =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly expected: string };

/**
 * The number that a text spells in JSON's grammar. Refused: other spellings (`014`, `0x1f`, `+1`, `.5`, `.inf`),
 * integers that a double cannot hold with every digit, numbers beyond doubles in either direction. `-0` is 0.
 */
export function readNumber(text: string): NumberRead {
  if (!JSON_NUMBER.test(text)) return { ok: false, expected: 'a number in the spelling of JSON' };
  const value = Number(text);
  if (!Number.isFinite(value)) return { ok: false, expected: 'a number within the range of a double' };
  if (INTEGER.test(text) && !Number.isSafeInteger(value)) {
    return { ok: false, expected: 'an integer that keeps every digit (at most 2^53 - 1)' };
  }
  if (value === 0) {
    return ZERO.test(text)
      ? { ok: true, value: 0 }
      : { ok: false, expected: 'a number within the range of a double' };
  }
  return { ok: true, value };
}
