/** Synthesis and the end (01 State and phase). Time and cost never stop a synthesis; only its deadline does. */
import type { ConferenceEvent } from '@x/protocol';
import { owedArtifacts } from '../artifacts/owed.ts';
import { cleanupReceipt } from '../artifacts/cleanup-receipt.ts';
import { rowOf } from '../round.ts';
import { hasReviewedEvidence, isFinal } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { askEvent } from './pending-decisions.ts';
import { failed } from './review.ts';
import type { SettleRule } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

export const afterBudgetStop: SettleRule = {
  id: 'after_budget_stop',
  source: '01 State and phase',
  whilePending: false,
  next: ({ state, now }) => {
    if (state.state !== 'BUDGET_STOP' || !hasReviewedEvidence(state)) return null;
    const reason = 'reviewed evidence exists, and synthesis is not charged to the research budget';
    return transitionEvent(state, now, { state: 'SYNTHESIZING', phase: 'synthesis', reason });
  },
};

export const closeSynthesis: SettleRule = {
  id: 'close_synthesis',
  source: '01 State and phase, Dispatch accounting',
  whilePending: false,
  next: ({ state, planned, now }): ConferenceEvent | null => {
    if (state.state !== 'SYNTHESIZING') return null;
    const row = rowOf(state.synthesis.rows, state.synthesis.seat);
    if (failed(row) && !state.synthesis.skipped) {
      return askEvent(state, now, { planned, kind: 'synthesis_failed', about: [row.dispatch_id] });
    }
    if (!state.synthesis.skipped && row?.state !== 'received') return null;
    if (owedArtifacts(state).length > 0) return null;
    const reason = state.synthesis.skipped
      ? 'the user decided to complete without a synthesis'
      : 'synthesis accepted';
    return transitionEvent(state, now, { state: 'COMPLETE', phase: null, reason });
  },
};

/** The last event: after it only late results are recorded. */
export const cleanUp: SettleRule = {
  id: 'clean_up',
  source: '000 §8; 01 State and phase',
  whilePending: true,
  next: ({ state, now }) =>
    isFinal(state) && state.closing.ended && state.closing.receipt === null
      ? { event: 'cleanup.receipt', timestamp: toTimestamp(now), payload: cleanupReceipt(state) }
      : null,
};
