/**
 * Checking one line without canonicalizing anything: cut, hash, compare (L1–L3 in line.ts).
 *
 * Then the frame around the payload is compared character by character and the payload alone is parsed, so no key can stand
 * twice or elsewhere. Bytes are hashed as they are and decoded strictly. The fixed parts are compared as bytes: reading a
 * text character by character, or `startsWith` at a position, costs as much as the hash of a short line.
 */
import { canonicalize } from './canonical.ts';
import { digestOf, isDigest, type Digest, type Sha256Hex } from './digest.ts';
import { faultAt, type LineFault } from './line-fault.ts';
import { eventCharsMax, isEvent, show } from './line.ts';
import type { LedgerRecord } from './record.ts';
import { isTimestamp, timestampChars } from './timestamp.ts';

/** How a line is checked. `canonical` also renders the payload again and compares (slower; `verify --deep`). */
export type LineCheck = { readonly sha256?: Sha256Hex; readonly canonical?: boolean };

/** What must stand before a line. */
export type Expected = { readonly seq: number; readonly prev: Digest; readonly offset: number };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const digestChars = 'sha256:'.length + 64;
const opening = '{"digest":"';
const openingBytes = bytesOf(opening);
const digestEnd = opening.length + digestChars;
const eventKey = '","event":';
const eventKeyBytes = bytesOf(eventKey);
const eventAt = digestEnd + eventKey.length;
/** The first byte after the first comma. */
const cutAt = digestEnd + '",'.length;
const payloadKey = ',"payload":';
const prevKeyBytes = bytesOf(',"prev":"');
const seqKeyBytes = bytesOf('","seq":');
const timestampKeyBytes = bytesOf(',"timestamp":"');
const closingBytes = bytesOf('"}');

/**
 * Checks one line, given without its newline, against its place in the chain. Never throws.
 * Reports in this order: encoding, opening, digest, seq, prev, timestamp, event, payload; so a flipped byte inside a line is a digest fault.
 */
export const verifyLine = (
  bytes: Uint8Array,
  expected: Expected,
  check: LineCheck = {},
): LedgerRecord | LineFault => {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return faultAt(expected)('utf8', 'UTF-8', 'bytes that are none');
  }
  if (!standsAt(bytes, openingBytes, 0) || !standsAt(bytes, eventKeyBytes, digestEnd)) {
    const wanted = `a line that opens with ${opening}sha256:…${eventKey}`;
    return faultAt(expected)('frame', wanted, show(text.slice(0, 100)));
  }
  const digest = digestOf(withoutDigest(bytes), check.sha256);
  if (text.slice(opening.length, digestEnd) !== digest) return digestFault(text, digest, expected);
  const end = endOfPayload(bytes, text, expected);
  if (end === null) return closingFault(text, expected);
  const timestamp = text.slice(-timestampChars - closingBytes.length, -closingBytes.length);
  if (!isTimestamp(timestamp)) {
    return faultAt(expected)('frame', 'a timestamp YYYY-MM-DDTHH:MM:SS.sssZ', show(timestamp));
  }
  const body = readBody(text, end);
  if ('kind' in body) return faultAt(expected)(body.kind, body.wanted, body.found);
  const { event, payload } = body;
  if (check.canonical === true && !isCanonical(body, text.slice(cutAt, end))) {
    return faultAt(expected)('canonical', 'canonical JSON (RFC 8785)', 'another rendering');
  }
  return { seq: expected.seq, prev: expected.prev, digest, event, payload, timestamp };
};

/** Tells a fault from a record. */
export const isFault = (outcome: LedgerRecord | LineFault): outcome is LineFault => 'kind' in outcome;

const standsAt = (bytes: Uint8Array, part: Uint8Array, at: number): boolean => {
  for (let index = 0; index < part.length; index++) {
    if (bytes[at + index] !== part[index]) return false;
  }
  return true;
};

/** Grows to the longest line seen; calls are synchronous, so one is enough. */
let scratch = new Uint8Array(4096);

/** L2. The opening is ASCII and was compared, so characters count as bytes there. */
const withoutDigest = (bytes: Uint8Array): Uint8Array => {
  const length = bytes.length - cutAt + 1;
  if (scratch.length < length) scratch = new Uint8Array(length * 2);
  scratch[0] = 0x7b;
  scratch.set(bytes.subarray(cutAt), 1);
  return scratch.subarray(0, length);
};

