/**
 * The bugs: a state that is reached by another way than the table's, a row of the table that nothing reaches, a refused
 * transition that left something behind.
 */
import { CONFERENCE_STATES, digestOf, type ConferenceState, type Plan } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { CONFERENCE, execute, pureRoot, STRANGER, type PureRoot } from '../../test/support/pure-root.ts';
import { path, run, standing } from '../../test/support/steps.ts';
import { INITIAL_STATE } from '../state.ts';
import { evidenceDigest, isTransition, transitionEvent, TRANSITIONS } from './transition.ts';

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** One lane, one round, metric mode: the shortest conference. */
const ONE: Partial<Plan> = { lanes: 1, max_rounds: 1, iterations_per_round: 1, max_total_iterations: 1 };
const TWO_ROUNDS: Partial<Plan> = {
  lanes: 2,
  max_rounds: 3,
  iterations_per_round: 1,
  max_total_iterations: 6,
};

interface Row {
  readonly id: string;
  readonly plan?: Partial<Plan>;
  readonly steps: string;
  readonly path: string;
  readonly stands: string;
  readonly why: string;
}

const LIVE_PATHS: Readonly<Record<string, { steps: string; path: string; stands: string }>> = {
  PLANNING: { steps: '', path: 'PLANNING', stands: 'PLANNING - r0' },
  CONFIRMED: { steps: 'confirm', path: 'PLANNING>CONFIRMED', stands: 'CONFIRMED - r0' },
  DISPATCHING: {
    steps: 'start; issue A',
    path: 'PLANNING>CONFIRMED>DISPATCHING',
    stands: 'DISPATCHING research r1',
  },
  COLLECTING: {
    steps: 'start; issue',
    path: 'PLANNING>CONFIRMED>DISPATCHING>COLLECTING',
    stands: 'COLLECTING research r1',
  },
  REVIEWING: {
    steps: 'start; issue; A ok 9; B ok 8; issue; poster ok; issue',
    path: 'PLANNING>CONFIRMED>DISPATCHING>COLLECTING>COLLECTING>REVIEWING',
    stands: 'REVIEWING review r1',
  },
  SYNTHESIZING: {
    steps: 'start; round 9; issue',
    path: 'PLANNING>CONFIRMED>DISPATCHING>COLLECTING>COLLECTING>REVIEWING>SYNTHESIZING',
    stands: 'SYNTHESIZING synthesis r1',
  },
};
const COLLECTING = `${LIVE_PATHS['COLLECTING']?.path}`;
const REVIEWING = `${LIVE_PATHS['REVIEWING']?.path}`;
const SYNTHESIZING = `${LIVE_PATHS['SYNTHESIZING']?.path}`;

