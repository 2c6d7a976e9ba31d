/**
 * One line of a ledger: writing it, and checking it without canonicalizing anything.
 *
 * L1 A line is RFC 8785 canonical JSON with exactly the keys digest, event, payload, prev, seq, timestamp, so they stand in that order.
 * L2 `digest` is SHA-256 over the line with its `digest` member cut out: `{` and everything after the first comma.
 * L3 `prev` is the digest of the line before (64 zeros for the first), `seq` counts from 1.
 *
 * Checking cuts, hashes and compares; then the frame around the payload is compared byte for byte and the payload alone
 * is parsed, so no key can stand twice or elsewhere. Bytes are decoded strictly: what decodes, encodes back to the same bytes.
 */
import { canonicalize, type NotJson } from './canonical.ts';
import { digestOf, parseDigest, portableSha256, type Digest, type Sha256Hex } from './digest.ts';
import type { Entry, LedgerRecord } from './record.ts';

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
  const rest = `"event":${name},"payload":${body.text},"prev":"${prev}","seq":${seq},"timestamp":"${timestamp}"}`;
  const digest = digestOf(`{${rest}`, sha256);
  return { status: 'encoded', text: `{"digest":"${digest}",${rest}\n`, digest };
};

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

/** How a line is checked. `canonical` also renders the payload again and compares (slower; `verify --deep`). */
export type LineCheck = { readonly sha256?: Sha256Hex; readonly canonical?: boolean };

/** What must stand before a line. */
export type Expected = { readonly seq: number; readonly prev: Digest; readonly offset: number };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const opening = '{"digest":"';
const digestChars = 'sha256:'.length + 64;
const cut = opening.length + digestChars + '",'.length;
const afterDigest = '","event":"';
const tailPattern =
  /,"prev":"(sha256:[0-9a-f]{64})","seq":([1-9][0-9]{0,15}),"timestamp":"([0-9T:.Z-]{24})"\}$/u;
const tailCharsMax = 180;

/**
 * Checks one line, given without its newline, against its place in the chain. Never throws.
 * Reports in this order: encoding, frame, digest, seq, prev, timestamp, payload; so a flipped byte inside a line is a digest fault.
 */
export const verifyLine = (
  bytes: Uint8Array,
  expected: Expected,
  check: LineCheck = {},
): LedgerRecord | LineFault => {
  const fault = faultAt(expected);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return fault('utf8', 'UTF-8', 'bytes that are none');
  }
  if (!text.startsWith(opening) || !text.startsWith(afterDigest, cut - 2)) {
    return fault(
      'frame',
      `a line that opens with ${opening}sha256:…${afterDigest}`,
      show(text.slice(0, 100)),
    );
  }
  const stated = parseDigest(text.slice(opening.length, cut - 2));
  if (stated === null)
    return fault('frame', 'sha256: and 64 hex digits', show(text.slice(opening.length, cut - 2)));
  const computed = digestOf(`{${text.slice(cut)}`, check.sha256);
  if (computed !== stated) return fault('digest', stated, computed);
  return readFrame(text, stated, { expected, canonical: check.canonical === true });
};

/** Reads the line around its payload; its digest is known to be right. */
const readFrame = (
  text: string,
  digest: Digest,
  check: { readonly expected: Expected; readonly canonical: boolean },
): LedgerRecord | LineFault => {
  const { expected } = check;
  const fault = faultAt(expected);
  const tail = tailPattern.exec(text.slice(-tailCharsMax));
  if (tail === null)
    return fault('frame', 'a line that ends with prev, seq and timestamp', show(text.slice(-100)));
  const [whole, prev = '', seqText = '', timestamp = ''] = tail;
  const seq = Number(seqText);
  if (seq !== expected.seq) return fault('sequence', String(expected.seq), seqText);
  if (prev !== expected.prev) return fault('previous', expected.prev, prev);
  if (!isTimestamp(timestamp)) return fault('frame', 'a timestamp YYYY-MM-DDTHH:MM:SS.sssZ', show(timestamp));
  const eventAt = cut + '"event":'.length;
  const eventEnd = endOfString(text, eventAt);
  const event = parse(text.slice(eventAt, eventEnd));
  if (!isEvent(event) || !text.startsWith(payloadKey, eventEnd)) {
    return fault(
      'frame',
      `an event of 1 to ${eventCharsMax} characters, then ${payloadKey}`,
      show(text.slice(eventAt, eventEnd + 12)),
    );
  }
  const payloadText = text.slice(eventEnd + payloadKey.length, text.length - whole.length);
  const payload = parse(payloadText);
  if (!isRecord(payload)) return fault('payload', 'a JSON object', show(payloadText.slice(0, 100)));
  if (check.canonical) {
    const again = canonicalize({ event, payload });
    if (
      again.status !== 'canonical' ||
      again.text !== `{"event":${text.slice(eventAt, eventEnd)},"payload":${payloadText}}`
    ) {
      return fault(
        'canonical',
        'canonical JSON (RFC 8785)',
        again.status === 'canonical' ? 'another rendering' : again.found,
      );
    }
  }
  return { seq, prev: expected.prev, digest, event, payload, timestamp };
};

const payloadKey = ',"payload":';

/** The index after the string that opens at `start`, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index += 1;
    else if (code === 0x22) return index + 1;
  }
  return text.length;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (event: unknown): event is string =>
  typeof event === 'string' &&
  event.length > 0 &&
  event.length <= eventCharsMax &&
  !/\p{Surrogate}/u.test(event);

const timestampPattern = /^\d{4}-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/u;
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether a text is a UTC time to the millisecond, as `toISOString` writes it (years 0000 to 9999). */
export const isTimestamp = (text: unknown): text is string => {
  if (typeof text !== 'string') return false;
  const match = timestampPattern.exec(text);
  if (match === null) return false;
  const day = Number(match[2]);
  const days = daysOfMonth[Number(match[1]) - 1];
  if (days === undefined || day < 1 || day > days) return false;
  return match[1] !== '02' || day < 29 || isLeap(Number(text.slice(0, 4)));
};

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const show = (value: unknown): string => JSON.stringify(value) ?? String(value);

const refuse = (path: string, found: string, accepted: string): NotEncodable => ({
  status: 'not_encodable',
  path,
  found,
  accepted,
});

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

/** Makes faults of the line that `expected` stands for. */
export const faultAt =
  (expected: Pick<Expected, 'seq' | 'offset'>) =>
  (kind: LineFaultKind, wanted: string, found: string): LineFault => ({
    kind,
    line: expected.seq,
    offset: expected.offset,
    expected: wanted,
    found,
    message: `line ${expected.seq} (byte ${expected.offset}): ${meanings[kind]}: expected ${wanted}, found ${found}`,
  });

/** Tells a fault from a record. */
export const isFault = (outcome: LedgerRecord | LineFault): outcome is LineFault => 'kind' in outcome;
