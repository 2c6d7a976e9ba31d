/** The limitations of a conference, one sentence each, in the order in which they came about (001 Output channels). */
import type { DispatchRow } from '../dispatch-row.ts';
import { laneLetter } from '../lane.ts';
import { laneRows, type Round } from '../round.ts';
import { hasReviewedEvidence, isFinal, type State } from '../state.ts';

/** How many lanes of one round are named one by one; the rest are counted. */
const LANES_NAMED_MAX = 12;

export function limitationsOf(state: State): string[] {
  const list = state.rounds.flatMap((round) => limitationsOfRound(state, round));
  const { synthesis } = state;
  list.push(...leftOut(synthesis.rows, 'The synthesis charter'));
  if (state.outcome === 'STALLED') list.push('All lanes were stalled or blocked; the synthesis came early.');
  if (state.outcome === 'BUDGET_STOP')
    list.push('The budget ended the conference before a convergence rule did.');
  if (state.answered.some(({ option }) => option === 'stop'))
    list.push('The user stopped the conference early.');
  for (const { option, about } of state.answered) {
    if (option === 'restart')
      list.push(`The user decided to restart, for the files were not as recorded: ${about}`);
  }
  if (synthesis.skipped) list.push('There is no synthesis: the user completed without one.');
  if (isFinal(state) && !hasReviewedEvidence(state)) list.push('Nothing was validated by a review.');
  if (state.stale_results > 0)
    list.push(`${state.stale_results} late or unknown results were left out of the evidence.`);
  if (state.planned?.replay === true) list.push('The packets come from a recording: this is a replay.');
  return list;
}

function limitationsOfRound(state: State, round: Round): string[] {
  const list: string[] = [];
  const named = laneRows(round).flatMap((row, lane) => {
    if (row === null || row.state === 'dispatched') return [];
    if (row.state === 'received')
      return row.facts?.status === 'blocked' ? [`${laneLetter(lane)} blocked`] : [];
    return [`${laneLetter(lane)} ${row.state}${row.code === null ? '' : ` (${row.code})`}`];
  });
  if (named.length > 0) {
    const rest = named.length - LANES_NAMED_MAX;
    const shown = named.slice(0, LANES_NAMED_MAX).join(', ');
    list.push(
      `Round ${round.round}: lanes without evidence: ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`,
    );
  }
  for (const [role, charters] of CHARTERS_OF_ROUND) {
    const rows = round.rows.filter((row) => row.role === role);
    list.push(...leftOut(rows, `The ${charters} of round ${round.round}`));
  }
  if (round.poster_skipped) list.push(`Round ${round.round} was reviewed without a poster.`);
  if (round.partial_accepted)
    list.push(`Round ${round.round} went on without what its failed lanes would have brought.`);
  if (!round.reviewed && isFinal(state))
    list.push(`Round ${round.round} was not reviewed; its packets count for nothing.`);
  return list;
}

const CHARTERS_OF_ROUND = [
  ['researcher', 'research charters'],
  ['poster', 'poster charter'],
  ['reviewer', 'review charter'],
] as const;

/** One context serves all charters of a phase, and one more where a charter was sent again. */
function leftOut(rows: readonly DispatchRow[], whose: string): string[] {
  const most = rows.reduce((max, row) => Math.max(max, row.excerpts_left_out), 0);
  if (most === 0) return [];
  return [
    `${whose} went without ${most === 1 ? 'one excerpt' : `${most} excerpts`} of the evidence: a secret rule matched.`,
  ];
}