const SHEET: readonly Row[] = [
  ...Object.entries(LIVE_PATHS).map(([id, row]) => ({
    ...row,
    id: `to ${id}`,
    plan: TWO_ROUNDS,
    why: 'the way of an undisturbed conference',
  })),
  {
    id: 'next round',
    plan: TWO_ROUNDS,
    steps: 'start; round 20',
    path: `${REVIEWING}>DISPATCHING`,
    stands: 'DISPATCHING research r2',
    why: 'no stop rule held, and confirming approved all rounds',
  },
  {
    id: 'complete',
    plan: TWO_ROUNDS,
    steps: 'start; round 9; issue; synthesis ok',
    path: `${SYNTHESIZING}>COMPLETE`,
    stands: 'COMPLETE - r1',
    why: 'the target is reached on reviewed evidence and the synthesis accepted',
  },
  {
    id: 'complete without',
    plan: TWO_ROUNDS,
    steps: 'start; round 9; issue; synthesis bad; answer complete_without',
    path: `${SYNTHESIZING}>COMPLETE`,
    stands: 'COMPLETE - r1',
    why: 'the user completes without a synthesis',
  },
  {
    id: 'hard budget',
    plan: ONE,
    steps: 'start; issue; A ok 20; issue; poster ok; issue; review ok',
    path: `${REVIEWING}>BUDGET_STOP>SYNTHESIZING`,
    stands: 'SYNTHESIZING synthesis r1',
    why: 'reviewed evidence exists, so BUDGET_STOP goes on to synthesis',
  },
  {
    id: 'hard budget without evidence',
    plan: ONE,
    steps: 'start; issue; A ok 20; issue; poster ok; issue; review overturns',
    path: `${REVIEWING}>BUDGET_STOP`,
    stands: 'BUDGET_STOP - r1',
    why: 'nothing was validated: final',
  },
  {
    id: 'no iteration for a lane',
    plan: { lanes: 3, max_total_iterations: 2 },
    steps: 'start',
    path: 'PLANNING>CONFIRMED>DISPATCHING>BUDGET_STOP',
    stands: 'BUDGET_STOP - r1',
    why: 'floor(2 / 3) is 0: the budget is reached before a charter is issued',
  },
  {
    id: 'stop with evidence',
    plan: { ...TWO_ROUNDS, pause_every: 1 },
    steps: 'start; round 20; answer stop',
    path: `${REVIEWING}>SYNTHESIZING`,
    stands: 'SYNTHESIZING synthesis r1',
    why: 'what was reviewed goes to synthesis',
  },
  {
    id: 'stop without evidence',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A ok 9; B ok 9; issue; poster bad; answer stop',
    path: `${COLLECTING}>COLLECTING>CANCELLED`,
    stands: 'CANCELLED - r1',
    why: 'nothing was reviewed yet',
  },
  {
    id: 'no host at confirm',
    steps: 'confirm unable',
    path: 'PLANNING>BLOCKED',
    stands: 'BLOCKED - r0 asks multi_agent_unavailable',
    why: 'children are never simulated',
  },
  {
    id: 'gate again',
    steps: 'confirm unable; answer retry',
    path: 'PLANNING>BLOCKED>PLANNING',
    stands: 'PLANNING - r0',
    why: 'back to the state before, where confirming asks the host again',
  },
  {
    id: 'no host at start',
    steps: 'confirm; attach unable; answer retry',
    path: 'PLANNING>CONFIRMED>BLOCKED>CONFIRMED',
    stands: 'CONFIRMED - r0',
    why: 'the host may lose delegate_task between confirm and start',
  },
  {
    id: 'no valid packet',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A bad; B lost',
    path: `${COLLECTING}>BLOCKED`,
    stands: 'BLOCKED research r1 asks no_valid_packet',
    why: 'as soon as the last research id is terminal',
  },
  {
    id: 'no valid packet, again',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A bad; B lost; answer redispatch',
    path: `${COLLECTING}>BLOCKED>DISPATCHING`,
    stands: 'DISPATCHING research r1',
    why: 'the lanes go out again under new ids',
  },
  {
    id: 'conflict in research',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A ok 9; A other',
    path: `${COLLECTING}>BLOCKED`,
    stands: 'BLOCKED research r1 asks replay_conflict',
    why: 'two answers to one charter',
  },
  {
    id: 'conflict while dispatching, first kept',
    plan: TWO_ROUNDS,
    steps: 'start; issue A; A ok 9; A other; answer keep_first',
    path: 'PLANNING>CONFIRMED>DISPATCHING>BLOCKED>DISPATCHING',
    stands: 'DISPATCHING research r1',
    why: 'the state before',
  },
  {
    id: 'conflict while collecting, first kept',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A ok 9; A other; answer keep_first',
    path: `${COLLECTING}>BLOCKED>COLLECTING`,
    stands: 'COLLECTING research r1',
    why: 'the state before',
  },
  {
    id: 'conflict while reviewing, first kept',
    plan: TWO_ROUNDS,
    steps: 'start; issue; A ok 9; B ok 8; issue; poster ok; issue; A other; answer keep_first',
    path: `${REVIEWING}>BLOCKED>REVIEWING`,
    stands: 'REVIEWING review r1',
    why: 'the state before',
  },
  {
    id: 'conflict of a failed synthesis, first kept',
    plan: TWO_ROUNDS,
    steps: 'start; round 9; issue; synthesis bad; synthesis other; answer keep_first',
    path: `${SYNTHESIZING}>BLOCKED>SYNTHESIZING`,
    stands: 'SYNTHESIZING synthesis r1 asks synthesis_failed',
    why: 'the question that the conflict interrupted is asked again',
  },
  {
    id: 'stop from a block with evidence',
    plan: TWO_ROUNDS,
    steps: 'start; round 20; issue; A ok 9; A other; answer stop',
    path: `${REVIEWING}>DISPATCHING>COLLECTING>BLOCKED>SYNTHESIZING`,
    stands: 'SYNTHESIZING synthesis r2',
    why: 'round 1 was reviewed',
  },
  {
    id: 'restart',
    plan: TWO_ROUNDS,
    steps: 'start; issue; stale; answer restart',
    path: `${COLLECTING}>BLOCKED>CANCELLED`,
    stands: 'CANCELLED - r1',
    why: 'a new conference starts from the start gate',
  },
  {
    id: 'revalidate',
    plan: TWO_ROUNDS,
    steps: 'start; issue; stale; answer revalidate',
    path: `${COLLECTING}>BLOCKED>COLLECTING`,
    stands: 'COLLECTING research r1',
    why: 'the state before',
  },
  {
    id: 'cancel a block',
    plan: TWO_ROUNDS,
    steps: 'start; issue; stale; cancel',
    path: `${COLLECTING}>BLOCKED>CANCELLED`,
    stands: 'CANCELLED - r1',
    why: 'BLOCKED can be cancelled too',
  },
  {
    id: 'time budget in research',
    plan: { ...TWO_ROUNDS, time_budget_ms: 60_000 },
    steps: 'start; issue; wait 1m; expire',
    path: `${COLLECTING}>BUDGET_STOP`,
    stands: 'BUDGET_STOP - r1',
    why: 'at once, without evidence final',
  },
  {
    id: 'time budget with evidence of an earlier round',
    plan: { ...TWO_ROUNDS, time_budget_ms: 60_000 },
    steps: 'start; round 20; issue; wait 1m; expire',
    path: `${REVIEWING}>DISPATCHING>COLLECTING>BUDGET_STOP>SYNTHESIZING`,
    stands: 'SYNTHESIZING synthesis r2',
    why: 'a synthesis is not charged to the research budget',
  },
  {
    id: 'cost budget while dispatching',
    plan: { ...TWO_ROUNDS, cost_budget: '2' },
    steps: 'start; issue A; A ok 20 cost 2',
    path: 'PLANNING>CONFIRMED>DISPATCHING>BUDGET_STOP',
    stands: 'BUDGET_STOP - r1',
    why: 'reached is reached: two of two are spent',
  },
  ...Object.entries(LIVE_PATHS).map(([id, row]) => ({
    id: `cancel ${id}`,
    plan: TWO_ROUNDS,
    steps: `${row.steps}; cancel`,
    path: `${row.path}>CANCELLED`,
    stands: `CANCELLED - ${row.stands.split(' ').at(-1)}`,
    why: 'the user may cancel any live state',
  })),
  ...Object.entries(LIVE_PATHS).map(([id, row]) => ({
    id: `block ${id}`,
    plan: TWO_ROUNDS,
    steps: `${row.steps}; stale`,
    path: `${row.path}>BLOCKED`,
    stands: `${row.stands.replace(/^\w+/, 'BLOCKED')} asks stale_state`,
    why: 'files may differ from the ledger in any live state',
  })),
];

