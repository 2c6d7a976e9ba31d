import fc from 'fast-check';
import oracle from 'canonicalize';
import { expect, test } from 'vitest';
import { canonicalize, canonicalJson, depthMax } from './canonical.ts';
import { LedgerError } from './error.ts';

const refusal = (value: unknown): string => {
  const result = canonicalize(value);
  return result.status === 'not_json' ? `${result.path}: ${result.found}` : `accepted: ${result.text}`;
};

test('keys stand sorted by UTF-16 code unit at every depth, and numbers and escapes are those of RFC 8785 [LEDG-01]', () => {
  expect(canonicalJson({ b: [{ z: 1, a: 2 }], a: 1, 10: 'x', 9: 'y' })).toBe(
    '{"10":"x","9":"y","a":1,"b":[{"a":2,"z":1}]}',
  );
  expect(canonicalJson({ '\u{1f600}': 1, '\ufb33': 2, é: 3, '\r': 4, '1': 5, '\u0080': 6, '€': 7 })).toBe(
    '{"\\r":4,"1":5,"\u0080":6,"é":3,"€":7,"😀":1,"\ufb33":2}',
  );
  expect(
    canonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 1e-7, 123456789012]),
  ).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,1e-7,123456789012]');
  expect(canonicalJson('€$\u000f\nA\'B"\\\\"/\u007f\u2028')).toBe(
    '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f\u2028"',
  );
});

test('what JSON cannot say is refused with its path, never dropped and never turned into null', () => {
  expect(refusal(undefined)).toBe('$: undefined');
  expect(refusal({ a: { b: undefined } })).toBe('$.a.b: undefined');
  expect(refusal([1, () => 1])).toBe('$[1]: a function');
  expect(refusal({ 'a b': [Number.NaN] })).toBe('$["a b"][0]: NaN');
  expect(refusal({ a: Infinity })).toBe('$.a: Infinity');
  expect(refusal({ a: 1n })).toBe('$.a: a bigint');
  expect(refusal({ a: Symbol('x') })).toBe('$.a: a symbol');
  expect(refusal({ a: new Date(0) })).toBe('$.a: an instance of Date');
  expect(refusal({ a: new Map() })).toBe('$.a: an instance of Map');
  expect(refusal({ toJSON: () => 1 })).toBe('$.toJSON: a function');
  // oxlint-disable-next-line no-sparse-arrays -- a hole is the case
  expect(refusal([1, , 2])).toBe('$[1]: undefined');
});

test('a lone surrogate is refused in values and keys; a pair, and the text of an escape, are not', () => {
  expect(refusal({ a: ['x', '\ud800'] })).toBe('$.a[1]: a lone surrogate');
  expect(refusal({ a: '\udc00\ud800' })).toBe('$.a: a lone surrogate');
  expect(refusal({ '\ud800': 1 })).toBe('$: a key with a lone surrogate');
  expect(refusal({ a: '\ud83d\ude42', b: '\\ud800' })).toBe(String.raw`accepted: {"a":"🙂","b":"\\ud800"}`);
});

test('nesting is bounded, so a cycle is refused instead of ending the process', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(refusal(cycle)).toContain('a cycle');
  let deep: unknown = 1;
  for (let depth = 0; depth < depthMax; depth++) deep = [deep];
  expect(canonicalize(deep).status).toBe('canonical');
  expect(refusal([deep])).toContain(`deeper than ${depthMax}`);
  expect(() => canonicalJson([deep])).toThrow(LedgerError);
});

test('a key named __proto__ is a key like any other', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}'))).toBe(
    '{"__proto__":{"x":2,"y":1},"b":1}',
  );
});

test('any JSON value has the text that an independent implementation gives it, whatever the order of its keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(value)).toBe(oracle(value));
    }),
  );
});
