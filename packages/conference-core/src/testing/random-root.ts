/**
 * A root that does whatever a number tells it, sensible or not: the command generator of the model-based tests.
 * Every number below 2^32 is some command in any state, so shrinking a failing run stays a run.
 */
import {
  digestOf,
  type Digest,
  type DispatchId,
  type PacketFacts,
  type Plan,
  type Verdict,
  type VerdictFact,
} from '@x/protocol';
import type { Admission } from '../admission.ts';
import { owedArtifacts } from '../artifacts/owed.ts';
import type { Command } from '../commands/command.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { claimRef, measurementRef } from '../evidence/claim-ref.ts';
import { proposals } from '../proposals.ts';
import { laneRows } from '../round.ts';
import { allRows, currentRound, openRows, type State } from '../state.ts';

/** Digits of one number, used up one choice at a time. */
export interface Dice {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number;
}

function diceOf(number: number): Dice {
  let rest = number >>> 0;
  return {
    roll: (sides) => {
      // A small generator, so that one number gives as many choices as a command needs.
      rest = (Math.imul(rest, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((rest / 2 ** 32) * sides);
    },
  };
}

const RULES = 'packets/1';

/** The next command in this state, and how far the clock moves before it (milliseconds). */
export function randomCommand(
  state: State,
  plan: Plan,
  number: number,
): { command: Command; advanceMs: number } {
  const dice = diceOf(number);
  const advanceMs = dice.roll(12) === 0 ? dice.roll(20 * 60_000) : dice.roll(3_000);
  return { command: choose(state, plan, dice), advanceMs };
}

function choose(state: State, plan: Plan, dice: Dice): Command {
  const rare = dice.roll(60);
  if (rare === 0) return { command: 'cancel', reason: 'the dice said so' };
  if (rare === 1) return { command: 'result', dispatch_id: 'NOBODY', digest: digestOf('nobody'), bytes: 1 };
  if (rare === 2)
    return { command: 'block', code: 'BLOCKED_STALE_CONFERENCE_STATE', reason: 'a file differs' };
  if (rare === 3) return { command: 'answer', decision_id: 'none', option: 'stop', answered_by: 'dice' };
  if (rare === 4) return { command: 'expire' };
  if (rare < 9) return repeat(state, dice) ?? { command: 'expire' };
  return sensible(state, plan, dice);
}

function sensible(state: State, plan: Plan, dice: Dice): Command {
  const [owed] = owedArtifacts(state);
  if (owed !== undefined)
    return { command: 'written', path: owed, digest: digestOf(owed + state.round), bytes: 10 };
  if (state.pending !== null) {
    const { options, decision_id } = state.pending;
    const chosen = options[dice.roll(options.length)];
    return { command: 'answer', decision_id, option: chosen?.id ?? 'stop', answered_by: 'dice' };
  }
  if (state.state === 'PLANNING') {
    const capability = { delegate_task: dice.roll(8) !== 0, slots: 3, reports_cost: true };
    return {
      command: 'confirm',
      plan_digest: state.planned?.plan_digest ?? '',
      capability,
      confirmed_by: 'dice',
    };
  }
  if (state.state === 'CONFIRMED') {
    const capability = { delegate_task: dice.roll(8) !== 0, slots: 3, reports_cost: true };
    return { command: 'attach', driver: 'embedded', host: 'dice', capability, temporary_roots: false };
  }
  const open = openRows(state);
  const next = [...proposals(state)];
  if (next.length > 0 && (open.length === 0 || dice.roll(2) === 0)) {
    const proposal = next[dice.roll(next.length)];
    if (proposal !== undefined) {
      const digest = digestOf(`charter of ${proposal.dispatch_id}`);
      return {
        command: 'issue',
        dispatch_id: proposal.dispatch_id,
        charter_digest: digest,
        context_digest: digest,
      };
    }
  }
  const row = open[dice.roll(Math.max(1, open.length))];
  return row === undefined ? { command: 'close' } : answerFor(state, plan, { row, dice });
}

function answerFor(state: State, plan: Plan, { row, dice }: { row: DispatchRow; dice: Dice }): Command {
  const { dispatch_id } = row;
  const luck = dice.roll(12);
  if (luck === 0) return { command: 'fail', dispatch_id, code: 'host_failed', reason: 'the dice said so' };
  const digest = digestOf(`${dispatch_id} ${dice.roll(1_000)}`);
  const admission: Admission =
    luck === 1
      ? { ok: false, code: 'PACKET_MALFORMED', reason: '$: expected an object', rules: RULES }
      : {
          ok: true,
          content_digest: digestOf(`content ${digest}`),
          facts: factsFor(state, plan, { row, dice }),
          rules: RULES,
        };
  return {
    command: 'result',
    dispatch_id,
    digest,
    bytes: 100,
    admission,
    ...(dice.roll(3) === 0 ? { cost: '0.5' } : {}),
  };
}

/** A second result for some dispatch: the same bytes, other bytes, or late. */
function repeat(state: State, dice: Dice): Command | null {
  const rows = [...allRows(state)];
  const row = rows[dice.roll(Math.max(1, rows.length))];
  if (row === undefined || row.state === 'dispatched') return null;
  const digest: Digest =
    row.digest !== null && dice.roll(2) === 0 ? row.digest : digestOf(`again ${dice.roll(3)}`);
  return { command: 'result', dispatch_id: row.dispatch_id, digest, bytes: 100 };
}

function factsFor(state: State, plan: Plan, { row, dice }: { row: DispatchRow; dice: Dice }): PacketFacts {
  if (dice.roll(10) === 0)
    return { status: 'blocked', claims: 0, ...(row.role === 'researcher' ? { stuck_level: 3 } : {}) };
  switch (row.role) {
    case 'researcher': {
      const name = plan.metric?.name ?? 'value';
      const count = dice.roll(3);
      const measurements = Array.from({ length: count }, () => ({
        name: dice.roll(9) === 0 ? 'other' : name,
        value: dice.roll(9) === 0 ? 'fast' : `${dice.roll(40)} ms`,
      }));
      return { status: 'completed', claims: count, stuck_level: dice.roll(4), measurements };
    }
    case 'reviewer':
      return reviewOf(state, plan, dice);
    default:
      return { status: 'completed', claims: 0 };
  }
}

const VERDICTS: readonly Verdict[] = ['validated', 'validated', 'validated', 'challenged', 'overturned'];

function reviewOf(state: State, plan: Plan, dice: Dice): PacketFacts {
  const verdicts: VerdictFact[] = [];
  const scores: { dispatch_id: DispatchId; score: number }[] = [];
  const round = currentRound(state);
  for (const row of round === null ? [] : laneRows(round)) {
    if (row?.facts === null || row?.facts === undefined) continue;
    const refs = [
      ...Array.from({ length: row.facts.claims }, (_, index) => claimRef(row.dispatch_id, index + 1)),
      ...(row.facts.measurements ?? []).map((_, index) => measurementRef(row.dispatch_id, index + 1)),
    ];
    for (const ref of refs) {
      if (dice.roll(5) === 0) continue;
      verdicts.push({ ref, verdict: VERDICTS[dice.roll(VERDICTS.length)] ?? 'challenged' });
    }
    if (plan.mode === 'qualitative' && dice.roll(6) !== 0) {
      scores.push({ dispatch_id: row.dispatch_id, score: 5 + dice.roll(6) });
    }
  }
  const facts: PacketFacts = { status: 'completed', claims: 0, verdicts };
  return plan.mode === 'qualitative' ? { ...facts, scores } : facts;
}
