/**
 * What is to be done now, without changing anything (07 next): consequences that the next command would record are
 * taken into account, and charters are built under the ids that they would get.
 */
import {
  buildCharter,
  isRefusal,
  step,
  nextActions,
  readContext,
  runReading,
  settleAll,
  toTimestamp,
  type State,
} from '@x/conference-core';
import { contentText, type ContentPort } from '@x/conference-core/chair';
import { packetJsonSchema } from '@x/protocol';
import { delegateTask, type StepAction } from './delegate-task.ts';

/** A confirmed conference starts with the first dispatch: what that brings about is shown as well. */
function asIfAttached(state: State, now: number): State {
  if (state.state !== 'CONFIRMED') return state;
  const capability = { delegate_task: true, slots: 1, reports_cost: true };
  const stepped = step(
    state,
    { command: 'attach', driver: 'stepwise', host: 'caller', capability, temporary_roots: false },
    now,
  );
  return isRefusal(stepped) ? state : stepped.state;
}

/** The actions at a time, and the state in which they are due. @throws ContentMissing */
export function previewActions(
  recorded: State,
  objects: ContentPort,
  now: number,
): { state: State; actions: StepAction[] } {
  const state = asIfAttached(settleAll(recorded, Math.max(now, recorded.head_ms)).state, now);
  const { planned } = state;
  const at = Math.max(now, state.head_ms);
  const actions: StepAction[] = [];
  for (const action of nextActions(state, { freeSlots: Infinity })) {
    switch (action.action) {
      case 'issue': {
        if (planned === null) break;
        const { proposal } = action;
        const context = runReading(readContext(state, planned, proposal.role), (digest) =>
          contentText(objects, digest),
        );
        const { charter } = buildCharter(planned, {
          dispatch: proposal,
          deadline_ms: at + proposal.timeout_ms,
          last_round: state.rounds[proposal.round - 1]?.last_round === true,
          items: context.items,
          outputSchema: (role, limits) => packetJsonSchema(role, { limits, mode: planned.plan.mode }),
        });
        actions.push(delegateTask(charter, false));
        break;
      }
      case 'ask': {
        const { decision_id, question, options } = action.decision;
        actions.push({ action: 'ask_user', decision_id, question, options });
        break;
      }
      case 'wait':
        actions.push({
          action: 'wait',
          dispatch_ids: action.dispatch_ids,
          until: toTimestamp(action.until_ms),
        });
        break;
      case 'done':
        actions.push({ action: 'done', outcome: action.outcome, target_met: action.target_met });
        break;
      default:
        break;
    }
  }
  return { state, actions };
}
