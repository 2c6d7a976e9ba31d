/** Consequences that are booked at any time, also while a decision is pending or the conference is BLOCKED. */
import type { ConferenceEvent, Plan } from '@x/protocol';
import { isReached } from '../budget/cost.ts';
import { spentMs } from '../budget/spent-time.ts';
import { metricOf } from '../convergence-input.ts';
import { readMeasurement } from '../convergence/measurement.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneLetter } from '../lane.ts';
import { rowOf } from '../round.ts';
import { currentRound, isLive, openDispatches, openRows, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import type { SettleRule } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

/** What is out when a conference is cancelled, stopped or out of budget becomes `cancelled`. */
export const cancelOpen: SettleRule = {
  id: 'cancel_open',
  source: '01 State and phase',
  whilePending: true,
  next: ({ state, now }) => {
    if (openDispatches(state) === 0) return null;
    const ended = state.state === 'CANCELLED' || state.state === 'BUDGET_STOP';
    const row = openRows(state).find(
      ({ role }) => ended || (state.state === 'SYNTHESIZING' && role !== 'synthesis'),
    );
    if (row === undefined) return null;
    const reason = state.state === 'BUDGET_STOP' ? 'budget reached' : 'stopped by the user';
    return {
      event: 'dispatch.cancelled',
      timestamp: toTimestamp(now),
      payload: { dispatch_id: row.dispatch_id, reason },
    };
  },
};

/** A dispatch without result is timed out at its declared deadline, by the time that the command carries. */
export const timeOut: SettleRule = {
  id: 'time_out',
  source: '01 Dispatch accounting; design C6',
  whilePending: true,
  next: ({ state, planned: { plan }, now }) => {
    const round = currentRound(state);
    if (state.synthesis.open === 0 && (round === null || round.open === 0 || now < round.deadline_floor_ms)) {
      return null;
    }
    // What was still in time when the time budget ended is cancelled by it, also when nobody asked until later.
    const until = Math.min(now, budgetEndMs(state, plan));
    const row = openRows(state).find(({ deadline_ms }) => deadline_ms <= until);
    if (row === undefined) return null;
    return {
      event: 'dispatch.timed_out',
      timestamp: toTimestamp(now),
      payload: { dispatch_id: row.dispatch_id, deadline: toTimestamp(row.deadline_ms) },
    };
  },
};

/** One `researcher.iteration` a usable measurement, and `researcher.stuck` from the configured level on. */
export const recordResearch: SettleRule = {
  id: 'record_research',
  source: '03 Ledger',
  whilePending: true,
  next: ({ state, planned, now }) => {
    // Only the last result can owe: each command settles before the next one is decided.
    const row = currentRound(state)?.rows[state.last_research ?? -1];
    if (row === undefined) return null;
    return iterationEvent(row, planned.plan, now) ?? stuckEvent(row, planned.plan, now);
  },
};

function iterationEvent(row: DispatchRow, plan: Plan, now: number): ConferenceEvent | null {
  const usable = usableValues(row, plan);
  const metric_value = usable[row.iterations_recorded];
  if (metric_value === undefined || row.lane === null) return null;
  return {
    event: 'researcher.iteration',
    timestamp: toTimestamp(now),
    payload: {
      dispatch_id: row.dispatch_id,
      round: row.round,
      lane: laneLetter(row.lane),
      iteration: row.iterations_recorded,
      metric_value,
    },
  };
}

/** The values of a packet that are measurements of the plan's metric; none from a blocked packet. */
export function usableValues(row: DispatchRow, plan: Plan): string[] {
  const metric = metricOf(plan);
  if (metric === null || row.facts === null || row.facts.status === 'blocked') return [];
  return (row.facts.measurements ?? [])
    .filter((measurement) => readMeasurement(metric, measurement).usable)
    .map(({ value }) => value);
}

function stuckEvent(row: DispatchRow, plan: Plan, now: number): ConferenceEvent | null {
  const stuck_level = row.facts?.stuck_level ?? 0;
  if (row.stuck_recorded || row.lane === null || stuck_level < plan.convergence.stuck_level) return null;
  return {
    event: 'researcher.stuck',
    timestamp: toTimestamp(now),
    payload: { dispatch_id: row.dispatch_id, round: row.round, lane: laneLetter(row.lane), stuck_level },
  };
}

/** Milliseconds spent at a time, by event times (01 Budgets). */
export function timeSpentMs(state: State, now: number): number {
  let last: number | null = null;
  if (openDispatches(state) > 0) {
    for (const row of openRows(state)) {
      if (row.role !== 'synthesis') last = Math.max(last ?? 0, row.deadline_ms);
    }
  }
  return spentMs(state.busy, now, last);
}

/** Whether time and cost can end anything in this state: research, poster or review is under way. */
function isBudgeted(state: State): boolean {
  return isLive(state) && state.state !== 'SYNTHESIZING' && state.phase !== 'transfer' && !isReviewed(state);
}

/** Whether the review of the round is accepted, so that the round is complete and its evaluation decides. */
function isReviewed(state: State): boolean {
  const round = currentRound(state);
  return state.phase === 'review' && round !== null && rowOf(round.rows, round.review)?.state === 'received';
}

/**
 * When the time budget ends if what is out stays out, in milliseconds; Infinity where it cannot: nothing that counts is
 * out, the conference is BLOCKED, or it is past its research.
 */
export function budgetEndMs(state: State, plan: Plan): number {
  if (plan.time_budget_ms === undefined || !isBudgeted(state) || openDispatches(state) === 0) return Infinity;
  const { spent_ms, since_ms } = state.busy;
  return since_ms + (plan.time_budget_ms - spent_ms);
}

/**
 * Time and cost end the research at once. Once the review is accepted nothing is out and nothing spends: there the
 * evaluation decides, so that what was reviewed counts, also when the review itself cost the rest.
 */
export const reachBudget: SettleRule = {
  id: 'reach_budget',
  source: '01 State and phase; 01 Budgets',
  whilePending: true,
  next: ({ state, planned: { plan }, now }) => {
    if (!isBudgeted(state)) return null;
    const time = plan.time_budget_ms !== undefined && timeSpentMs(state, now) >= plan.time_budget_ms;
    const cost = isReached(state.cost_spent, plan.cost_budget);
    if (!time && !cost) return null;
    const reason = time
      ? `time budget of ${plan.time_budget_ms} ms reached`
      : `cost budget of ${plan.cost_budget} reached`;
    return transitionEvent(state, now, { state: 'BUDGET_STOP', phase: null, reason });
  },
};
