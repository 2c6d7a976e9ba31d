/** What judging a packet gave (02 Rejection); made by the `./packets` subpath, taken by `decide`. */
import type { Digest, FailureCode, PacketFacts } from '@x/protocol';

export interface Accepted {
  readonly ok: true;
  /** Of the canonical JSON that was read from the bytes, as it stands in the content store. */
  readonly content_digest: Digest;
  readonly facts: PacketFacts;
  /** Version of the rules that judged. */
  readonly rules: string;
}

export interface Refused {
  readonly ok: false;
  readonly code: FailureCode;
  /** Bounded and redacted: never the content that caused it. */
  readonly reason: string;
  readonly rules: string;
}

export type Admission = Accepted | Refused;
