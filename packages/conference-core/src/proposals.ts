/**
 * The dispatches that are to be issued now, with their derived ids (design C4). A generator: a caller with one free
 * slot pays for one.
 */
import type { DispatchId, Role } from '@x/protocol';
import { dispatchIdFor } from './plan/ids.ts';
import type { Round, Seat } from './round.ts';
import { currentRound, type Planned, type State } from './state.ts';

export interface Proposal {
  readonly dispatch_id: DispatchId;
  readonly role: Role;
  readonly round: number;
  readonly lane: number | null;
  readonly attempt: number;
  readonly iteration_allowance: number | null;
  readonly timeout_ms: number;
}

export function* proposals(state: State): Generator<Proposal> {
  const { planned } = state;
  if (planned === null || state.pending !== null) return;
  const round = currentRound(state);
  if (round === null) return;
  const timeouts = planned.plan.timeouts;
  if (state.phase === 'research' && (state.state === 'DISPATCHING' || state.state === 'COLLECTING')) {
    yield* lanes(planned, round);
  } else if (state.state === 'COLLECTING' && state.phase === 'poster') {
    if (!round.poster_recorded && !round.poster_skipped && round.poster.row === null) {
      yield single(planned, round.round, {
        role: 'poster',
        seat: round.poster,
        timeout_ms: timeouts.poster_ms,
      });
    } else if (round.poster_recorded && round.review.row === null) {
      yield single(planned, round.round, {
        role: 'reviewer',
        seat: round.review,
        timeout_ms: timeouts.reviewer_ms,
      });
    }
  } else if (state.state === 'REVIEWING' && state.phase === 'review' && round.review.row === null) {
    yield single(planned, round.round, {
      role: 'reviewer',
      seat: round.review,
      timeout_ms: timeouts.reviewer_ms,
    });
  } else if (
    state.state === 'SYNTHESIZING' &&
    !state.synthesis.skipped &&
    state.synthesis.seat.row === null
  ) {
    const { seat } = state.synthesis;
    // What was out when the user stopped is cancelled first.
    if (round.open === 0) {
      yield single(planned, round.round, { role: 'synthesis', seat, timeout_ms: timeouts.synthesis_ms });
    }
  }
}

function* lanes(planned: Planned, round: Round): Generator<Proposal> {
  const { plan } = planned;
  if (round.unissued === 0) return;
  for (let lane = 0; lane < round.lanes.length; lane += 1) {
    const seat = round.lanes[lane];
    if (seat === undefined || seat.row !== null) continue;
    const { attempt } = seat;
    yield {
      dispatch_id: dispatchIdFor(planned, { role: 'researcher', round: round.round, lane, attempt }),
      role: 'researcher',
      round: round.round,
      lane,
      attempt,
      iteration_allowance: round.iteration_allowance,
      timeout_ms: plan.timeouts.researcher_ms,
    };
  }
}

function single(
  planned: Planned,
  round: number,
  { role, seat, timeout_ms }: { role: Role; seat: Seat; timeout_ms: number },
): Proposal {
  const { attempt } = seat;
  return {
    dispatch_id: dispatchIdFor(planned, { role, round, lane: null, attempt }),
    role,
    round,
    lane: null,
    attempt,
    iteration_allowance: null,
    timeout_ms,
  };
}
