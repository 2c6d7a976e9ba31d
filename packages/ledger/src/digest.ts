/**
 * Digests: `sha256:` and 64 lower-case hex digits. Boundary: bytes or text in, a branded text out.
 *
 * The hash function is a parameter wherever speed counts: `./node` hands in `node:crypto`, about four times faster.
 */
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical.ts';
import { LedgerError } from './error.ts';

declare const digestBrand: unique symbol;

/** `sha256:<64 lower-case hex>`, made only by {@link parseDigest} and the digest functions. */
export type Digest = `sha256:${string}` & { readonly [digestBrand]: true };

/** SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hex digits. Must be exactly that: every check rests on it. */
export type Sha256Hex = (data: Uint8Array | string) => string;

/** SHA-256 without Node: runs wherever JavaScript does. */
export const portableSha256: Sha256Hex = (data) =>
  bytesToHex(nobleSha256(typeof data === 'string' ? utf8ToBytes(data) : data));

const digestPattern = /^sha256:[0-9a-f]{64}$/u;

/** Whether a text is a digest: upper case, other lengths and other algorithms are none. */
export const isDigest = (text: unknown): text is Digest =>
  typeof text === 'string' && digestPattern.test(text);

/** The digest that a text is, or null: upper case, other lengths and other algorithms are none. */
export const parseDigest = (text: unknown): Digest | null => (isDigest(text) ? text : null);

/** As {@link parseDigest}, for text known to be one. Throws `LedgerError` `NOT_A_DIGEST` otherwise. */
export const asDigest = (text: string): Digest => {
  const digest = parseDigest(text);
  if (digest === null)
    throw new LedgerError('NOT_A_DIGEST', `expected sha256:<64 hex>, found ${JSON.stringify(text)}`);
  return digest;
};

/** The digest of bytes, or of a text in UTF-8. */
export const digestOf = (data: Uint8Array | string, sha256: Sha256Hex = portableSha256): Digest =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Sha256Hex promises 64 hex digits
  `sha256:${sha256(data)}` as Digest;

/** The digest of a value's canonical JSON. Throws `LedgerError` `NOT_JSON` for a value that has none. */
export const digestOfJson = (value: unknown, sha256: Sha256Hex = portableSha256): Digest =>
  digestOf(canonicalJson(value), sha256);

/** The 64 hex digits of a digest: file names of the content store. */
export const hexOf = (digest: Digest): string => digest.slice('sha256:'.length);

/** `prev` of the first line: `sha256:` and 64 zeros. */
export const zeroDigest: Digest = asDigest(`sha256:${'0'.repeat(64)}`);
