/**
 * The bugs: a question that nobody asked, an option whose consequence is another than it says, a default by silence, a
 * state that moves while somebody thinks, a second conflict that is forgotten behind the first.
 */
import type { DecisionKind, DecisionOption, Plan } from '@x/protocol';
import { decisionSchema } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { rowAt, type PureRoot } from '../../test/support/pure-root.ts';
import { run, standing } from '../../test/support/steps.ts';
import { limitationsOf } from '../artifacts/limitations.ts';
import { nextActions } from '../next-actions.ts';
import { openRows } from '../state.ts';

const PLAN: Partial<Plan> = { lanes: 2, max_rounds: 3, iterations_per_round: 1, max_total_iterations: 12 };

interface Row {
  readonly id: string;
  readonly kind: DecisionKind;
  readonly plan?: Partial<Plan>;
  readonly asked: string;
  /** What each option leads to, in the order in which they are offered. */
  readonly options: Readonly<Partial<Record<DecisionOption, string>>>;
  readonly why: string;
}

const SHEET: readonly Row[] = [
  {
    id: 'a lane failed and nothing can be measured',
    kind: 'evidence_missing',
    asked: 'start; issue; A silent; B bad',
    options: {
      redispatch: 'COLLECTING research r1',
      continue: 'COLLECTING poster r1',
      stop: 'CANCELLED - r1',
    },
    why: 'the success definition cannot be evaluated',
  },
  {
    id: 'a lane failed and the other names another metric',
    kind: 'evidence_missing',
    asked: 'start; issue; A ok fast; B lost',
    options: {
      redispatch: 'COLLECTING research r1',
      continue: 'COLLECTING poster r1',
      stop: 'CANCELLED - r1',
    },
    why: '"fast" is no number',
  },
  {
    id: 'no budget to send lanes again',
    kind: 'evidence_missing',
    plan: { ...PLAN, max_total_iterations: 2 },
    asked: 'start; issue; A silent; B bad',
    options: { continue: 'COLLECTING poster r1', stop: 'CANCELLED - r1' },
    why: 'an option that the budget cannot cover is not offered',
  },
  {
    id: 'a lane failed, qualitative, the other blocked',
    kind: 'evidence_missing',
    plan: { ...PLAN, mode: 'qualitative' },
    asked: 'start; issue; A blocked; B bad',
    options: {
      redispatch: 'COLLECTING research r1',
      continue: 'COLLECTING poster r1',
      stop: 'CANCELLED - r1',
    },
    why: 'no lane to score',
  },
  {
    id: 'no valid packet',
    kind: 'no_valid_packet',
    asked: 'start; issue; A bad; B bad',
    options: { redispatch: 'DISPATCHING research r1', stop: 'CANCELLED - r1' },
    why: 'blocked; all lanes again or stop',
  },
  {
    id: 'no valid packet in round 2',
    kind: 'no_valid_packet',
    asked: 'start; round 20; issue; A bad; B bad',
    options: { redispatch: 'DISPATCHING research r2', stop: 'SYNTHESIZING synthesis r2' },
    why: 'round 1 was reviewed',
  },
  {
    id: 'replay conflict',
    kind: 'replay_conflict',
    asked: 'start; issue; A ok 9; A other',
    options: { keep_first: 'COLLECTING research r1', stop: 'CANCELLED - r1' },
    why: 'keep the first packet and go on, or stop',
  },
  {
    id: 'replay conflict in SYNTHESIZING',
    kind: 'replay_conflict',
    asked: 'start; round 9; issue; synthesis bad; synthesis other',
    options: { keep_first: 'SYNTHESIZING synthesis r1 asks synthesis_failed' },
    why: 'no stop is offered in SYNTHESIZING',
  },
  {
    id: 'poster failed',
    kind: 'poster_failed',
    asked: 'start; issue; A ok 9; B ok 8; issue; poster bad',
    options: {
      redispatch: 'COLLECTING poster r1',
      skip: 'COLLECTING poster r1',
      stop: 'CANCELLED - r1',
    },
    why: 'redispatch, review without one, stop',
  },
  {
    id: 'poster timed out in round 2',
    kind: 'poster_failed',
    asked: 'start; round 20; issue; A ok 9; B ok 8; issue; wait 5m; expire',
    options: {
      redispatch: 'COLLECTING poster r2',
      skip: 'COLLECTING poster r2',
      stop: 'SYNTHESIZING synthesis r2',
    },
    why: 'a timeout is a failure',
  },
  {
    id: 'review failed',
    kind: 'review_failed',
    asked: 'start; issue; A ok 9; B ok 8; issue; poster ok; issue; review lost',
    options: { redispatch: 'REVIEWING review r1', stop: 'CANCELLED - r1' },
    why: 'nothing counts without a review, so it cannot be skipped',
  },
  {
    id: 'synthesis failed',
    kind: 'synthesis_failed',
    asked: 'start; round 9; issue; synthesis bad',
    options: { redispatch: 'SYNTHESIZING synthesis r1', complete_without: 'COMPLETE - r1' },
    why: 'redispatch or complete without; no stop',
  },
  {
    id: 'pause',
    kind: 'pause',
    plan: { ...PLAN, pause_every: 1 },
    asked: 'start; round 20',
    options: { continue: 'DISPATCHING research r2', stop: 'SYNTHESIZING synthesis r1' },
    why: 'a decision before the next round',
  },
  {
    id: 'no host',
    kind: 'multi_agent_unavailable',
    asked: 'confirm unable',
    options: { retry: 'PLANNING - r0', stop: 'CANCELLED - r0' },
    why: 'try the gate again, or stop',
  },
  {
    id: 'no host on resume of a synthesis',
    kind: 'multi_agent_unavailable',
    asked: 'start; round 9; attach unable',
    options: { retry: 'SYNTHESIZING synthesis r1' },
    why: 'in SYNTHESIZING no stop is offered',
  },
  {
    id: 'stale state',
    kind: 'stale_state',
    asked: 'start; issue; stale',
    options: { revalidate: 'COLLECTING research r1', restart: 'CANCELLED - r1' },
    why: 'restart or revalidate',
  },
];