test.each(SHEET)(
  'a conference goes the way of the table: $id [CONF-02 CONF-03 CONF-05 CONF-06 PROTO-02 PROTO-03 PROTO-04 PROTO-05]',
  (row) => {
    const root = run(row.steps, row.plan);
    expect({ path: path(root), stands: standing(root) }).toEqual({ path: row.path, stands: row.stands });
  },
);

/** `FROM>TO` of every transition that some row of the sheet takes. */
function taken(root: PureRoot): string[] {
  return root.events.flatMap((event) =>
    event.event === 'state.transitioned'
      ? [`${event.payload.previous_state}>${event.payload.next_state}`]
      : [],
  );
}

test('the sheet reaches every row of the table, and the table has no row besides [CONF-07]', () => {
  const reached = new Set(SHEET.flatMap((row) => taken(run(row.steps, row.plan))));
  const unreached = TRANSITIONS.filter(
    ({ from, to }) => !from.some((state) => reached.has(`${state}>${to}`)),
  ).map(({ from, to }) => `${from.join('|')}>${to}`);
  expect(unreached).toEqual([]);
  // Laid beside the source once more, as pairs, by hand.
  const pairs = CONFERENCE_STATES.flatMap((from) =>
    CONFERENCE_STATES.filter((to) => isTransition(from, to)).map((to) => `${from}>${to}`),
  );
  expect(pairs).toEqual([
    'PLANNING>CONFIRMED',
    'PLANNING>SYNTHESIZING',
    'PLANNING>BLOCKED',
    'PLANNING>CANCELLED',
    'PLANNING>BUDGET_STOP',
    'CONFIRMED>DISPATCHING',
    'CONFIRMED>SYNTHESIZING',
    'CONFIRMED>BLOCKED',
    'CONFIRMED>CANCELLED',
    'CONFIRMED>BUDGET_STOP',
    'DISPATCHING>COLLECTING',
    'DISPATCHING>SYNTHESIZING',
    'DISPATCHING>BLOCKED',
    'DISPATCHING>CANCELLED',
    'DISPATCHING>BUDGET_STOP',
    'COLLECTING>COLLECTING',
    'COLLECTING>REVIEWING',
    'COLLECTING>SYNTHESIZING',
    'COLLECTING>BLOCKED',
    'COLLECTING>CANCELLED',
    'COLLECTING>BUDGET_STOP',
    'REVIEWING>DISPATCHING',
    'REVIEWING>SYNTHESIZING',
    'REVIEWING>BLOCKED',
    'REVIEWING>CANCELLED',
    'REVIEWING>BUDGET_STOP',
    'SYNTHESIZING>COMPLETE',
    'SYNTHESIZING>BLOCKED',
    'SYNTHESIZING>CANCELLED',
    'BLOCKED>PLANNING',
    'BLOCKED>CONFIRMED',
    'BLOCKED>DISPATCHING',
    'BLOCKED>COLLECTING',
    'BLOCKED>REVIEWING',
    'BLOCKED>SYNTHESIZING',
    'BLOCKED>CANCELLED',
    'BUDGET_STOP>SYNTHESIZING',
  ]);
});

