/**
 * Writing one line of a ledger (verify-line.ts checks it).
 *
 * L1 A line is RFC 8785 canonical JSON with exactly the keys digest, event, payload, prev, seq, timestamp, so they stand in that order.
 * L2 `digest` is SHA-256 over the line with its `digest` member cut out: `{` and everything after the first comma.
 * L3 `prev` is the digest of the line before (64 zeros for the first), `seq` counts from 1.
 */
import { canonicalize, type NotJson } from './canonical.ts';
import { digestOf, portableSha256, type Digest, type Sha256Hex } from './digest.ts';
import type { Entry } from './record.ts';
import { isTimestamp } from './timestamp.ts';

/** Longest line in bytes, newline included, unless another limit is given. */
export const lineBytesMaxDefault = 16 * 1024 * 1024;

/** Longest event name in characters. */
export const eventCharsMax = 128;

/** A line that was made: `text` ends in `\n`. */
export type EncodedLine = { readonly status: 'encoded'; readonly text: string; readonly digest: Digest };

/** What a line cannot be made of: the place (`$.payload.a`) and what was found there. */
export type NotEncodable = Omit<NotJson, 'status'> & {
  readonly status: 'not_encodable';
  readonly accepted: string;
};

/** Makes one line (L1–L3). Refuses a payload that is no plain JSON object, a wrong timestamp, event or seq. Never throws. */
export const encodeLine = (
  line: Entry & { readonly seq: number; readonly prev: Digest },
  sha256: Sha256Hex = portableSha256,
): EncodedLine | NotEncodable => {
  const { event, payload, prev, seq, timestamp } = line;
  if (!isEvent(event)) return refuse('$.event', show(event), `1 to ${eventCharsMax} characters`);
  if (!isTimestamp(timestamp)) return refuse('$.timestamp', show(timestamp), 'YYYY-MM-DDTHH:MM:SS.sssZ');
  if (!Number.isSafeInteger(seq) || seq < 1) return refuse('$.seq', show(seq), 'a whole number from 1');
  if (Array.isArray(payload)) return refuse('$.payload', 'an array', 'an object');
  const body = canonicalize(payload);
  if (body.status === 'not_json') return refuse(`$.payload${body.path.slice(1)}`, body.found, 'a JSON value');
  if (!body.text.startsWith('{')) return refuse('$.payload', body.text.slice(0, 40), 'an object');
  const name = JSON.stringify(event);
  const cutLine = `{"event":${name},"payload":${body.text},"prev":"${prev}","seq":${seq},"timestamp":"${timestamp}"}`;
  const digest = digestOf(cutLine, sha256); // which also makes one flat text of the pieces: slicing it copies nothing
  return { status: 'encoded', text: `{"digest":"${digest}",${cutLine.slice(1)}\n`, digest };
};

/** Whether a value can name an event: 1 to 128 characters, no half of a surrogate pair. */
export const isEvent = (event: unknown): event is string =>
  typeof event === 'string' && event.length > 0 && event.length <= eventCharsMax && isWellFormed(event);

const isWellFormed = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(index + 1); // NaN at the end
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false;
    index += 1;
  }
  return true;
};

/** A value as a person reads it in a refusal. */
export const show = (value: unknown): string => JSON.stringify(value) ?? String(value);

const refuse = (path: string, found: string, accepted: string): NotEncodable => ({
  status: 'not_encodable',
  path,
  found,
  accepted,
});
