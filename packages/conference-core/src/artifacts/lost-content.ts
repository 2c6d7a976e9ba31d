/**
 * A report over a folder that lost content (01 State, "End of a conference"): what a packet said is gone, that it was
 * accepted is not. The report is made without those packets and names each of them.
 */
import type { Digest } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { allRows, type State } from '../state.ts';
import { code, counted } from './markdown.ts';
import { rowName } from './ref-table.ts';

/** Lost packets that a report names one by one; the rest are counted. */
const LOST_NAMED_MAX = 20;

/** Accepted packets whose content is asked for and not there. */
export function lostDigests(state: State, isThere: (digest: Digest) => boolean): ReadonlySet<Digest> {
  const lost = new Set<Digest>();
  for (const { state: ended, content_digest } of allRows(state)) {
    if (ended === 'received' && content_digest !== null && !isThere(content_digest)) lost.add(content_digest);
  }
  return lost;
}

/** The state as a report without these contents reads it: facts and verdicts stand, the packets do not. */
export function withoutContent(state: State, lost: ReadonlySet<Digest>): State {
  const without = (row: DispatchRow): DispatchRow =>
    row.content_digest !== null && lost.has(row.content_digest) ? { ...row, content_digest: null } : row;
  return {
    ...state,
    rounds: state.rounds.map((round) => ({ ...round, rows: round.rows.map(without) })),
    synthesis: { ...state.synthesis, rows: state.synthesis.rows.map(without) },
  };
}

/** One sentence for each packet that was accepted and whose content is lost. */
export function lostSentences(state: State): string[] {
  const lost = [...allRows(state)].filter((row) => row.state === 'received' && row.content_digest === null);
  if (lost.length === 0) return [];
  const rest = lost.length - LOST_NAMED_MAX;
  return [
    `The content of ${counted(lost.length, 'accepted packet is', 'accepted packets are')} lost: what they said is missing from this report, what was recorded of them is not.`,
    ...lost
      .slice(0, LOST_NAMED_MAX)
      .map(
        (row) =>
          `Lost: ${row.role === 'synthesis' ? 'the synthesis' : rowName(row)}, dispatch ${code(row.dispatch_id)}, packet ${code(row.digest ?? '-')}`,
      ),
    ...(rest > 0 ? [`Lost: ${rest} more`] : []),
  ];
}