describe('a transition that is not in the table', () => {
  const outside = CONFERENCE_STATES.flatMap((from) =>
    CONFERENCE_STATES.filter((to) => !isTransition(from, to)).map((to) => ({ from, to })),
  );

  test.each(outside)('cannot be made: $from to $to [CONF-07]', ({ from, to }) => {
    const state = { ...INITIAL_STATE, state: from };
    expect(() => transitionEvent(state, 0, { state: to, phase: null, reason: 'x' })).toThrow(
      `no transition from ${from} to ${to}`,
    );
  });

  const refusals: readonly { steps: string; command: string; code: string }[] = [
    {
      steps: 'start; round 9; issue; synthesis ok',
      command: 'cancel',
      code: 'NOT_ALLOWED_NOW',
    },
    { steps: 'start; round 9; issue; synthesis ok', command: 'stale', code: 'NOT_ALLOWED_NOW' },
    { steps: 'cancel', command: 'cancel', code: 'NOT_ALLOWED_NOW' },
    { steps: 'cancel', command: 'confirm', code: 'NOT_ALLOWED_NOW' },
    { steps: 'start', command: 'close', code: 'NOT_ALLOWED_NOW' },
    { steps: 'start; issue', command: 'answer stop', code: 'NO_SUCH_DECISION' },
    { steps: 'start; issue; stale', command: 'answer keep_first', code: 'NO_SUCH_OPTION' },
    { steps: 'start; issue; stale', command: 'confirm', code: 'DONE' },
  ];

  test.each(refusals)(
    'is refused by name and changes nothing: $command after $steps [CONF-07]',
    ({ steps, command, code }) => {
      const root = run(steps, TWO_ROUNDS);
      const before = root.state;
      const events = root.events.length;
      run(command, {}, root);
      expect(root.refused?.code ?? 'DONE').toBe(code);
      expect(root.state).toEqual(before);
      expect(root.events).toHaveLength(events);
    },
  );

  test('is refused for an id that is not proposed, and for a plan or a digest that is not the confirmed one [CONF-07 AUTO-11]', () => {
    const root = pureRoot(TWO_ROUNDS);
    const digest = digestOf('x');
    const before = root.state;
    const wrong = [
      { command: 'issue' as const, dispatch_id: STRANGER, charter_digest: digest, context_digest: digest },
      {
        command: 'confirm' as const,
        plan_digest: digest,
        capability: { delegate_task: true, slots: 1 },
        confirmed_by: 'test',
      },
      { command: 'plan' as const, conference_id: CONFERENCE, plan: root.plan },
    ];
    const codes = wrong.map((command) => {
      execute(root, command);
      return root.refused?.code;
    });
    expect(codes).toEqual(['NOT_PROPOSED', 'PLAN_DIGEST_MISMATCH', 'ALREADY_PLANNED']);
    expect(root.state).toEqual(before);
  });
});