describe('a decision', () => {
  test.each(SHEET)(
    'is asked with exactly its options and no default: $id [CONF-08 CONF-09 PROTO-28 PROTO-29]',
    ({ asked, plan = PLAN, kind, options }) => {
      const root = run(asked, plan);
      const { pending } = root.state;
      expect(pending?.kind).toBe(kind);
      expect(pending?.options.map(({ id }) => id)).toEqual(Object.keys(options));
      expect(decisionSchema.parse(pending)).toEqual(pending);
      // Silence decides nothing: an hour later it is still the same question.
      run('wait 60m; expire', {}, root);
      expect(root.state.pending?.decision_id ?? pending?.decision_id).toBe(pending?.decision_id);
    },
  );

  const answers = SHEET.flatMap(({ id, asked, plan = PLAN, options }) =>
    Object.entries(options).map(([option, stands]) => ({ id, asked, plan, option, stands })),
  );

  test.each(answers)(
    'leads where its option says: $option when $id [CONF-06 CONF-09 CONF-31]',
    ({ asked, plan, option, stands }) => {
      const root = run(`${asked}; answer ${option}`, plan);
      expect(root.refused).toBeNull();
      expect(standing(root)).toBe(stands);
      if (option === 'stop') {
        expect(root.state.outcome).toBe(stands.startsWith('SYNTH') ? 'STOPPED_BY_USER' : 'CANCELLED');
        expect(openRows(root.state)).toEqual([]);
      }
      const answered = root.events.filter(({ event }) => event === 'decision.answered');
      expect(answered).toHaveLength(1);
    },
  );
});

test('lanes go out again under new ids, the old ids stay as they ended [CONF-06 RECO-03 RECO-04]', () => {
  const root = run('start; issue; A ok fast; B bad', PLAN);
  const before = { a: rowAt(root, 'A'), b: rowAt(root, 'B') };
  run('answer redispatch; issue', {}, root);
  expect(rowAt(root, 'A')).toEqual(before.a);
  expect(rowAt(root, 'B')).toMatchObject({ attempt: 2, state: 'dispatched' });
  expect(rowAt(root, 'B').dispatch_id).not.toBe(before.b.dispatch_id);
  expect(root.state.rounds[0]?.rows[1]).toEqual(before.b);
  run('B ok 9', {}, root);
  expect(standing(root)).toBe('COLLECTING poster r1');
});

