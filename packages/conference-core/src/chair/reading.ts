/** Runs readings over the content store, and reads stored charters back (design C3). */
import type { Digest } from '@x/protocol';
import { runReading, type Reading } from '../charters/content.ts';
import type { ContentPort, ContentRefused } from './ports.ts';

/** Stored content is missing or has other bytes: the folder is not what the ledger says. */
export class ContentMissing extends Error {
  readonly code = 'CONTENT_MISSING';
  readonly digest: Digest;
  constructor(digest: Digest, why: string) {
    super(`the content ${digest} that the ledger names is ${why}`);
    this.digest = digest;
  }
}

/** The refusal of a store that lost content, in the shape of a write that failed. */
export function contentTrouble(missing: ContentMissing): ContentRefused {
  return { status: 'refused', code: missing.code, message: missing.message };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text with this digest. @throws ContentMissing */
export function contentText(objects: ContentPort, digest: Digest): string {
  const found = objects.get(digest);
  if (found.status === 'found') return decoder.decode(found.bytes);
  throw new ContentMissing(digest, found.status === 'missing' ? 'missing' : found.reason);
}

/** @throws ContentMissing */
export function read<Result>(reading: Reading<Result>, objects: ContentPort): Result {
  return runReading(reading, (digest) => contentText(objects, digest));
}
