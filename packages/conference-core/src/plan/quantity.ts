/**
 * Quantities as people and programs write them: decimals with a unit, durations, positive whole numbers.
 *
 * Boundary: text in, plain data or a typed finding out. Nothing is guessed and nothing is rounded.
 *
 * Q1 A number keeps the text it arrived in (`85.0` stays `85.0`); arithmetic is exact decimal arithmetic.
 * Q2 A unit is compared byte for byte; `''` is the unit of a bare number.
 * Q3 What cannot be read in exactly one way is a finding that says what was found and what is accepted.
 */
import { Big } from 'big.js';

/** The longest text read as a quantity, in UTF-16 units: the bound of any string of a packet. */
export const quantityTextMax = 4096;
/** The longest unit, in UTF-16 units. */
const unitTextMax = 32;
/** The longest text read as a duration, in UTF-16 units. */
const durationTextMax = 64;
/** The longest duration, 366 days: a longer bound bounds nothing, and its deadline may leave the calendar. */
export const durationMsMax = 366 * 24 * 3_600_000;
/** How much of an unreadable text a finding repeats, in code points. */
const foundShownMax = 120;

/** An exact decimal. Strict: a binary float can neither enter nor leave it unseen. */
export type Decimal = Big;

const StrictBig = Big();
StrictBig.strict = true;
// Quotients are only ever shown as a percentage with one decimal; sums, differences and products are exact.
StrictBig.DP = 1;

/** A number as it was written, and its unit (`''` when it has none). Plain data: it may stand in a ledger. */
export interface Quantity {
  readonly number: string;
  readonly unit: string;
}

/** A value, or why there is none. `missing`: nothing was said. `vague`: what was said has no single meaning. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly problem: 'missing' | 'vague';
      readonly found: string;
      readonly accepted: string;
    };

// A unit starts with a letter, a sign such as % or °, or the slash of `8/10`. It holds no space, bracket, comma or
// comparator, and no exponent or hexadecimal tail (`1e9999` is not 1 of the unit e9999).
const quantityPattern =
  /^([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*((?![eExX][+-]?\d)[\p{L}\p{Sc}%‰°/][^\s(),;<>="'`{}\p{Cc}\p{Cf}]*)?$/u;

/** Reads `12.5 ms`, `95%`, `1e-3`, `8/10` (unit `/10`); null when it is no number. No thousands separators (01 Evidence). */
export function parseQuantity(text: string): Quantity | null {
  if (text.length > quantityTextMax) return null;
  const match = quantityPattern.exec(text);
  const number = match?.[1];
  if (number === undefined) return null;
  const unit = match?.[2] ?? '';
  return unit.length > unitTextMax ? null : { number, unit };
}

/** The exact value of a number that `parseQuantity` read. */
export function decimalOf(number: string): Decimal {
  // The library refuses a plus sign, which the grammar of 01 Evidence allows.
  return new StrictBig(number.startsWith('+') ? number.slice(1) : number);
}

/** True for a value without a fractional part, however it was written (`85.0`, `1e3`, `-0`). */
export function isWhole(number: string): boolean {
  return isWholeDecimal(decimalOf(number));
}

/** As `isWhole`, for a value already read. Digits never end in zeros, so their count tells. */
export function isWholeDecimal(value: Decimal): boolean {
  return value.c.length <= value.e + 1;
}

/** How many digits a number shows after its point: 1 for `85.0`, 3 for `1e-3`, 0 for `1e3`. */
export function scaleOf(number: string): number {
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
  const point = digits.indexOf('.');
  return Math.max(0, (point === -1 ? 0 : digits.length - point - 1) - Number(exponent));
}

/** The text cut to `pointsMax` code points, with a mark; no character is cut in half. */
export function cutText(text: string, pointsMax: number): string {
  // A code point takes at most two units, so this slice is the whole text or more than `pointsMax` points.
  const points = Array.from(text.slice(0, 2 * pointsMax + 2));
  return points.length > pointsMax ? `${points.slice(0, pointsMax).join('')}…` : text;
}

function finding(problem: 'missing' | 'vague', found: string, accepted: string): Parsed<never> {
  return { ok: false, problem, found: cutText(found, foundShownMax), accepted };
}

/** Text of a template that nobody filled in: `{N}`, `_Describe …_`, an HTML comment, or nothing at all. */
function isUnfilled(text: string): boolean {
  return text === '' || /^\{[^{}]*\}$/.test(text) || /^_[^_]*_$/.test(text) || /^<!--[\s\S]*-->$/.test(text);
}

/** The finding of a text that is not what was asked for: missing when nobody filled it in, else vague (03 conference.md). */
export function unreadable(text: string | undefined, accepted: string): Parsed<never> {
  const trimmed = text?.trim() ?? '';
  return finding(isUnfilled(trimmed) ? 'missing' : 'vague', trimmed, accepted);
}

/**
 * A positive whole number, written in digits and nothing else (01 Start gate). `0`, `-1`, `NaN`, `1e999`, `3.5`, `TBD`,
 * a leading zero and a number with a remark are findings. `max` is the largest value accepted.
 */
export function parsePositiveWhole(
  found: string | number | undefined,
  max: number = Number.MAX_SAFE_INTEGER,
): Parsed<number> {
  const text = typeof found === 'number' ? String(found) : found?.trim();
  const accepted = `a whole number from 1 to ${max}, in digits, without a remark`;
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return unreadable(text, accepted);
  const value = Number(text);
  return value <= max ? { ok: true, value } : unreadable(text, accepted);
}

const durationUnits = [
  ['d', '86400000'],
  ['h', '3600000'],
  ['m', '60000'],
  ['s', '1000'],
  ['ms', '1'],
] as const;

/**
 * A duration in milliseconds, from `2h`, `30m`, `1h30m`, `1.5h`, `90s`, `1500ms` (source 003, 03 conference.md).
 * Units in falling order, each once; positive, a whole number of milliseconds, at most `durationMsMax`.
 */
export function parseDuration(found: string | undefined): Parsed<number> {
  const accepted = 'a positive duration of at most 366 days, such as 2h, 30m, 1h30m, 90s or 1500ms';
  const text = found?.trim();
  if (text === undefined || text === '' || text.length > durationTextMax) return unreadable(text, accepted);
  const part = /(\d+(?:\.\d+)?)\s*(d|h|ms|m|s)\s*/y;
  let total = new StrictBig('0');
  let largest = 0;
  // Every turn consumes at least two characters, so the text's bound bounds the loop.
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    const rank = durationUnits.findIndex(([name]) => name === match?.[2]);
    const unit = durationUnits[rank];
    if (match?.[1] === undefined || unit === undefined || rank < largest) return unreadable(text, accepted);
    largest = rank + 1;
    total = total.plus(decimalOf(match[1]).times(unit[1]));
  }
  const fits = isWholeDecimal(total) && total.gt('0') && total.lte(String(durationMsMax));
  return fits ? { ok: true, value: total.toNumber() } : unreadable(text, accepted);
}
