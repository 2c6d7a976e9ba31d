/** The bytes of each artifact, by its path (03 Artifacts). The same state and content give the same bytes anywhere. */
import { digestOf, type Digest } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import type { State } from '../state.ts';
import { finalReport } from './final-report.ts';
import type { LedgerLine } from './ledger-line.ts';
import { FINAL_REPORT_MD, peerReviewPath, posterSessionPath, RESULTS_TSV, SYNTHESIS_MD } from './paths.ts';
import { peerReview } from './peer-review.ts';
import { posterSession } from './poster-session.ts';
import { resultsTsv } from './results-tsv.ts';
import { synthesis } from './synthesis.ts';

export interface Artifact {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

const encoder = new TextEncoder();

/**
 * The bytes of one artifact of the conference folder, by its path of `paths.ts`.
 * @param head where the ledger ends now, for the report's ledger line
 * @throws Error for a path that names no artifact of this conference: a bug of the caller
 */
export function* renderArtifact(state: State, path: string, head: LedgerLine): Reading<Artifact> {
  const bytes = encoder.encode(yield* textOf(state, path, head));
  return { bytes, digest: digestOf(bytes) };
}

/** The report as text: for the root's response without a grant, and for a conference under way. */
export function* renderReport(state: State, head: LedgerLine): Reading<string> {
  return yield* finalReport(state, head);
}

function* textOf(state: State, path: string, head: LedgerLine): Reading<string> {
  switch (path) {
    case RESULTS_TSV:
      return yield* resultsTsv(state);
    case SYNTHESIS_MD:
      return yield* synthesis(state);
    case FINAL_REPORT_MD:
      return yield* finalReport(state, head);
  }
  for (const round of state.rounds) {
    if (path === posterSessionPath(round.round)) return yield* posterSession(round);
    if (path === peerReviewPath(round.round)) return yield* peerReview(state, round);
  }
  throw new Error(`${path} is no artifact of a conference with ${state.rounds.length} rounds`);
}
