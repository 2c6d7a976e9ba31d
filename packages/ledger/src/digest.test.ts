import { expect, test } from 'vitest';
import { asDigest, digestOf, digestOfJson, hexOf, isDigest, parseDigest, zeroDigest } from './digest.ts';
import { LedgerError } from './error.ts';

const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('a digest is SHA-256 of the bytes, a text counting as its UTF-8 [LEDG-02]', () => {
  expect(digestOf('abc')).toBe(abc);
  expect(digestOf(new Uint8Array([0x61, 0x62, 0x63]))).toBe(abc);
  expect(digestOf('їжак 🙂')).toBe(digestOf(new TextEncoder().encode('їжак 🙂')));
  expect(digestOfJson({ b: 1, a: 2 })).toBe(digestOf('{"a":2,"b":1}'));
  expect(hexOf(asDigest(abc))).toBe(abc.slice(7));
  expect(zeroDigest).toBe('sha256:0000000000000000000000000000000000000000000000000000000000000000');
});

test('only sha256: and 64 lower-case hex digits are a digest', () => {
  expect(parseDigest(abc)).toBe(abc);
  for (const text of [
    abc.toUpperCase(),
    abc.slice(0, -1),
    `${abc}0`,
    abc.slice(7),
    ` ${abc}`,
    `${abc}\n`,
    7,
    null,
  ]) {
    expect(parseDigest(text)).toBeNull();
    expect(isDigest(text)).toBe(false);
  }
  expect(() => asDigest('sha1:00')).toThrow(LedgerError);
});
