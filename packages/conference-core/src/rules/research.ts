/** From the plan to the end of the research phase (000 §4; 01 State and phase, Dispatch accounting). */
import type { ConferenceEvent } from '@x/protocol';
import { affordableAllowance, isLastRound } from '../budget/iterations.ts';
import { laneRows, type Round } from '../round.ts';
import { currentRound } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { usableValues } from './accounting.ts';
import { askEvent } from './pending-decisions.ts';
import type { SettleRule, Settling } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

export const confirmed: SettleRule = {
  id: 'confirmed',
  source: '01 State and phase',
  whilePending: false,
  next: ({ state, now }) =>
    state.state === 'PLANNING' && state.confirmed
      ? transitionEvent(state, now, {
          state: 'CONFIRMED',
          phase: null,
          reason: 'the user confirmed the plan',
        })
      : null,
};

export const openFirstRound: SettleRule = {
  id: 'open_first_round',
  source: '01 State and phase',
  whilePending: false,
  next: ({ state, now }) =>
    state.state === 'CONFIRMED' && state.started !== null
      ? transitionEvent(state, now, {
          state: 'DISPATCHING',
          phase: 'research',
          round: 1,
          reason: 'round 1 opens',
        })
      : null,
};

export const startRound: SettleRule = {
  id: 'start_round',
  source: '01 Budgets',
  whilePending: false,
  next: ({ state, planned: { plan }, now }) => {
    if (state.state !== 'DISPATCHING' || currentRound(state) !== null) return null;
    const iteration_allowance = affordableAllowance(plan, state.iterations_spent, plan.lanes);
    if (iteration_allowance === 0) {
      const reason = 'fewer iterations are left than there are lanes';
      return transitionEvent(state, now, { state: 'BUDGET_STOP', phase: null, reason });
    }
    const spentAfter = state.iterations_spent + iteration_allowance * plan.lanes;
    return {
      event: 'round.started',
      timestamp: toTimestamp(now),
      payload: {
        round: state.round,
        lanes: plan.lanes,
        iteration_allowance,
        last_round: isLastRound(plan, state.round, spentAfter),
      },
    };
  },
};

export const collect: SettleRule = {
  id: 'collect',
  source: '01 State and phase',
  whilePending: false,
  next: ({ state, now }) => {
    const round = currentRound(state);
    if (state.state !== 'DISPATCHING' || round === null || round.unissued > 0) return null;
    const reason = `every research charter of round ${round.round} is issued`;
    return transitionEvent(state, now, { state: 'COLLECTING', phase: 'research', reason });
  },
};

/** Every research id is terminal: on to the poster, or a block, or a question. */
export const closeResearch: SettleRule = {
  id: 'close_research',
  source: '000 §4; 01 Dispatch accounting',
  whilePending: false,
  next: (settling) => {
    const { state, planned, now } = settling;
    const round = currentRound(state);
    if (state.state !== 'COLLECTING' || state.phase !== 'research' || round === null) return null;
    if (round.unissued > 0 || round.open > 0) return null;
    const rows = laneRows(round);
    if (!rows.some((row) => row?.state === 'received')) return noValidPacket(settling, round);
    const failed = rows.flatMap((row) => (row !== null && row.state !== 'received' ? [row.dispatch_id] : []));
    const asks = !canBeJudged(settling, round) || state.recovered_round === round.round;
    if (failed.length > 0 && !round.partial_accepted && asks) {
      return askEvent(state, now, { planned, kind: 'evidence_missing', about: failed });
    }
    const reason = `every research id of round ${round.round} is terminal`;
    return transitionEvent(state, now, { state: 'COLLECTING', phase: 'poster', reason });
  },
};

function noValidPacket({ now }: Settling, round: Round): ConferenceEvent {
  return {
    event: 'conference.blocked',
    timestamp: toTimestamp(now),
    payload: {
      code: 'BLOCKED_NO_VALID_PACKET',
      reason: `no lane of round ${round.round} gave a valid packet`,
    },
  };
}

/** Metric mode: at least one usable measurement; qualitative mode: at least one lane to score. */
function canBeJudged({ planned: { plan } }: Settling, round: Round): boolean {
  return laneRows(round).some((row) => {
    if (row === null || row.facts === null || row.facts.status === 'blocked') return false;
    return plan.mode === 'qualitative' || usableValues(row, plan).length > 0;
  });
}
