/**
 * Pure code that needs stored bytes is a generator: it yields digests and is given content (design C3). Content is
 * the canonical JSON made at admission, never the prose a child sent.
 */
import type { Digest, JsonValue } from '@x/protocol';

/** Yields the digest of what it needs, is given the text that has this digest. */
export type Reading<Result> = Generator<Digest, Result, string>;

/** One stored document. The text was made by our own admission, so it parses. */
export function* readJson(digest: Digest): Reading<JsonValue> {
  const text = yield digest;
  return JSON.parse(text) as JsonValue; // our own canonical JSON, addressed by its digest
}

/** Runs a reading over a synchronous lookup. */
export function runReading<Result>(reading: Reading<Result>, contentOf: (digest: Digest) => string): Result {
  let next = reading.next();
  while (next.done !== true) next = reading.next(contentOf(next.value));
  return next.value;
}
