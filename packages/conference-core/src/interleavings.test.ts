/**
 * The bug: some order of messages, clock and decisions that nobody thought of ends in a state that no document knows.
 *
 * Every interleaving of {issue, result, duplicate, conflicting duplicate, timeout, redispatch, late result, cancel, close}
 * for two dispatches, and for what is sent again, against a reference model that was written from the table alone. Where
 * two orders lead to the same state with the same moves left, what follows is looked at once: the core has no memory
 * besides its state. `FULL=1` walks them all, else a fixed part.
 */
import { digestOf, type Digest } from '@x/protocol';
import { expect, test } from 'vitest';
import { CONFERENCE, contentOf, researchFacts, START } from '../test/support/pure-root.ts';
import {
  apply,
  reference,
  type Lane,
  type Move,
  type Reference,
} from '../test/support/reference-accounting.ts';
import type { Command } from './commands/command.ts';
import { step } from './decide.ts';
import type { DispatchRow } from './dispatch-row.ts';
import { proposals } from './proposals.ts';
import { isRefusal } from './refusal.ts';
import { INITIAL_STATE, type State } from './state.ts';
import { samplePlan } from './testing/sample-plan.ts';

const FULL = process.env['FULL'] === '1';
/** Moves compared by default. */
const MOVES_COMPARED_MAX = 6_000;

const BOTH: readonly Lane[] = [0, 1];
const twice = (moves: readonly Move[]): Move[] => [...moves, ...moves];

/** Both lanes go out, answer or time out, and once more; each packet comes again, with the same bytes, with others, and late. */
const BAG: readonly Move[] = [
  ...twice(BOTH.map((lane): Move => ({ move: 'issue', lane }))),
  ...twice(BOTH.map((lane): Move => ({ move: 'result', lane }))),
  ...BOTH.map((lane): Move => ({ move: 'duplicate', lane })),
  ...BOTH.map((lane): Move => ({ move: 'conflicting duplicate', lane })),
  ...BOTH.map((lane): Move => ({ move: 'late result', lane })),
  ...twice([{ move: 'timeout' }, { move: 'keep first' }]),
  { move: 'redispatch' },
  { move: 'cancel' },
  { move: 'close' },
];

interface Node {
  readonly state: State;
  readonly now: number;
  readonly model: Reference;
  readonly left: readonly Move[];
  /** How it came here, to be read when it fails. */
  readonly moves: readonly string[];
}

function start(): Node {
  const plan = samplePlan({ lanes: 2, iterations_per_round: 1, max_rounds: 1, max_total_iterations: 50 });
  const capability = { delegate_task: true, slots: 2 };
  const node: Node = { state: INITIAL_STATE, now: START, model: reference(), left: BAG, moves: [] };
  const planned = execute(node, { command: 'plan', conference_id: CONFERENCE, plan });
  const plan_digest = planned.state.planned?.plan_digest ?? '';
  const confirmed = execute(planned, { command: 'confirm', plan_digest, capability, confirmed_by: 'test' });
  return execute(confirmed, {
    command: 'attach',
    driver: 'embedded',
    host: 'test',
    capability,
    temporary_roots: false,
  });
}

function execute(node: Node, command: Command): Node {
  const stepped = step(node.state, command, node.now);
  return isRefusal(stepped) ? node : { ...node, state: stepped.state };
}

function laneRowsOf({ state }: Node, lane: Lane): readonly DispatchRow[] {
  return (state.rounds[0]?.rows ?? []).filter((row) => row.lane === lane);
}

function packet(node: Node, row: DispatchRow | undefined, bytes: string): Node {
  if (row === undefined) return node;
  const digest: Digest = digestOf(`${row.dispatch_id} ${bytes}`);
  return execute(node, {
    command: 'result',
    dispatch_id: row.dispatch_id,
    digest,
    bytes: 10,
    admission: { ok: true, content_digest: contentOf(digest), facts: researchFacts(['9 ms']), rules: 'test' },
  });
}

