/** SHA-256 digests in the one spelling that is used everywhere: `sha256:` and 64 lower-case hex digits. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { $brand } from 'zod';
import { canonicalJson } from './canonical.ts';

export type Digest = string & $brand<'Digest'>;

export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and 64 zeros: what stands where there is nothing before (03 Ledger). */
export const ZERO_DIGEST = brand(`sha256:${'0'.repeat(64)}`);

/** The digest that a text spells, or null. */
export function parseDigest(text: string): Digest | null {
  return DIGEST_PATTERN.test(text) ? brand(text) : null;
}

/** SHA-256 over bytes as they are, or over the UTF-8 form of a text. */
export function digestOf(content: Uint8Array | string): Digest {
  return brand(`sha256:${bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content))}`);
}

/** SHA-256 over the canonical JSON of a value. */
export function digestOfJson(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}

/** The hex digits alone, as file names use them. */
export function digestHex(digest: Digest): string {
  return digest.slice('sha256:'.length);
}

// The brand is made here and by the schema only, after the pattern was seen or by construction.
function brand(text: string): Digest {
  return text as Digest;
}
