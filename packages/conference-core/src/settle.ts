/**
 * settle(state, now): the next internal consequence, one at a time until null (design C1).
 *
 * The rules stand in the order in which they are looked at. A prefix of a ledger, settled, gives the missing rest.
 */
import type { ConferenceEvent } from '@x/protocol';
import { cancelOpen, reachBudget, recordResearch, timeOut } from './rules/accounting.ts';
import { askBlocked, carryOutAnswer, enterBlocked } from './rules/blocking.ts';
import { closeResearch, collect, confirmed, openFirstRound, startRound } from './rules/research.ts';
import { beginReview, closePoster, closeReview } from './rules/review.ts';
import type { SettleRule } from './rules/settle-rule.ts';
import { afterBudgetStop, cleanUp, closeSynthesis } from './rules/synthesis.ts';
import { afterRound, completeRound, evaluate } from './rules/transfer.ts';
import type { State } from './state.ts';

export const SETTLE_RULES: readonly SettleRule[] = [
  cancelOpen,
  timeOut,
  recordResearch,
  reachBudget,
  enterBlocked,
  carryOutAnswer,
  askBlocked,
  confirmed,
  openFirstRound,
  startRound,
  collect,
  closeResearch,
  closePoster,
  beginReview,
  closeReview,
  evaluate,
  completeRound,
  afterRound,
  afterBudgetStop,
  closeSynthesis,
  cleanUp,
];

/**
 * The next consequence of what is recorded, or null when all of it is.
 * @param now milliseconds; never earlier than the last event (design C6)
 */
export function settle(state: State, now: number): ConferenceEvent | null {
  const { planned } = state;
  if (planned === null) return null;
  const settling = { state, planned, now: Math.max(now, state.head_ms) };
  const waiting = state.pending !== null;
  for (const rule of SETTLE_RULES) {
    if (waiting && !rule.whilePending) continue;
    const event = rule.next(settling);
    if (event !== null) return event;
  }
  return null;
}
