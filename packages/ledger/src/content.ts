/** The port of a content store: bytes addressed by their digest. Files and memory both fit. */
import { digestOf, portableSha256, type Digest, type Sha256Hex } from './digest.ts';

/** The bytes stand in the store (durable where it is); `already` when they stood there before. */
export type Stored = { readonly status: 'stored'; readonly digest: Digest; readonly already: boolean };

/** What a store answers for a digest. `damaged`: the bytes there have another digest and are not given. */
export type Content =
  | { readonly status: 'found'; readonly bytes: Uint8Array }
  | { readonly status: 'missing' }
  | { readonly status: 'damaged'; readonly actual: Digest | null; readonly reason: string };

/** A store of immutable bytes. `Refusal` is what its writes can refuse with; memory never refuses. */
export type ContentStore<Refusal = never> = {
  readonly durable: boolean;
  /** Puts bytes; twice is once. Durable before it returns, so that an event may name the digest afterwards. */
  readonly put: (bytes: Uint8Array) => Stored | Refusal;
  /** Gives bytes, verified against their digest. */
  readonly get: (digest: Digest) => Content;
};

/** A content store without a disk. */
export const memoryContentStore = (sha256: Sha256Hex = portableSha256): ContentStore => {
  const kept = new Map<Digest, Uint8Array>();
  return {
    durable: false,
    put: (bytes) => {
      const digest = digestOf(bytes, sha256);
      const already = kept.has(digest);
      if (!already) kept.set(digest, new Uint8Array(bytes));
      return { status: 'stored', digest, already };
    },
    get: (digest) => {
      const bytes = kept.get(digest);
      return bytes === undefined ? { status: 'missing' } : { status: 'found', bytes: new Uint8Array(bytes) };
    },
  };
};
