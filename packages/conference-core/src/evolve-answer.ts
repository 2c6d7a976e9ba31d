/** What an answered decision changes in the state: seats to fill again, limitations accepted (01 Asking). */
import type { DispatchState, EventPayload } from '@x/protocol';
import { allowanceAgain, isLastRound } from './budget/iterations.ts';
import { rowOf, type Round, type Seat } from './round.ts';
import { currentRound, type State } from './state.ts';

/** The answer is recorded; what it moves is left to settle, what it grants is copied here. */
export function evolveAnswer(state: State, payload: EventPayload<'decision.answered'>): State {
  const { decision_id, kind, option, answered_by } = payload;
  const about = state.blocked?.reason ?? '';
  const answered = [...state.answered, { decision_id, kind, option, round: state.round, answered_by, about }];
  const next: State = { ...state, pending: null, answer: { kind, option }, answered };
  const round = currentRound(state);
  switch (kind) {
    case 'evidence_missing':
      return replaceRound(next, round, (own) =>
        option === 'redispatch'
          ? reseatLanes(next, own, (row) => row !== 'received')
          : { ...own, partial_accepted: option === 'continue' },
      );
    case 'no_valid_packet':
      return option === 'redispatch'
        ? replaceRound(next, round, (own) => reseatLanes(next, own, () => true))
        : next;
    case 'poster_failed':
      return replaceRound(next, round, (own) =>
        option === 'redispatch'
          ? { ...own, poster: nextAttempt(own.poster) }
          : { ...own, poster_skipped: own.poster_skipped || option === 'skip' },
      );
    case 'review_failed':
      return option === 'redispatch'
        ? replaceRound(next, round, (own) => ({ ...own, review: nextAttempt(own.review) }))
        : next;
    case 'synthesis_failed': {
      const { synthesis } = next;
      return option === 'redispatch'
        ? { ...next, synthesis: { ...synthesis, seat: nextAttempt(synthesis.seat) } }
        : { ...next, synthesis: { ...synthesis, skipped: option === 'complete_without' } };
    }
    case 'pause':
      return replaceRound(next, round, (own) => ({ ...own, pause_answered: option === 'continue' }));
    default:
      return next;
  }
}

function replaceRound(state: State, round: Round | null, change: (round: Round) => Round): State {
  if (round === null) return state;
  const rounds = state.rounds.slice();
  rounds[round.round - 1] = change(round);
  return { ...state, rounds };
}

function nextAttempt(seat: Seat): Seat {
  return { attempt: seat.attempt + 1, row: null };
}

/**
 * Frees the seats whose dispatch ended in a state that asks for it. What each of them is granted is fixed here, once
 * for all: shares that were worked out one issue at a time would differ from what their charters say.
 */
function reseatLanes(state: State, round: Round, freed: (state: DispatchState) => boolean): Round {
  const lanes = round.lanes.map((seat) => {
    const row = rowOf(round.rows, seat);
    return row !== null && row.state !== 'dispatched' && freed(row.state) ? nextAttempt(seat) : seat;
  });
  const unissued = lanes.filter((seat) => seat.row === null).length;
  const plan = state.planned?.plan;
  if (plan === undefined) return { ...round, lanes, unissued };
  const spent = state.iterations_spent;
  const { iteration_allowance: before } = round;
  const granted = allowanceAgain(plan, spent, { lanes: unissued, iteration_allowance: before });
  const last_round = round.last_round || isLastRound(plan, round.round, spent + granted * unissued);
  return { ...round, lanes, unissued, iteration_allowance: granted, last_round };
}