/** One move on the core. What a sensible root would not even try is not tried: there the model stands still as well. */
function carryOut(node: Node, move: Move): Node {
  const rows = 'lane' in move ? laneRowsOf(node, move.lane) : [];
  const received = rows.find(({ state }) => state === 'received');
  switch (move.move) {
    case 'issue': {
      const found = [...proposals(node.state)].find(({ lane }) => lane === move.lane);
      if (found === undefined) return node;
      const digest = digestOf(found.dispatch_id);
      const { dispatch_id } = found;
      return execute(node, { command: 'issue', dispatch_id, charter_digest: digest, context_digest: digest });
    }
    case 'result':
      return packet(
        node,
        rows.find(({ state }) => state === 'dispatched'),
        'first',
      );
    case 'duplicate':
      return packet(node, received, 'first');
    case 'conflicting duplicate':
      return packet(node, received, 'other');
    case 'late result':
      return packet(
        node,
        rows.find(({ state }) => state === 'timed_out' || state === 'cancelled'),
        'late',
      );
    case 'timeout':
      return execute({ ...node, now: node.now + 10 * 60_000 }, { command: 'expire' });
    case 'redispatch':
      return decide(node, 'no_valid_packet', 'redispatch');
    case 'keep first':
      return decide(node, 'replay_conflict', 'keep_first');
    case 'cancel':
      return execute(node, { command: 'cancel', reason: 'enough' });
    case 'close':
      return execute(node, { command: 'close' });
  }
}

function decide(node: Node, kind: string, option: string): Node {
  const { pending } = node.state;
  if (pending?.kind !== kind) return node;
  const { decision_id } = pending;
  return execute(node, { command: 'answer', decision_id, option, answered_by: 'test' });
}

/** The core's state in the model's words. */
function seen(node: Node): unknown {
  const { state } = node;
  const round = state.rounds[0];
  const conflicts = [state.blocked, ...state.blocked_later].flatMap((blocked) =>
    blocked?.code === 'BLOCKED_DISPATCH_REPLAY_CONFLICT'
      ? BOTH.filter((lane) =>
          laneRowsOf(node, lane).some(({ dispatch_id }) => dispatch_id === blocked.dispatch_id),
        )
      : [],
  );
  return {
    lanes: BOTH.map((lane) => laneRowsOf(node, lane).map((row) => row.state)),
    vacant: BOTH.map((lane) => round?.lanes[lane]?.row === null),
    stands: standsOf(state),
    conflicts,
    stale: state.stale_results,
    duplicates: state.duplicate_results,
    closed: state.closing.receipt !== null,
  };
}

function standsOf(state: State): string {
  if (state.state === 'CANCELLED') return 'cancelled';
  if (state.state === 'BLOCKED') {
    return state.pending?.kind === 'no_valid_packet' ? 'no packet' : 'conflict';
  }
  return state.phase ?? state.state;
}

function told(model: Reference): unknown {
  const { before: _before, ...rest } = model;
  return rest;
}

/** What decides everything that follows: the state without times and counters, the model's, and the moves left. */
function keyOf({ state, model, left }: Node): string {
  const { head_ms: _head, events: _events, busy: _busy, ...rest } = state;
  const rows = JSON.stringify(rest, (key, value: unknown) => (key.endsWith('_ms') ? undefined : value));
  return `${rows} ${JSON.stringify(model)} ${left.map((move) => JSON.stringify(move)).join()}`;
}

test(
  'core and reference agree after every move of every interleaving for two dispatches [PROTO-11 PROTO-12 PROTO-14 PROTO-15 PROTO-17 CONF-33 RECO-03]',
  { timeout: 900_000 },
  () => {
    const ends = new Map<string, number>();
    const known = new Set<string>();
    const open: Node[] = [start()];
    let compared = 0;
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const tried = new Set<string>();
      for (const [index, move] of node.left.entries()) {
        const name = JSON.stringify(move);
        if (tried.has(name)) continue;
        tried.add(name);
        const model = apply(node.model, move);
        const moves = [...node.moves, name];
        const next = { ...carryOut(node, move), model, moves, left: node.left.toSpliced(index, 1) };
        compared += 1;
        expect({ moves, seen: seen(next) }).toEqual({ moves, seen: told(model) });
        // A move that changed nothing leads nowhere that is not reached without it.
        if (next.state === node.state || JSON.stringify(model) === JSON.stringify(node.model)) continue;
        const key = digestOf(keyOf(next));
        if (known.has(key)) continue;
        known.add(key);
        ends.set(standsOf(next.state), (ends.get(standsOf(next.state)) ?? 0) + 1);
        open.push(next);
      }
      if (!FULL && compared >= MOVES_COMPARED_MAX) break;
    }
    console.log(JSON.stringify({ interleavings: { compared, states: known.size, left: open.length } }));
    // Each place of the model was reached, so that agreement means something.
    expect([...ends.keys()].toSorted()).toEqual(['cancelled', 'conflict', 'no packet', 'poster', 'research']);
    if (FULL) expect(open).toHaveLength(0);
  },
);
