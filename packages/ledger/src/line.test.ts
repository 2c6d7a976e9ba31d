/** Catches: lines that another implementation of the format would not write or would not accept. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asDigest, digestOf, zeroDigest } from './digest.ts';
import { encodeLine } from './line.ts';
import { isTimestamp } from './timestamp.ts';
import { isFault, verifyLine } from './verify-line.ts';

const vectors = readFileSync(new URL('../test/vectors/ledger.jsonl', import.meta.url), 'utf8');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const first = { seq: 1, prev: zeroDigest, offset: 0 } as const;
const entry = { event: 'a.b', payload: { n: 1 }, timestamp: '2026-11-30T12:00:01.000Z' } as const;

/** A line around any body, with a digest that fits: what a careless or hostile writer could make. */
const forged = (rest: string): Uint8Array => bytesOf(`{"digest":"${digestOf(`{${rest}`)}",${rest}`);
const kindOf = (bytes: Uint8Array, check = {}): string => {
  const outcome = verifyLine(bytes, first, check);
  return isFault(outcome) ? outcome.kind : 'verified';
};
const tail = `"prev":"${zeroDigest}","seq":1,"timestamp":"2026-11-30T12:00:01.000Z"}`;

test('a line is written byte for byte as pinned here [LEDG-01 LEDG-02]', () => {
  const line = encodeLine({ ...entry, payload: { ü: '🙂', a: [-0, 1.5] }, seq: 1, prev: zeroDigest });
  expect(line).toEqual({
    status: 'encoded',
    digest: 'sha256:e0796fe75292f43969d63981da51a6b702c48f710b57c929d953f6b96c9437b6',
    text: '{"digest":"sha256:e0796fe75292f43969d63981da51a6b702c48f710b57c929d953f6b96c9437b6","event":"a.b","payload":{"a":[0,1.5],"ü":"🙂"},"prev":"sha256:0000000000000000000000000000000000000000000000000000000000000000","seq":1,"timestamp":"2026-11-30T12:00:01.000Z"}\n',
  });
});

test('each line of the published vectors verifies and is written again as the same bytes [LEDG-01 LEDG-02]', () => {
  let prev = zeroDigest;
  const lines = vectors.split('\n').slice(0, -1);
  expect(lines).toHaveLength(5);
  for (const [index, text] of lines.entries()) {
    const record = verifyLine(bytesOf(text), { seq: index + 1, prev, offset: 0 }, { canonical: true });
    if (isFault(record)) throw new Error(record.message);
    const { event, payload, timestamp } = record;
    const again = encodeLine({ event, payload, timestamp, seq: index + 1, prev });
    expect(again).toMatchObject({ text: `${text}\n`, digest: record.digest });
    prev = record.digest;
  }
  expect(prev).toBe('sha256:36678447c19080184769bfc13a33a602e7a04136a23a2a00b6d062f8e85f6807');
});

test('whatever can be written verifies as what was written, and is canonical', () => {
  const payloads = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
  const events = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(payloads, events, fc.integer({ min: 1 }), (payload, event, seq) => {
      const line = encodeLine({ ...entry, payload, event, seq, prev: zeroDigest });
      if (line.status !== 'encoded') throw new Error(line.found);
      const record = verifyLine(bytesOf(line.text.slice(0, -1)), { ...first, seq }, { canonical: true });
      expect(record).toMatchObject({
        event,
        seq,
        digest: line.digest,
        payload: JSON.parse(JSON.stringify(payload)),
      });
    }),
  );
});

test('an entry that cannot be a line is refused with its place, and nothing is made of it', () => {
  const place = (change: object): string => {
    const line = encodeLine({ ...entry, seq: 1, prev: zeroDigest, ...change });
    return line.status === 'encoded' ? line.text : `${line.path}: ${line.found}`;
  };
  expect(place({ payload: { a: [{ b: undefined }] } })).toBe('$.payload.a[0].b: undefined');
  expect(place({ payload: [] })).toBe('$.payload: an array');
  expect(place({ payload: null })).toBe('$.payload: null');
  expect(place({ payload: new Date(0) })).toBe('$.payload: an instance of Date');
  expect(place({ event: '' })).toBe('$.event: ""');
  expect(place({ event: 'x'.repeat(129) })).toContain('$.event');
  expect(place({ event: '\ud800' })).toContain('$.event');
  expect(place({ timestamp: '2026-11-30T12:00:01Z' })).toContain('$.timestamp');
  expect(place({ seq: 0 })).toBe('$.seq: 0');
});

