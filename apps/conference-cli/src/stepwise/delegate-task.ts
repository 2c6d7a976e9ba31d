/** What a root that is an agent hands to its `delegate_task`, and the other actions of `next --json` (07). */
import { charterAsProse, type State } from '@x/conference-core';
import type { Charter, Decision, DispatchId, JsonObject, Outcome, Role } from '@x/protocol';

export interface DelegateTask {
  readonly action: 'delegate_task';
  /** Only what is recorded may be sent. */
  readonly recorded: boolean;
  readonly dispatch_id: DispatchId;
  readonly role: Role;
  readonly lane?: string;
  readonly goal: string;
  readonly context: string;
  readonly output_schema: JsonObject;
  readonly charter: Charter;
  readonly deadline: string;
}

export type StepAction =
  | DelegateTask
  | {
      readonly action: 'ask_user';
      readonly decision_id: string;
      readonly question: string;
      readonly options: Decision['options'];
    }
  | { readonly action: 'wait'; readonly dispatch_ids: readonly DispatchId[]; readonly until: string }
  | { readonly action: 'done'; readonly outcome: Outcome; readonly target_met: boolean };

export function delegateTask(charter: Charter, recorded: boolean): DelegateTask {
  const { dispatch_id, role, lane, objective, deadline } = charter;
  return {
    action: 'delegate_task',
    recorded,
    dispatch_id,
    role,
    ...(lane === undefined ? {} : { lane }),
    goal: objective,
    context: charterAsProse(charter),
    // A charter's schema was made as plain JSON.
    output_schema: charter.output_schema as JsonObject,
    charter,
    deadline,
  };
}

/** The head of every stepwise document. */
export function stepHead(state: State, revision: number): object {
  return {
    conference_id: state.planned?.conference_id ?? null,
    state: state.state,
    phase: state.phase,
    round: state.round,
    revision,
    ...(state.blocked === null ? {} : { code: state.blocked.code }),
  };
}
