/**
 * One charter for one proposal (001 Dispatch charter, source 002, 02 Charter). The same state, context and time give
 * the same bytes, so a charter can be printed again after a crash between record and send.
 */
import {
  canonicalJson,
  CHARTER_OUTPUT,
  digestOf,
  FORBIDDEN_ACTIONS,
  LAST_ROUND,
  limitsFor,
  type Charter,
  type CharterLimits,
  type Digest,
  type JsonObject,
  type Limits,
  type Plan,
  type ReadContextItem,
  type Role,
  type SuccessDefinition,
} from '@x/protocol';
import { metricOf } from '../convergence-input.ts';
import { laneLetter } from '../lane.ts';
import type { Proposal } from '../proposals.ts';
import type { Planned } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { instructionsFor, LAST_ROUND_ADVICE } from './instructions.ts';

export interface BuiltCharter {
  readonly charter: Charter;
  /** Canonical JSON: what is stored and sent. */
  readonly text: string;
  readonly digest: Digest;
  /** The bounds that its packet is judged with. */
  readonly limits: CharterLimits;
}

const CANCELLATION =
  'If the root cancels, or the deadline passes, stop: a packet that comes later is recorded as stale and counts for nothing.';

/** JSON Schema of a role's packet under some bounds; given, so that the caller can make each once. */
export type OutputSchemaOf = (role: Role, limits: CharterLimits) => JsonObject;

/** What a charter is made of: facts of its `dispatch.issued`, or of the proposal that becomes one. */
export interface CharterInput {
  readonly dispatch: Pick<Proposal, 'dispatch_id' | 'role' | 'round' | 'lane' | 'iteration_allowance'>;
  readonly deadline_ms: number;
  /** No further round is affordable. */
  readonly last_round: boolean;
  /** As stored under the context digest of the dispatch. */
  readonly items: readonly ReadContextItem[];
  readonly outputSchema: OutputSchemaOf;
}

/** The charter of one dispatch. A function of its input: rebuilt from the ledger it has the same bytes. */
export function buildCharter(planned: Planned, input: CharterInput): BuiltCharter {
  const { dispatch, items } = input;
  const { plan } = planned;
  const limits = charterLimits(plan.limits, dispatch.role, items);
  const contrarian = plan.contrarian && dispatch.lane === plan.lanes - 1;
  const last = input.last_round && dispatch.role === 'researcher';
  const { packet_bytes_max: packetBytesMax } = limits;
  const charter: Charter = {
    dispatch_id: dispatch.dispatch_id,
    conference_id: planned.conference_id,
    instructions: instructionsFor({ role: dispatch.role, contrarian, mode: plan.mode, packetBytesMax }),
    round: dispatch.round,
    role: dispatch.role,
    ...(dispatch.lane === null ? {} : { lane: laneLetter(dispatch.lane), contrarian }),
    objective: objectiveFor(plan, dispatch, { contrarian, last }),
    success_definition: successDefinition(plan),
    ...(dispatch.iteration_allowance === null ? {} : { iteration_allowance: dispatch.iteration_allowance }),
    ...(last ? { signal: LAST_ROUND } : {}),
    read_context: [...items],
    allowed_read_roots: [...plan.allowed_read_roots],
    forbidden_actions: [...FORBIDDEN_ACTIONS, ...plan.forbidden_actions],
    delegation_allowed: false,
    deadline: toTimestamp(input.deadline_ms),
    cancellation: CANCELLATION,
    output: CHARTER_OUTPUT,
    output_schema: input.outputSchema(dispatch.role, limits),
  };
  const text = canonicalJson(charter);
  return { charter, text, digest: digestOf(text), limits };
}

/** The bounds of a charter: widened by the refs in its evidence for every role but the researcher (02 Bounds). */
export function charterLimits(limits: Limits, role: Role, items: readonly ReadContextItem[]): CharterLimits {
  return role === 'researcher' ? limits : limitsFor(limits, refsIn(items));
}

/** Claims and measurements that these items name by a ref. */
function refsIn(items: readonly ReadContextItem[]): number {
  let refs = 0;
  for (const { source, excerpt } of items) {
    if (source.startsWith('packet ')) refs += excerpt.split('"ref":').length - 1;
  }
  return refs;
}

/** Metric target or rubric, as the plan has it. */
export function successDefinition(plan: Plan): SuccessDefinition {
  const { mode, metric, criteria } = plan;
  if (metric === undefined) return { mode, criteria: [...criteria] };
  const { name, direction, target } = metric;
  const unit = metricOf(plan)?.target.unit ?? metric.unit ?? '';
  return { mode, metric: { name, direction, target, unit }, criteria: [...criteria] };
}

function objectiveFor(
  plan: Plan,
  dispatch: Pick<Proposal, 'role' | 'round' | 'lane'>,
  { contrarian, last }: { readonly contrarian: boolean; readonly last: boolean },
): string {
  switch (dispatch.role) {
    case 'researcher': {
      const letter = laneLetter(dispatch.lane ?? 0);
      const focus = plan.focus.find(({ lane }) => lane === letter)?.text;
      const lines = [plan.goal];
      lines.push(
        focus === undefined
          ? `Lane ${letter}: choose your own hypothesis space.`
          : `Lane ${letter}: ${focus}`,
      );
      if (plan.allowed_actions.length > 0) lines.push(`Allowed: ${plan.allowed_actions.join('; ')}`);
      if (plan.guard.length > 0) lines.push(`Guard: ${plan.guard.join('; ')}`);
      if (contrarian) lines.push('You are the contrarian lane: challenge the consensus.');
      if (last) lines.push(LAST_ROUND_ADVICE);
      return lines.join('\n');
    }
    case 'poster':
      return `${plan.goal}\nCompare the research packets of round ${dispatch.round}.`;
    case 'reviewer':
      return `${plan.goal}\nReview the claims and measurements of round ${dispatch.round} against the success definition.`;
    case 'synthesis':
      return `${plan.goal}\nSummarize what the reviews of ${dispatch.round} rounds established.`;
  }
}
