/**
 * Catches: two machines writing different bytes for one value, and a value that reads back as another one.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { canonicalJson, CanonicalJsonError, CANONICAL_DEPTH_MAX } from './canonical.ts';

describe('canonical JSON', () => {
  // The numbers of RFC 8785 appendix B, as IEEE 754 bits and their one spelling.
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the number with bits %s is spelled %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE(0))).toBe(text);
  });

  test('keys are sorted by UTF-16 units and strings escaped as RFC 8785 does', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
    expect(canonicalJson('€$\u000f\nA\'B"\\\\"/\u2028')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028"');
  });

  test('the known ledger lines are their own canonical form, numbers included', () => {
    const lines = readFileSync(new URL('../test/vectors/ledger.jsonl', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(canonicalJson(JSON.parse(line))).toBe(line);
    expect(canonicalJson([0, -1, 1.5, 1e21, 1e-7, 0.000001, 123456789012])).toBe(
      '[0,-1,1.5,1e+21,1e-7,0.000001,123456789012]',
    );
  });

  test('members that are undefined are left out, and nothing else is', () => {
    expect(canonicalJson({ b: undefined, a: null, c: [] })).toBe('{"a":null,"c":[]}');
  });

  const hole: unknown[] = [];
  hole.length = 2;
  hole[1] = 1;
  let deep: unknown = 0;
  for (let level = 0; level <= CANONICAL_DEPTH_MAX; level += 1) deep = [deep];
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;

  test.each([
    ['undefined', undefined, '$'],
    ['undefined in an array', { a: [1, undefined] }, '$.a[1]'],
    ['a hole in an array', { a: hole }, '$.a[0]'],
    ['a function', { f: () => 1 }, '$.f'],
    ['a symbol', { s: Symbol('s') }, '$.s'],
    ['a big integer', [1n], '$[0]'],
    ['NaN', { n: Number.NaN }, '$.n'],
    ['Infinity', [Number.POSITIVE_INFINITY], '$[0]'],
    ['a lone high surrogate', { a: 'x\ud83d' }, '$.a'],
    ['a lone low surrogate', { a: ['\ude00x'] }, '$.a[0]'],
    ['a lone surrogate in a key', { 'k\ud800': 1 }, '$'],
    ['a date, which would print as text', { d: new Date(0) }, '$.d'],
    ['a map, which would print as {}', { m: new Map([[1, 2]]) }, '$.m'],
    ['bytes, which would print as an object', new Uint8Array(2), '$'],
    ['a value nested too deeply', deep, '$[0]'],
    ['a value that holds itself', loop, '$.self'],
  ])('refuses %s, naming where it stands', (_what, value, path) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
    expect(() => canonicalJson(value)).toThrow(path);
  });

  test('what it prints reads back as the same value, and prints the same again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const wellFormed =
          JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value));
        fc.pre(wellFormed);
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        // -0 has no spelling of its own; everything else is kept.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