const digestFault = (text: string, computed: Digest, expected: Expected): LineFault => {
  const stated = text.slice(opening.length, digestEnd);
  if (isDigest(stated)) return faultAt(expected)('digest', stated, computed);
  return faultAt(expected)('frame', 'sha256: and 64 hex digits', show(stated));
};

/** Where the payload ends in the text, if what follows it is what must stand at this place in the chain, up to the timestamp. */
const endOfPayload = (bytes: Uint8Array, text: string, expected: Expected): number | null => {
  const seq = String(expected.seq);
  // Counted from the end, where all is ASCII and bytes are characters.
  const timestampFrom = closingBytes.length + timestampChars;
  const seqFrom = timestampFrom + timestampKeyBytes.length + seq.length;
  const prevFrom = seqFrom + seqKeyBytes.length + digestChars;
  const payloadFrom = prevFrom + prevKeyBytes.length;
  const { length } = bytes;
  const stands =
    length - payloadFrom > eventAt &&
    standsAt(bytes, closingBytes, length - closingBytes.length) &&
    standsAt(bytes, timestampKeyBytes, length - timestampFrom - timestampKeyBytes.length) &&
    standsAt(bytes, seqKeyBytes, length - seqFrom - seqKeyBytes.length) &&
    standsAt(bytes, prevKeyBytes, length - payloadFrom) &&
    text.slice(text.length - seqFrom, text.length - seqFrom + seq.length) === seq &&
    text.slice(text.length - prevFrom, text.length - prevFrom + digestChars) === expected.prev;
  return stands ? text.length - payloadFrom : null;
};

const closingPattern = /,"prev":"(sha256:[0-9a-f]{64})","seq":([1-9][0-9]{0,15}),"timestamp":"[^"]{24}"\}$/u;
const closingCharsMax = 180;

/** What is wrong with the end of a line that is not the expected one. */
const closingFault = (text: string, expected: Expected): LineFault => {
  const fault = faultAt(expected);
  const found = closingPattern.exec(text.slice(-closingCharsMax));
  if (found === null) {
    return fault('frame', 'a line that ends with prev, seq and timestamp', show(text.slice(-100)));
  }
  const [, prev = '', seq = ''] = found;
  return seq === String(expected.seq)
    ? fault('previous', expected.prev, prev)
    : fault('sequence', String(expected.seq), seq);
};

type Body = { readonly event: string; readonly payload: LedgerRecord['payload'] };
type BodyFault = { readonly kind: 'frame' | 'payload'; readonly wanted: string; readonly found: string };

/** Event and payload. The payload is parsed alone, so that it is all of what stands between event and prev. */
const readBody = (text: string, end: number): Body | BodyFault => {
  const { event, eventEnd } = readEvent(text);
  if (event === null || text.slice(eventEnd, eventEnd + payloadKey.length) !== payloadKey) {
    const wanted = `an event of 1 to ${eventCharsMax} characters, then ${payloadKey}`;
    return { kind: 'frame', wanted, found: show(text.slice(eventAt, eventEnd + payloadKey.length)) };
  }
  const payloadText = text.slice(eventEnd + payloadKey.length, end);
  const payload = parse(payloadText);
  if (isObject(payload)) return { event, payload };
  return { kind: 'payload', wanted: 'a JSON object', found: show(payloadText.slice(0, 100)) };
};

/** The string at `eventAt`, and the index after it. The usual one, printable ASCII without escapes, only loses its quotes. */
const readEvent = (text: string): { readonly event: string | null; readonly eventEnd: number } => {
  let plain = true;
  for (let index = eventAt + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      const event = plain ? text.slice(eventAt + 1, index) : parse(text.slice(eventAt, index + 1));
      return { event: isEvent(event) ? event : null, eventEnd: index + 1 };
    }
    if (code < 0x20 || code > 0x7e || code === 0x5c) plain = false;
    if (code === 0x5c) index += 1;
  }
  return { event: null, eventEnd: text.length };
};

const isCanonical = ({ event, payload }: Body, text: string): boolean => {
  const again = canonicalize({ event, payload });
  return again.status === 'canonical' && again.text === `{${text}}`;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is LedgerRecord['payload'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
