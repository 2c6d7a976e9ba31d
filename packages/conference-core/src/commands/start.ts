/** From the plan to the start: nothing is dispatched before a person confirmed the plan by its digest (001 Start gate). */
import { digestOfJson, LEDGER_FORMAT, type Capability, type ConferenceEvent, type Plan } from '@x/protocol';
import { refuse, type Refusal } from '../refusal.ts';
import { isLive, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import type {
  AttachCommand,
  ConfirmCommand,
  GrantCommand,
  PlanCommand,
  RevokeGrantCommand,
} from './command.ts';

export function decidePlan(state: State, command: PlanCommand, now: number): ConferenceEvent[] | Refusal {
  if (state.planned !== null) {
    return refuse(
      'ALREADY_PLANNED',
      `conference ${state.planned.conference_id} is planned in this ledger already`,
    );
  }
  const { conference_id, plan, source_digest, written_roots_digest, replay } = command;
  return [
    {
      event: 'conference.planned',
      timestamp: toTimestamp(now),
      payload: {
        ledger_format: LEDGER_FORMAT,
        conference_id,
        plan,
        plan_digest: digestOfJson(plan),
        ...(source_digest === undefined ? {} : { source_digest }),
        ...(written_roots_digest === undefined ? {} : { written_roots_digest }),
        ...(replay === true ? { replay } : {}),
      },
    },
  ];
}

export function decideGrant(state: State, { grant }: GrantCommand, now: number): ConferenceEvent[] | Refusal {
  if (state.grant?.grant_id === grant.grant_id && state.grant.revision === grant.revision) return [];
  // After the cleanup receipt nothing is to be written any more, and only late results may follow it (CONF-27).
  if (state.closing.receipt !== null) return [];
  return [{ event: 'grant.activated', timestamp: toTimestamp(now), payload: { grant } }];
}

export function decideRevoke(
  state: State,
  { reason }: RevokeGrantCommand,
  now: number,
): ConferenceEvent[] | Refusal {
  if (state.grant === null || state.closing.receipt !== null) return [];
  const { grant_id } = state.grant;
  return [{ event: 'grant.revoked', timestamp: toTimestamp(now), payload: { grant_id, reason } }];
}

export function decideConfirm(
  state: State,
  command: ConfirmCommand,
  now: number,
): ConferenceEvent[] | Refusal {
  const { planned } = state;
  if (planned === null) return refuse('NOT_PLANNED', 'nothing is planned yet: plan first');
  if (state.confirmed) return [];
  if (state.state !== 'PLANNING') {
    return refuse('NOT_ALLOWED_NOW', `a plan is confirmed in PLANNING, and the state is ${state.state}`);
  }
  if (command.plan_digest !== planned.plan_digest) {
    return refuse(
      'PLAN_DIGEST_MISMATCH',
      `the plan has the digest ${planned.plan_digest}, not the one that was confirmed: read the plan again and confirm that digest`,
    );
  }
  const gate = hostGate(planned.plan, command.capability, now);
  if (gate !== null) return gate;
  if (planned.plan.write_root !== null && state.grant === null) {
    return refuse(
      'GRANT_REQUIRED',
      'the plan names a write root, so a grant is needed: --write-to DIR or --grant FILE',
    );
  }
  const { plan_digest } = planned;
  return [
    {
      event: 'conference.confirmed',
      timestamp: toTimestamp(now),
      payload: { plan_digest, confirmed_by: command.confirmed_by },
    },
  ];
}

export function decideAttach(state: State, command: AttachCommand, now: number): ConferenceEvent[] | Refusal {
  const { planned } = state;
  if (planned === null) return refuse('NOT_PLANNED', 'nothing is planned yet: plan first');
  if (!isLive(state)) return [];
  const gate = hostGate(planned.plan, command.capability, now);
  if (gate !== null) return gate;
  if (state.state !== 'CONFIRMED' || state.started !== null) return [];
  const { driver, host, temporary_roots, capability } = command;
  return [
    {
      event: 'conference.started',
      timestamp: toTimestamp(now),
      payload: { driver, host, slots: capability.slots, temporary_roots },
    },
  ];
}

/** What the host lacks: without delegate_task the conference blocks, for children are never simulated (001 Capability gate). */
function hostGate(plan: Plan, capability: Capability, now: number): ConferenceEvent[] | Refusal | null {
  if (!capability.delegate_task) {
    const reason = 'the host offers no delegate_task';
    const payload = { code: 'BLOCKED_MULTI_AGENT_UNAVAILABLE' as const, reason };
    return [{ event: 'conference.blocked', timestamp: toTimestamp(now), payload }];
  }
  if (plan.cost_budget !== undefined && capability.reports_cost !== true) {
    return refuse(
      'COST_NOT_REPORTED',
      'the plan has a cost budget, and this host reports no cost: take the budget out, or another host',
    );
  }
  return null;
}
