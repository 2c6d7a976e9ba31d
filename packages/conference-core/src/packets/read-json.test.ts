/** Catches: JSON that means two things being read as one of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

const fault = (text: string): string => {
  const read = readJson(text);
  if (read.ok) throw new Error(`read as ${JSON.stringify(read.value)}`);
  return `${read.path}: ${read.expected}`;
};

describe('strict JSON', () => {
  test('reads what JSON.parse reads, and the same, whenever it reads at all', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const read = readJson(text);
        if (!read.ok) {
          // The only texts of JSON.stringify that mean less than they say: half characters and lost digits.
          expect(`${read.path} ${read.expected}`).toMatch(
            /half a surrogate|every digit|range of a double|each key once/,
          );
          return;
        }
        expect(JSON.parse(JSON.stringify(read.value))).toEqual(
          JSON.parse(text.replace(/(?<![\d.e])-0(?![\d.e])/g, '0')),
        );
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('anything that JSON.parse refuses is refused', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\ 01.-eE+ntrufalsx\n\u00e9')) }),
        (text) => {
          let parses = true;
          try {
            JSON.parse(text);
          } catch {
            parses = false;
          }
          if (!parses) expect(readJson(text).ok).toBe(false);
        },
      ),
      { numRuns: 3_000, seed: 11 },
    );
  });

  test.each([
    ['{"status":1,"status":2}', '$.status: each key once'],
    ['{"claims":[{"claim":"a","claim":"a"}]}', '$.claims[0].claim: each key once'],
    ['{"__proto__":1,"__proto__":2}', '$["?"]: each key once'],
    ['{"stuck_level":NaN}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":-Infinity}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":1e999}', '$.stuck_level: a number within the range of a double'],
    ['{"stuck_level":-1e999}', '$.stuck_level: a number within the range of a double'],
    ['{"stuck_level":1e-999}', '$.stuck_level: a number within the range of a double'],
    [
      '{"stuck_level":9007199254740993}',
      '$.stuck_level: an integer that keeps every digit (at most 2^53 - 1)',
    ],
    [
      '{"stuck_level":9007199254740992}',
      '$.stuck_level: an integer that keeps every digit (at most 2^53 - 1)',
    ],
    ['{"stuck_level":014}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":.5}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":+1}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":0x10}', '$.stuck_level: a number in the spelling of JSON'],
    ['{"stuck_level":1,}', '$: a key in double quotes'],
    ['{"claims":[1,]}', '$.claims[1]: a JSON value'],
    ["{'status':1}", '$: a key in double quotes'],
    ['{status:1}', '$: a key in double quotes'],
    ['{"status":1} x', '$: nothing after the value'],
    ['{"status":1 /* c */}', '$: a comma or } after a member'],
    ['{"status" 1}', '$.status: a colon after the key'],
    ['{"status":"a\nb"}', '$.status: control characters escaped'],
    ['{"status":"a\\x41"}', '$.status: an escape that JSON has'],
    ['{"status":"\\u12g4"}', '$.status: four hex digits after \\u'],
    ['{"status":"\\ud800"}', '$.status: whole characters, not half a surrogate pair'],
    ['{"status":"abc', '$.status: a closing quote'],
    ['{"status":', '$.status: a JSON value, not the end'],
    ['', '$: a JSON value, not the end'],
    ['\u00a0{}', '$: a JSON value'],
    ['{"status":True}', '$.status: a number in the spelling of JSON'],
  ])('%j is refused with the path [CHAR-06]', (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  test('-0 is 0, and pairs of escapes are one character', () => {
    const read = readJson('{"a":-0,"b":-0.0e3,"c":"\\ud83d\\ude42"}');
    expect(read.ok && read.value).toEqual({ a: 0, b: 0, c: '🙂' });
    expect(read.ok && Object.is((read.value as { a: number }).a, 0)).toBe(true);
  });

  test('__proto__ and constructor are keys like any other, and nothing is inherited', () => {
    const read = readJson('{"__proto__":{"role":"root"},"constructor":1}');
    if (!read.ok) throw new Error(read.expected);
    expect(Object.keys(read.value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(read.value)).toBeNull();
    expect((read.value as { role?: unknown }).role).toBeUndefined();
  });

  test('32 levels are read, 33 and 100,000 are refused [CHAR-06]', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(32)).ok).toBe(true);
    expect(fault(nested(33))).toContain('at most 32 levels of nesting');
    expect(fault('['.repeat(100_000))).toContain('at most 32 levels of nesting');
    expect(fault('{"a":'.repeat(100_000))).toContain('at most 32 levels of nesting');
  });

  test('a key that no packet has is not repeated in the path', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    expect(fault(`{"${secret}":1,"${secret}":2}`)).toBe('$["?"]: each key once');
    expect(fault(`{"claims":[{"${secret}":NaN}]}`)).toBe(
      '$.claims[0]["?"]: a number in the spelling of JSON',
    );
  });
});
