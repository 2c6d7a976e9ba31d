/**
 * Which artifacts are to be written now (03 Artifacts): none without a grant, and none twice in a round.
 *
 * Idempotent effects happen first and are recorded after, so an artifact is owed until its event says it is there
 * (design "Two kinds of effect").
 */
import { rowOf } from '../round.ts';
import { currentRound, isFinal, openDispatches, type State } from '../state.ts';
import {
  CONFERENCE_MD,
  FINAL_REPORT_MD,
  peerReviewPath,
  posterSessionPath,
  RESULTS_TSV,
  SYNTHESIS_MD,
} from './paths.ts';

/** Paths relative to the conference folder, in the order in which they are written. */
export function owedArtifacts(state: State): string[] {
  if (state.grant === null) return [];
  if (state.state === 'REVIEWING' && state.phase === 'transfer') return owedByRound(state);
  if (state.state === 'SYNTHESIZING') return owedBySynthesis(state);
  if (isFinal(state) && openDispatches(state) === 0 && !state.closing.ended) {
    return state.artifacts.has(FINAL_REPORT_MD) ? [] : [FINAL_REPORT_MD];
  }
  return [];
}

function owedByRound(state: State): string[] {
  const round = currentRound(state);
  if (round === null || round.record !== null) return [];
  const poster = round.poster_skipped ? [] : [posterSessionPath(round.round)];
  // Without a file that the plan was read from there is none to write back to.
  const source = state.planned?.source_digest === null ? [] : [CONFERENCE_MD];
  return [...poster, peerReviewPath(round.round), RESULTS_TSV, ...source].filter(
    (path) => state.artifacts.get(path)?.round !== round.round,
  );
}

function owedBySynthesis(state: State): string[] {
  const row = rowOf(state.synthesis.rows, state.synthesis.seat);
  if (state.synthesis.skipped || row?.state !== 'received') return [];
  return state.artifacts.has(SYNTHESIS_MD) ? [] : [SYNTHESIS_MD];
}
