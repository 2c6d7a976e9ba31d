/** Catches: a digest in another spelling, or over other bytes than the ones meant. */
import { expect, test } from 'vitest';
import { digestHex, digestOf, digestOfJson, parseDigest, ZERO_DIGEST } from './digest.ts';

test('the digest of a known text is the known one, over bytes and over text', () => {
  const known = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(digestOf('abc')).toBe(known);
  expect(digestOf(new Uint8Array([0x61, 0x62, 0x63]))).toBe(known);
  expect(digestOf('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  // As `printf 'Größe 🙂' | sha256sum` gives it: text is hashed as UTF-8.
  expect(digestOf('Größe 🙂')).toBe(
    'sha256:e720bc67ce1a7a9bce909cf72e36d53c58e9f6446fc578c2524b9b897c88beba',
  );
});

test('the digest of a value is that of its canonical text, whatever the order of its keys', () => {
  // printf '{"a":1,"b":[true,null]}' | sha256sum
  const known = 'sha256:1cc69c7fa23616ca2ec3ee70d24390a6225c8832db8a4c814c7e0e7f942f8668';
  expect(digestOfJson({ b: [true, null], a: 1 })).toBe(known);
  expect(digestOfJson({ a: 1, b: [true, null] })).toBe(known);
});

test('a digest has one spelling', () => {
  const hex = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(parseDigest(`sha256:${hex}`)).toBe(`sha256:${hex}`);
  for (const other of [
    hex,
    `SHA256:${hex}`,
    `sha256:${hex.toUpperCase()}`,
    `sha256:${hex}0`,
    ` sha256:${hex}`,
    `sha256:${hex}\n`,
  ]) {
    expect(parseDigest(other)).toBeNull();
  }
  expect(digestHex(digestOf('abc'))).toBe(hex);
  expect(ZERO_DIGEST).toBe('sha256:0000000000000000000000000000000000000000000000000000000000000000');
});
