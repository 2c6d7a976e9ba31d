/** File names of the sources (03 Artifacts), relative to the conference folder. */
export const CONFERENCE_MD = 'conference.md';
export const EVENTS_JSONL = 'conference_events.jsonl';
export const RESULTS_TSV = 'conference_results.tsv';
export const SYNTHESIS_MD = 'synthesis.md';
export const FINAL_REPORT_MD = 'final_report.md';

export function posterSessionPath(round: number): string {
  return `poster_session_round_${round}.md`;
}

export function peerReviewPath(round: number): string {
  return `peer_review_round_${round}.md`;
}