test('each transition event says from where to where, in which round and phase, whom it concerns, on what evidence and why [PROTO-06]', () => {
  const root = run('start; issue; A ok 9; B ok 8', TWO_ROUNDS);
  const moves = root.events.flatMap((event) => (event.event === 'state.transitioned' ? [event.payload] : []));
  const research = root.state.rounds[0]?.rows ?? [];
  expect(moves).toMatchObject([
    {
      previous_state: 'PLANNING',
      next_state: 'CONFIRMED',
      round: 0,
      phase: null,
      dispatch_ids: [],
      reason: 'the user confirmed the plan',
    },
    {
      previous_state: 'CONFIRMED',
      next_state: 'DISPATCHING',
      round: 1,
      phase: 'research',
      dispatch_ids: [],
      reason: 'round 1 opens',
    },
    {
      previous_state: 'DISPATCHING',
      next_state: 'COLLECTING',
      round: 1,
      phase: 'research',
      dispatch_ids: research.map(({ dispatch_id }) => dispatch_id),
      reason: 'every research charter of round 1 is issued',
    },
    {
      previous_state: 'COLLECTING',
      next_state: 'COLLECTING',
      round: 1,
      phase: 'poster',
      dispatch_ids: [],
      reason: 'every research id of round 1 is terminal',
    },
  ]);
  // SHA-256 over the sorted content digests of what the round accepted so far, worked out here by hand.
  const contents = research.flatMap(({ content_digest }) => content_digest ?? []).toSorted(byText);
  expect(moves.at(-1)?.evidence_digest).toBe(digestOf(JSON.stringify(contents)));
  expect(moves.at(0)?.evidence_digest).toBe(digestOf('[]'));
  expect(evidenceDigest(root.state)).toBe(digestOf(JSON.stringify(contents)));
});

test.each<ConferenceState>(['COMPLETE', 'CANCELLED'])('%s leads nowhere [CONF-07]', (state) => {
  expect(CONFERENCE_STATES.filter((to) => isTransition(state, to))).toEqual([]);
});

test('an undisturbed conference of one round passes its states in this order and skips none [PROTO-02 CONF-04]', () => {
  const root = run('start; round 9; issue; synthesis ok; close', ONE);
  expect(path(root)).toBe(
    'PLANNING>CONFIRMED>DISPATCHING>COLLECTING>COLLECTING>REVIEWING>BUDGET_STOP>SYNTHESIZING>COMPLETE',
  );
  const converged = run('start; round 9; issue; synthesis ok; close', {
    ...ONE,
    max_rounds: 2,
    max_total_iterations: 2,
  });
  expect(path(converged)).toBe(
    'PLANNING>CONFIRMED>DISPATCHING>COLLECTING>COLLECTING>REVIEWING>SYNTHESIZING>COMPLETE',
  );
  expect(converged.state.outcome).toBe('CONVERGED');
  expect(converged.state.closing.receipt).not.toBeNull();
});