test('any flipped byte of a line is found [LEDG-05]', () => {
  const line = encodeLine({ ...entry, payload: { text: 'їжак 🙂', n: -1.5 }, seq: 1, prev: zeroDigest });
  if (line.status !== 'encoded') throw new Error(line.found);
  const bytes = bytesOf(line.text.slice(0, -1));
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [0x01, 0x20, 0x80]) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ bit;
      expect(['digest', 'frame', 'utf8']).toContain(kindOf(changed));
    }
  }
});

test('a line with a fitting digest and another form is refused by kind [LEDG-01 LEDG-05]', () => {
  expect(kindOf(forged(`"event":"a","payload":{},${tail}`))).toBe('verified');
  // A key twice, in the payload's place; a key too many; the order changed; space between.
  expect(kindOf(forged(`"event":"a","payload":{},"payload":{},${tail}`))).toBe('payload');
  expect(kindOf(forged(`"event":"a","payload":{},"x":1,${tail}`))).toBe('payload');
  expect(kindOf(forged(`"payload":{},"event":"a",${tail}`))).toBe('frame');
  expect(kindOf(forged(`"event": "a","payload":{},${tail}`))).toBe('frame');
  expect(kindOf(forged(`"event":"","payload":{},${tail}`))).toBe('frame');
  expect(kindOf(forged(`"event":"a","payload":[],${tail}`))).toBe('payload');
  expect(kindOf(forged(`"event":"a","payload":{,${tail}`))).toBe('payload');
  expect(kindOf(forged(`"event":"a","payload":{},${tail.replace('11-30', '02-30')}`))).toBe('frame');
  expect(kindOf(forged(`"event":"a","payload":{},${tail.replace('"seq":1', '"seq":2')}`))).toBe('sequence');
  expect(kindOf(forged(`"event":"a","payload":{},${tail.replace('"seq":1', '"seq":01')}`))).toBe('frame');
  expect(kindOf(forged(`"event":"a","payload":{},${tail.replace('0000"', '0001"')}`))).toBe('previous');
  expect(kindOf(forged(`"event":"a","payload":{},${tail} `))).toBe('frame');
  for (const text of ['', '{', 'null', '{}', '\u0000'.repeat(400), `\ufeff{"digest":"`])
    expect(kindOf(bytesOf(text))).toBe('frame');
});

test('a payload that is JSON but not canonical is found by the deep check only', () => {
  const spaced = forged(`"event":"a","payload":{"b":1, "a":2},${tail}`);
  expect(kindOf(spaced)).toBe('verified');
  expect(kindOf(spaced, { canonical: true })).toBe('canonical');
  expect(kindOf(forged(`"event":"a","payload":{"a":1.0},${tail}`), { canonical: true })).toBe('canonical');
  expect(kindOf(forged(String.raw`"event":"\u0061","payload":{},${tail}`), { canonical: true })).toBe(
    'canonical',
  );
});

test('bytes that decode to the replacement character do not pass for it', () => {
  const line = encodeLine({ ...entry, payload: { a: '\ufffd' }, seq: 1, prev: zeroDigest });
  if (line.status !== 'encoded') throw new Error(line.found);
  const bytes = bytesOf(line.text.slice(0, -1));
  const at = bytes.indexOf(0xef);
  bytes.set([0xf0, 0x9f, 0x98], at); // three bytes of a cut emoji: lenient decoders make one U+FFFD of them
  expect(kindOf(bytes)).toBe('utf8');
});

test('a fault names line, byte, and what was expected and found', () => {
  const outcome = verifyLine(forged(`"event":"a","payload":{},${tail}`), {
    seq: 7,
    prev: asDigest(zeroDigest),
    offset: 1234,
  });
  expect(outcome).toMatchObject({
    kind: 'sequence',
    line: 7,
    offset: 1234,
    expected: '7',
    found: '1',
    message: 'line 7 (byte 1234): a line is missing, repeated or out of order: expected 7, found 1',
  });
});

test('a timestamp is a UTC time that exists, to the millisecond [LEDG-01]', () => {
  for (const text of ['2026-11-30T12:00:01.000Z', '2024-02-29T00:00:00.000Z', '2000-02-29T23:59:59.999Z']) {
    expect(isTimestamp(text)).toBe(true);
    expect(new Date(text).toISOString()).toBe(text);
  }
  const wrong = [
    '2026-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-01-32T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00.000+',
    '2026-01-01T00:00:00.00Z',
    '2026-01-01 00:00:00.000Z',
    '',
    5,
    null,
  ];
  for (const text of wrong) expect(isTimestamp(text)).toBe(false);
});