test('lanes that are sent again get one equal share of what is left, as the option says [CONF-13]', () => {
  // 3 lanes × 3 = 9 of 14 iterations: 5 are left, so 2 each for the two that failed, not 2 and then 3.
  const root = run('start; issue; A ok fast; B bad; C bad', {
    lanes: 3,
    iterations_per_round: 3,
    max_rounds: 2,
    max_total_iterations: 14,
  });
  const again = root.state.pending?.options.find(({ id }) => id === 'redispatch');
  expect(again?.consequence).toContain('2 new research dispatches under new ids, 2 iterations each');
  run('answer redispatch', {}, root);
  const proposed = nextActions(root.state, { freeSlots: 9 }).flatMap((action) =>
    action.action === 'issue' ? [action.proposal.iteration_allowance] : [],
  );
  run('issue', {}, root);
  expect(proposed).toEqual([2, 2]);
  expect(['B', 'C'].map((lane) => rowAt(root, lane).iteration_allowance)).toEqual([2, 2]);
  expect(root.state.iterations_spent).toBe(13);
});

test('no more is promised to lanes sent again than their round granted [CONF-13]', () => {
  // 5 iterations for 3 lanes are 1 each; the one lane that is sent again gets 1 of the 2 left.
  const root = run('start; issue; A silent; B silent; C bad', {
    lanes: 3,
    iterations_per_round: 3,
    max_rounds: 1,
    max_total_iterations: 5,
  });
  expect(root.state.pending?.options[0]?.consequence).toContain(
    '1 new research dispatches under new ids, 1 iter',
  );
});

test('a failed lane asks nothing while the others can be judged, and blocked lanes are answers [PROTO-28]', () => {
  expect(standing(run('start; issue; A ok 9; B bad', PLAN))).toBe('COLLECTING poster r1');
  expect(standing(run('start; issue; A blocked; B blocked', PLAN))).toBe('COLLECTING poster r1');
  expect(standing(run('start; issue; A silent; B blocked', PLAN))).toBe('COLLECTING poster r1');
  expect(standing(run('start; issue; A silent; B bad', { ...PLAN, mode: 'qualitative' }))).toBe(
    'COLLECTING poster r1',
  );
});

test('a review without a poster, and going on without lanes, are limitations [CONF-09 RECO-04]', () => {
  const root = run(
    'start; issue; A silent; B bad; answer continue; issue; poster bad; answer skip; issue',
    PLAN,
  );
  expect(standing(root)).toBe('REVIEWING review r1');
  expect(limitationsOf(root.state)).toEqual([
    'Round 1: lanes without evidence: B failed (PACKET_MALFORMED).',
    'Round 1 was reviewed without a poster.',
    'Round 1 went on without what its failed lanes would have brought.',
  ]);
  const session = root.events.find(({ event }) => event === 'round.poster_session');
  expect(session?.payload).toEqual({ round: 1, dispatch_id: null });
});

test('pauses come after every n-th round and never after a round that stops [CONF-25]', () => {
  const root = run('start; round 20; round 19; round 18', {
    ...PLAN,
    max_rounds: 6,
    pause_every: 2,
  });
  expect(standing(root)).toBe('REVIEWING transfer r2 asks pause');
  expect(standing(run('start; round 9', { ...PLAN, pause_every: 1 }))).toBe('SYNTHESIZING synthesis r1');
  expect(standing(run('start; round 20; round 19', { ...PLAN, pause_every: 0 }))).toBe(
    'DISPATCHING research r3',
  );
});

