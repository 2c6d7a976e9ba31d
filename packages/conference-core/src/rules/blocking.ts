/** BLOCKED: entered by a recorded cause, left only by a recorded decision of the user (01 State and phase). */
import type { BlockedCode, DecisionKind } from '@x/protocol';
import { hasReviewedEvidence, isFinal } from '../state.ts';
import { askEvent } from './pending-decisions.ts';
import type { SettleRule } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

/** What is asked for each code. */
const DECISION_OF_BLOCK: Readonly<Record<BlockedCode, Exclude<DecisionKind, 'recovery'>>> = {
  BLOCKED_MULTI_AGENT_UNAVAILABLE: 'multi_agent_unavailable',
  BLOCKED_NO_VALID_PACKET: 'no_valid_packet',
  BLOCKED_DISPATCH_REPLAY_CONFLICT: 'replay_conflict',
  BLOCKED_STALE_CONFERENCE_STATE: 'stale_state',
};

/** A cause that is recorded moves a live state to BLOCKED. */
export const enterBlocked: SettleRule = {
  id: 'enter_blocked',
  source: '01 State and phase',
  whilePending: true,
  next: ({ state, now }) => {
    if (state.blocked === null || state.state === 'BLOCKED' || isFinal(state)) return null;
    if (state.state === 'BUDGET_STOP') return null;
    const { code, reason } = state.blocked;
    return transitionEvent(state, now, {
      state: 'BLOCKED',
      phase: state.phase,
      reason: `${code}: ${reason}`,
    });
  },
};

/** A conference that is BLOCKED holds one pending decision, unless its answer is being carried out. */
export const askBlocked: SettleRule = {
  id: 'ask_blocked',
  source: '01 Asking',
  whilePending: false,
  next: ({ state, planned, now }) => {
    if (state.state !== 'BLOCKED' || state.blocked === null || state.answer !== null) return null;
    const about = state.blocked.dispatch_id === null ? [] : [state.blocked.dispatch_id];
    return askEvent(state, now, { planned, kind: DECISION_OF_BLOCK[state.blocked.code], about });
  },
};

/** What the user's answer moves at once: a stop, or the way out of BLOCKED. */
export const carryOutAnswer: SettleRule = {
  id: 'carry_out_answer',
  source: '01 Asking',
  whilePending: false,
  next: ({ state, now }) => {
    const { answer } = state;
    if (answer === null) return null;
    if (answer.option === 'stop') {
      const reason = 'the user decided to stop';
      return hasReviewedEvidence(state)
        ? transitionEvent(state, now, { state: 'SYNTHESIZING', phase: 'synthesis', reason })
        : transitionEvent(state, now, { state: 'CANCELLED', phase: null, reason });
    }
    if (answer.option === 'restart') {
      return transitionEvent(state, now, {
        state: 'CANCELLED',
        phase: null,
        reason: 'the user decided to restart',
      });
    }
    if (state.state !== 'BLOCKED') return null;
    const reason = `the user decided: ${answer.option}`;
    if (answer.kind === 'no_valid_packet') {
      return transitionEvent(state, now, { state: 'DISPATCHING', phase: 'research', reason });
    }
    const back = state.blocked?.from ?? null;
    return back === null
      ? null
      : transitionEvent(state, now, { state: back.state, phase: back.phase, reason });
  },
};
