/**
 * The bugs these exist to catch: a character cut between two chunks becomes U+FFFD; a long line is buffered without
 * end; a line separator inside JSON ends a line; a last line without its line feed is lost.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineReader, type Line } from './line-reader.ts';

const encoder = new TextEncoder();
const replacement = '\ufffd';

function readAll(chunks: Iterable<Uint8Array>, unitsMax?: number): Line[] {
  const reader = createLineReader(unitsMax);
  const lines: Line[] = [];
  for (const chunk of chunks) lines.push(...reader.push(chunk));
  lines.push(...reader.end());
  return lines;
}

function bytesOf(text: string): Uint8Array[] {
  return [...encoder.encode(text)].map((byte) => Uint8Array.of(byte));
}

const line = (text: string): Line => ({ kind: 'line', text });

describe('lines of a stream', () => {
  test('a byte at a time gives the same text, with no replacement character [COMS-01]', () => {
    const text = '{"prompt":"їжак 🙂 \u2028 \u2029 end"}';
    expect(readAll(bytesOf(`${text}\n${text}\n`))).toEqual([line(text), line(text)]);
  });

  test('three lines in one chunk come out as three, in order [COMS-01]', () => {
    expect(readAll([encoder.encode('one\ntwo\nthree\n')])).toEqual([line('one'), line('two'), line('three')]);
  });

  test('U+2028, U+2029, U+0085, form feed and a lone carriage return do not end a line', () => {
    const text = 'a\u2028b\u2029c\u0085d\fe\rf';
    expect(readAll([encoder.encode(`${text}\n`)])).toEqual([line(text)]);
  });

  test('the last line counts without its line feed; an empty rest does not [COMS-01]', () => {
    expect(readAll([encoder.encode('one\ntwo')])).toEqual([line('one'), line('two')]);
    expect(readAll([encoder.encode('one\n')])).toEqual([line('one')]);
    expect(readAll([])).toEqual([]);
  });

  test('bytes that are not UTF-8 are a fault of their line only, never a replacement character', () => {
    const bad = Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0x6f, 0x6b, 0x0a, 0xc3, 0x0a);
    expect(readAll([bad])).toEqual([
      { kind: 'fault', code: 'NOT_UTF8' },
      line('ok'),
      { kind: 'fault', code: 'NOT_UTF8' },
    ]);
  });

  test('a byte order mark is content, not swallowed', () => {
    expect(readAll([encoder.encode('\ufeffx\n')])).toEqual([line('\ufeffx')]);
  });

  test('bytes may be reused by the caller after push', () => {
    const reader = createLineReader();
    const chunk = encoder.encode('abc');
    reader.push(chunk);
    chunk.fill(0x7a);
    expect(reader.push(encoder.encode('\n'))).toEqual([line('abc')]);
  });
});

describe('the bound of a line', () => {
  const max = 65_536;
  const kinds = {
    ascii: 'a',
    'three bytes a unit': '\u20ac',
    'four bytes two units': '🙂',
    'two bytes a unit': 'ї',
  };
  for (const [kind, character] of Object.entries(kinds)) {
    const whole = character.repeat(max / character.length);
    test(`65,536 units of ${kind} pass, one more does not, however they are cut [COMS-02]`, () => {
      for (const size of [1_000_000, 4_096, 7]) {
        const cut = (text: string): Uint8Array[] => {
          const bytes = encoder.encode(text);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          return chunks;
        };
        expect(readAll(cut(`${whole}\n`))).toEqual([line(whole)]);
        expect(readAll(cut(`${whole}a\nnext\n`))).toEqual([{ kind: 'fault', code: 'LINE_TOO_LARGE' }]);
      }
    });
  }

  test('after a line too large nothing is read or held any more [COMS-02]', () => {
    const reader = createLineReader(10);
    expect(reader.push(encoder.encode('x'.repeat(11)))).toEqual([{ kind: 'fault', code: 'LINE_TOO_LARGE' }]);
    expect(reader.push(encoder.encode('\nok\n'))).toEqual([]);
    expect(reader.end()).toEqual([]);
    expect(reader.heldBytes).toBe(0);
  });

  test('a stream of stray continuation bytes, which have no units, is bounded by its bytes [COMS-02]', () => {
    const reader = createLineReader();
    const stray = new Uint8Array(8_192).fill(0x80);
    let most = 0;
    let faults = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      faults += reader.push(stray).length;
      most = Math.max(most, reader.heldBytes);
    }
    expect(faults).toBe(1);
    expect(most).toBeLessThanOrEqual(65_536 * 3);
  });
});

/** Small and fixed by default; 500,000 cuts and mutations with FULL=1. */
const full = process.env['FULL'] === '1';
const seed = Number(process.env['SEED'] ?? 20_260_101);

describe('any cut and any mutation', { timeout: 900_000 }, () => {
  test('cuts never change the lines, and U+FFFD appears only where it was sent [COMS-02]', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(60), { maxLength: 30 }), (parts, sizes) => {
        const sent = parts.map((part) => part.toWellFormed().replaceAll('\n', ' '));
        const bytes = encoder.encode(sent.map((part) => `${part}\n`).join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        chunks.push(bytes.subarray(at));
        // Compared as text: a quarter of a million deep comparisons would be most of the time.
        expect(JSON.stringify(readAll(chunks))).toBe(JSON.stringify(sent.map(line)));
      }),
      { seed, numRuns: full ? 250_000 : 1_000 },
    );
  });

  test('mutated bytes never throw, never grow beyond the bound, never make a U+FFFD that was not sent [COMS-02]', () => {
    const base = encoder.encode('{"type":"prompt","prompt":"їжак 🙂 ≈"}\n'.repeat(3));
    const edits = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(edits, fc.integer({ min: 1, max: 50 }), (changes, size) => {
        const bytes = base.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const wasSent = new TextDecoder('utf-8').decode(bytes).includes(replacement);
        const reader = createLineReader(64);
        const lines: Line[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          lines.push(...reader.push(bytes.subarray(at, at + size)));
          if (reader.heldBytes > 64 * 3) throw new Error(`held ${reader.heldBytes} bytes`);
        }
        lines.push(...reader.end());
        for (const each of lines) {
          if (each.kind === 'line' && each.text.includes(replacement) && !wasSent) throw new Error(each.text);
          if (each.kind === 'line' && each.text.length > 64) throw new Error('line beyond its bound');
        }
        // Strictness: whatever decodes, encodes back to bytes that were there.
        for (const each of lines) {
          if (each.kind === 'line' && Buffer.from(bytes).indexOf(each.text) === -1)
            throw new Error('made up');
        }
      }),
      { seed, numRuns: full ? 250_000 : 2_000 },
    );
  });
});
