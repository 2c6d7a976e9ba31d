/**
 * nextActions(state, { freeSlots }): the outstanding work, recomputable at any time (design). What it proposes is
 * not done by proposing it: every effect goes through a command.
 */
import type { Decision, DispatchId, Outcome } from '@x/protocol';
import { owedArtifacts } from './artifacts/owed.ts';
import { proposals, type Proposal } from './proposals.ts';
import { isFinal, openDispatches, openRows, type State } from './state.ts';

export type Action =
  /** Nothing is planned, or the plan is not confirmed. */
  | { readonly action: 'plan' }
  | { readonly action: 'confirm' }
  /** The host is to be attached: the conference is confirmed and not started. */
  | { readonly action: 'start' }
  | { readonly action: 'issue'; readonly proposal: Proposal }
  | { readonly action: 'ask'; readonly decision: Decision }
  | { readonly action: 'write'; readonly path: string }
  /** Dispatches are out. `until_ms` is the earliest deadline. */
  | { readonly action: 'wait'; readonly dispatch_ids: readonly DispatchId[]; readonly until_ms: number }
  /** Temporary roots are to be removed and the ending recorded. */
  | { readonly action: 'close' }
  | { readonly action: 'done'; readonly outcome: Outcome; readonly target_met: boolean };

/** In the order in which a root does them. Issues at most `freeSlots` dispatches. */
export function nextActions(state: State, { freeSlots }: { readonly freeSlots: number }): Action[] {
  if (state.planned === null) return [{ action: 'plan' }];
  if (state.closing.receipt !== null) return [done(state)];
  const actions: Action[] = owedArtifacts(state).map((path) => ({ action: 'write', path }));
  if (isFinal(state) && openDispatches(state) === 0) return [...actions, { action: 'close' }];
  if (state.pending !== null) actions.push({ action: 'ask', decision: state.pending });
  else if (state.state === 'PLANNING') actions.push({ action: 'confirm' });
  else if (state.state === 'CONFIRMED') actions.push({ action: 'start' });
  let free = freeSlots;
  if (free > 0) {
    for (const proposal of proposals(state)) {
      actions.push({ action: 'issue', proposal });
      free -= 1;
      if (free === 0) break;
    }
  }
  const open = openRows(state);
  if (open.length > 0) {
    const dispatch_ids = open.map(({ dispatch_id }) => dispatch_id);
    const until_ms = open.reduce((earliest, row) => Math.min(earliest, row.deadline_ms), Infinity);
    actions.push({ action: 'wait', dispatch_ids, until_ms });
  }
  return actions;
}

function done(state: State): Action {
  return { action: 'done', outcome: state.outcome ?? 'CONTINUE', target_met: state.target_met };
}
