/**
 * A root over the pure core: facts instead of packets, a clock by hand, every command checked against C1 and C2 on the
 * way. Sheets drive it by steps in words (`steps.ts`).
 */
import {
  digestOf,
  parseConferenceId,
  parseDispatchId,
  type ConferenceEvent,
  type DecisionOption,
  type Digest,
  type PacketFacts,
  type Plan,
  type Verdict,
} from '@x/protocol';
import { expect } from 'vitest';
import type { Admission } from '../../src/admission.ts';
import type { Command } from '../../src/commands/command.ts';
import { fold, settleAll, step } from '../../src/decide.ts';
import type { DispatchRow } from '../../src/dispatch-row.ts';
import { claimRef, measurementRef } from '../../src/evidence/claim-ref.ts';
import { laneIndex } from '../../src/lane.ts';
import { proposals } from '../../src/proposals.ts';
import { isRefusal, type Refusal } from '../../src/refusal.ts';
import { laneRows, rowOf } from '../../src/round.ts';
import { currentRound, INITIAL_STATE, type State } from '../../src/state.ts';
import { samplePlan } from '../../src/testing/sample-plan.ts';

export const START = Date.parse('2026-11-30T12:00:00.000Z');
export const CONFERENCE = known(parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A'));
/** An id that no conference here issues. */
export const STRANGER = known(parseDispatchId('01J9ZQ4V7N3K8M2R5T6W8X9Y0B'));

function known<Id>(id: Id | null): Id {
  if (id === null) throw new Error('not a ULID');
  return id;
}

const RULES = 'packets/1';

export interface PureRoot {
  readonly plan: Plan;
  state: State;
  now: number;
  readonly events: ConferenceEvent[];
  /** The refusal of the last command, or null. */
  refused: Refusal | null;
}

/** A root with a recorded plan. */
export function pureRoot(changes: Partial<Plan> = {}): PureRoot {
  const plan = samplePlan(changes);
  const root: PureRoot = { plan, state: INITIAL_STATE, now: START, events: [], refused: null };
  execute(root, { command: 'plan', conference_id: CONFERENCE, plan });
  return root;
}

/** One command at the root's time. A refusal must leave everything as it was. */
export function execute(root: PureRoot, command: Command): readonly ConferenceEvent[] {
  const before = root.state;
  const frozen = structuredClone(before);
  const stepped = step(before, command, root.now);
  // E2: a state is a value; whatever a command does, the one it started from is as it was.
  expect(before).toEqual(frozen);
  if (isRefusal(stepped)) {
    root.refused = stepped;
    return [];
  }
  root.refused = null;
  expect(fold(stepped.events, before)).toEqual(stepped.state);
  expect(settleAll(stepped.state, root.now).events).toEqual([]);
  root.events.push(...stepped.events);
  root.state = stepped.state;
  return stepped.events;
}

/** A seat by name: a lane letter, `poster`, `review` or `synthesis`. */
export function rowAt(root: PureRoot, seat: string): DispatchRow {
  const { state } = root;
  const round = currentRound(state);
  const row =
    seat === 'synthesis'
      ? rowOf(state.synthesis.rows, state.synthesis.seat)
      : round === null
        ? null
        : seat === 'poster' || seat === 'review'
          ? rowOf(round.rows, round[seat])
          : rowOf(round.rows, round.lanes[laneIndex(seat) ?? -1] ?? { attempt: 0, row: null });
  if (row === null) throw new Error(`nothing is issued for ${seat}`);
  return row;
}

/** Issues what is proposed: everything, or the named seats. */
export function issue(root: PureRoot, seats: readonly string[] = []): void {
  const wanted = [...proposals(root.state)].filter(({ lane, role }) => {
    const seat =
      role === 'researcher' ? String.fromCharCode(65 + (lane ?? 0)) : role === 'reviewer' ? 'review' : role;
    return seats.length === 0 || seats.includes(seat);
  });
  for (const { dispatch_id } of wanted) {
    const digest = digestOf(`charter of ${dispatch_id}`);
    execute(root, { command: 'issue', dispatch_id, charter_digest: digest, context_digest: digest });
  }
}

export interface Sent {
  readonly facts?: PacketFacts;
  /** Refused instead of accepted. */
  readonly refused?: boolean;
  /** Tells bytes apart: the same word, the same bytes. */
  readonly bytes?: string;
  readonly cost?: string;
}

/** A result for a dispatch: judged where it is open, told as it is where it is not. */
export function result(root: PureRoot, dispatchId: string, sent: Sent = {}): void {
  const digest = digestOf(`${dispatchId} ${sent.bytes ?? 'first'}`);
  const admission: Admission =
    sent.refused === true
      ? { ok: false, code: 'PACKET_MALFORMED', reason: '$: expected an object', rules: RULES }
      : {
          ok: true,
          content_digest: contentOf(digest),
          facts: sent.facts ?? { status: 'completed', claims: 0 },
          rules: RULES,
        };
  execute(root, {
    command: 'result',
    dispatch_id: dispatchId,
    digest,
    bytes: 10,
    admission,
    ...(sent.cost === undefined ? {} : { cost: sent.cost }),
  });
}

export function contentOf(digest: Digest): Digest {
  return digestOf(`content ${digest}`);
}

export function researchFacts(values: readonly string[], stuck = 0): PacketFacts {
  return {
    status: 'completed',
    claims: Math.max(1, values.length),
    stuck_level: stuck,
    measurements: values.map((value) => ({ name: 'ms', value })),
  };
}

/** One verdict for every ref of the round, and one score for every received lane in qualitative mode. */
export function reviewFacts(root: PureRoot, verdict: Verdict | null, score = 7): PacketFacts {
  const round = currentRound(root.state);
  const rows = (round === null ? [] : laneRows(round)).filter((row) => row?.state === 'received');
  const verdicts =
    verdict === null
      ? []
      : rows.flatMap((row) => {
          if (row === null || row.facts === null || row.facts.status === 'blocked') return [];
          const { dispatch_id, facts } = row;
          return [
            ...Array.from({ length: facts.claims }, (_, index) => claimRef(dispatch_id, index + 1)),
            ...(facts.measurements ?? []).map((_, index) => measurementRef(dispatch_id, index + 1)),
          ].map((ref) => ({ ref, verdict }));
        });
  const scores = rows.flatMap((row) =>
    row === null || row.facts?.status !== 'completed' ? [] : [{ dispatch_id: row.dispatch_id, score }],
  );
  return {
    status: 'completed',
    claims: 0,
    verdicts,
    ...(root.plan.mode === 'qualitative' ? { scores } : {}),
  };
}

export function answer(root: PureRoot, option: DecisionOption): void {
  const decision_id = root.state.pending?.decision_id ?? 'none';
  execute(root, { command: 'answer', decision_id, option, answered_by: 'test' });
}