describe('while a decision is pending', () => {
  const BLOCKED = 'start; issue; A ok 9; A other';

  test('results and timeouts of open dispatches are booked, and only the phase stands [CONF-33]', () => {
    const root = run(`${BLOCKED}; B ok 8`, PLAN);
    expect(rowAt(root, 'B').state).toBe('received');
    expect(standing(root)).toBe('BLOCKED research r1 asks replay_conflict');
    const late = run(`${BLOCKED}; wait 10m; expire`, PLAN);
    expect(rowAt(late, 'B').state).toBe('timed_out');
    expect(standing(late)).toBe('BLOCKED research r1 asks replay_conflict');
    run('answer keep_first', {}, late);
    expect(standing(late)).toBe('COLLECTING poster r1');
  });

  test('nothing is proposed but the question and the waiting [CONF-08]', () => {
    const root = run(BLOCKED, PLAN);
    const actions = nextActions(root.state, { freeSlots: 9 }).map(({ action }) => action);
    expect(actions).toEqual(['ask', 'wait']);
  });

  test('a cancel ends it, and the question goes with it [CONF-08 PROTO-03]', () => {
    const root = run(`${BLOCKED}; cancel`, PLAN);
    expect(standing(root)).toBe('CANCELLED - r1');
    expect(root.state.pending).toBeNull();
    expect(rowAt(root, 'B').state).toBe('cancelled');
    expect(rowAt(root, 'A').state).toBe('received');
  });

  test('a replay conflict takes its place, and the first question is asked again afterwards [CONF-08]', () => {
    const root = run('start; issue; A ok fast; B bad; A other', PLAN);
    expect(standing(root)).toBe('BLOCKED research r1 asks replay_conflict');
    run('answer keep_first', {}, root);
    expect(standing(root)).toBe('COLLECTING research r1 asks evidence_missing');
  });

  test('time goes on: a budget that is reached while BLOCKED ends the research once the answer is there [PROTO-04 CONF-33]', () => {
    const root = run(`${BLOCKED}; wait 8m; expire`, { ...PLAN, time_budget_ms: 8 * 60_000 });
    expect(standing(root)).toBe('BLOCKED research r1 asks replay_conflict');
    run('answer keep_first', {}, root);
    expect(standing(root)).toBe('BUDGET_STOP - r1');
    expect(rowAt(root, 'B').state).toBe('cancelled');
    expect(root.state.blocked).toBeNull();
  });

  test('two conflicts are two questions, one after the other [CONF-08 PROTO-15]', () => {
    const root = run('start; issue; A ok 9; B ok 8; issue', PLAN);
    run('A other; B other', {}, root);
    const first = root.state.pending;
    expect(first?.question).toContain(rowAt(root, 'A').dispatch_id);
    expect(root.state.blocked_later).toHaveLength(1);
    run('answer keep_first', {}, root);
    const second = root.state.pending;
    expect(second?.question).toContain(rowAt(root, 'B').dispatch_id);
    expect(second?.decision_id).not.toBe(first?.decision_id);
    expect(standing(root)).toBe('BLOCKED poster r1 asks replay_conflict');
    run('answer keep_first', {}, root);
    expect(standing(root)).toBe('COLLECTING poster r1');
    expect(rowAt(root, 'A').state).toBe('received');
  });

  test('a stop answers what waits behind it too: the round is over [CONF-31]', () => {
    const root = run('start; round 20; issue; A ok 9; B ok 8; A other; B other; answer stop', PLAN);
    expect(standing(root)).toBe('SYNTHESIZING synthesis r2');
    expect(root.state.blocked).toBeNull();
    expect(root.state.blocked_later).toEqual([]);
  });

  test('only the pending decision can be answered, and only by one of its options [CONF-08]', () => {
    const root = run('start; issue; A silent; B bad', PLAN);
    const before = root.state;
    run('answer keep_first', {}, root);
    expect(root.refused).toMatchObject({ code: 'NO_SUCH_OPTION' });
    expect(root.refused?.message).toContain('redispatch, continue, stop');
    expect(root.state).toEqual(before);
  });
});

test('a stop cancels what is out, and discards what no review covered [CONF-31 PROTO-03]', () => {
  const root: PureRoot = run('start; round 20; issue; A ok 2; A other; answer stop', PLAN);
  expect(rowAt(root, 'B').state).toBe('cancelled');
  expect(root.state.rounds[1]?.reviewed).toBe(false);
  run('issue; synthesis ok; close', {}, root);
  const completed = root.events.find(({ event }) => event === 'conference.completed');
  expect(completed?.payload).toMatchObject({ outcome: 'STOPPED_BY_USER', target_met: false });
});
