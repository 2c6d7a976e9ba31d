/** What a packet is compared with beyond its charter: the packets that the charter shows. The Chair fills it. */
import type { ShownPacket } from '../evidence/claim-ref.ts';

export interface AdmissionContext {
  /** Accepted research dispatches that the charter shows: a poster owes one summary for each, a reviewer scores them. */
  readonly research: readonly string[];
  /**
   * The packets whose claims and measurements are under review, whole: an excerpt may have given way to its bound.
   * Called for a reviewer only, and once.
   */
  packetsOf(): readonly ShownPacket[];
  /** Refs that a synthesis charter shows; ids in them count as given. */
  readonly refs: readonly string[];
}

/** For a researcher: nothing is shown but the excerpts of its charter. */
export const NO_LINKS: AdmissionContext = { research: [], packetsOf: () => [], refs: [] };
