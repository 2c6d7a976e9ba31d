/**
 * Ids: 26-character Crockford ULIDs. Only a `conference_id` is ever drawn; every other id is derived from it
 * (design C4), so that a read-only command can name what it proposes and a replay gives the same bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { $brand } from 'zod';
import { canonicalJson, type JsonValue } from './canonical.ts';

export type ConferenceId = string & $brand<'ConferenceId'>;
export type DispatchId = string & $brand<'DispatchId'>;
export type DecisionId = string & $brand<'DecisionId'>;

/** The first character holds three bits only: a ULID ends at 2^128. */
export const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** `<dispatch_id>#c<n>` a claim, `<dispatch_id>#m<n>` a measurement, n from 1 (02 Packets). */
export const REF_PATTERN = /^([0-7][0-9A-HJKMNP-TV-Z]{25})#([cm])([1-9]\d{0,5})$/;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_MAX = 2 ** 48 - 1;
const RANDOM_BYTES = 10;

// Each brand is made by its parser or by construction from bytes, nowhere else.
export function parseConferenceId(text: string): ConferenceId | null {
  return ULID_PATTERN.test(text) ? (text as ConferenceId) : null;
}
export function parseDispatchId(text: string): DispatchId | null {
  return ULID_PATTERN.test(text) ? (text as DispatchId) : null;
}
export function parseDecisionId(text: string): DecisionId | null {
  return ULID_PATTERN.test(text) ? (text as DecisionId) : null;
}

/**
 * A ULID of a time and 80 bits.
 * @param timeMs milliseconds since 1970, 0 to 2^48 − 1
 * @param random 10 bytes
 * @throws RangeError outside these bounds: a bug of the caller
 */
export function encodeUlid(timeMs: number, random: Uint8Array): string {
  if (!Number.isInteger(timeMs) || timeMs < 0 || timeMs > TIME_MAX) throw new RangeError(`time ${timeMs}`);
  if (random.length !== RANDOM_BYTES) throw new RangeError(`a ULID takes ${RANDOM_BYTES} random bytes`);
  let text = '';
  for (let rest = timeMs, digits = 0; digits < 10; digits += 1, rest = Math.floor(rest / 32)) {
    text = CROCKFORD.charAt(rest % 32) + text;
  }
  let bits = 0;
  let held = 0;
  for (const byte of random) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += CROCKFORD.charAt((bits >>> held) & 31);
      bits &= (1 << held) - 1;
    }
  }
  return text;
}

/**
 * A ULID of a time and the first 80 bits of SHA-256 over the canonical JSON of its parts (design C4).
 * The same time and parts give the same id.
 */
export function deriveUlid(timeMs: number, parts: readonly JsonValue[]): string {
  return encodeUlid(timeMs, sha256(utf8ToBytes(canonicalJson(parts))).subarray(0, RANDOM_BYTES));
}
