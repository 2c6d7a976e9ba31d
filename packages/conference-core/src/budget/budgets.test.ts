/**
 * The bugs: a budget overdrawn by a round that cannot be afforded, time that passes while nobody works, a night between
 * a crash and its resume charged to the user, a synthesis stopped for money.
 */
import type { Plan } from '@x/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issue, rowAt, START, type PureRoot } from '../../test/support/pure-root.ts';
import { path, run, standing } from '../../test/support/steps.ts';
import { timeSpentMs } from '../rules/accounting.ts';
import { endBusy, spentMs, startBusy } from './spent-time.ts';

const MINUTE = 60_000;

interface Allowances {
  readonly id: string;
  readonly plan: Partial<Plan>;
  /** Allowance of each round, and whether it is the last affordable one. */
  readonly rounds: readonly (readonly [allowance: number, last: boolean])[];
  readonly spent: number;
  readonly why: string;
}

/** Every round improves by more than the noise and none reaches the target. */
const SHEET: readonly Allowances[] = [
  {
    id: 'as asked',
    plan: { lanes: 2, iterations_per_round: 3, max_rounds: 2, max_total_iterations: 12 },
    rounds: [
      [3, false],
      [3, true],
    ],
    spent: 12,
    why: 'the computed total is 2 × 3 × 2',
  },
  {
    id: 'a short last round',
    plan: { lanes: 2, iterations_per_round: 3, max_rounds: 5, max_total_iterations: 11 },
    rounds: [
      [3, false],
      [2, true],
    ],
    spent: 10,
    why: '5 are left: floor(5 / 2) = 2 each, and 1 is less than the lanes',
  },
  {
    id: 'rounds bind before iterations',
    plan: { lanes: 2, iterations_per_round: 1, max_rounds: 2, max_total_iterations: 100 },
    rounds: [
      [1, false],
      [1, true],
    ],
    spent: 4,
    why: 'a larger total buys no further round',
  },
  {
    id: 'a short first round',
    plan: { lanes: 3, iterations_per_round: 4, max_rounds: 3, max_total_iterations: 5 },
    rounds: [[1, true]],
    spent: 3,
    why: 'floor(5 / 3) = 1, and 2 are fewer than 3 lanes',
  },
  {
    id: 'exactly one each left',
    plan: { lanes: 3, iterations_per_round: 2, max_rounds: 3, max_total_iterations: 9 },
    rounds: [
      [2, false],
      [1, true],
    ],
    spent: 9,
    why: 'as many iterations as lanes are still a round',
  },
];

test.each(SHEET)(
  'rounds get what is left, in equal whole shares: $id [CONF-12 CONF-13 CONF-26 CONV-13 CONV-16]',
  ({ plan, rounds, spent }) => {
    const root = run('start', plan);
    for (let round = 0; round < rounds.length; round += 1) run(`round ${40 - round}`, {}, root);
    const started = root.events.flatMap((event) =>
      event.event === 'round.started' ? [[event.payload.iteration_allowance, event.payload.last_round]] : [],
    );
    expect(started).toEqual(rounds);
    expect(root.state.iterations_spent).toBe(spent);
    expect(standing(root)).toBe(`SYNTHESIZING synthesis r${rounds.length}`);
    expect(root.state.outcome).toBe('BUDGET_STOP');
    expect(root.state.rounds.at(-1)?.record?.winner).toBe('hard_budget');
    // The marks stand with each dispatch, where its charter is rebuilt from.
    const marks = root.state.rounds.map((own) => own.rows.filter(({ role }) => role === 'researcher'));
    expect(marks.map((rows) => rows.every(({ last_round }) => last_round))).toEqual(
      rounds.map(([, last]) => last),
    );
  },
);

test('a round under way is finished before rounds or iterations bind [PROTO-04 CONF-26]', () => {
  const root = run('start; issue', {
    lanes: 2,
    iterations_per_round: 1,
    max_rounds: 1,
    max_total_iterations: 2,
  });
  expect(root.state.iterations_spent).toBe(2);
  expect(standing(root)).toBe('COLLECTING research r1');
  run('A ok 30; B ok 31; issue; poster ok; issue; review ok', {}, root);
  expect(path(root).endsWith('REVIEWING>BUDGET_STOP>SYNTHESIZING')).toBe(true);
});

test('iterations are counted by allowance at the issue, whatever a child reports [CONF-12]', () => {
  const root = run('start; issue A', { lanes: 2, iterations_per_round: 3, max_total_iterations: 18 });
  expect(root.state.iterations_spent).toBe(3);
  run('A ok 9 8 7 6 5', {}, root);
  expect(root.state.iterations_spent).toBe(3);
  run('issue; B bad', {}, root);
  expect(root.state.iterations_spent).toBe(6);
});

test('lanes that are sent again may make the round the last one: their charters say so, the others do not [CONV-13]', () => {
  // 2 of 4 iterations went out, the redispatch takes the third: 1 is left for 2 lanes.
  const root = run('start; issue; A silent; B bad', {
    lanes: 2,
    iterations_per_round: 1,
    max_rounds: 4,
    max_total_iterations: 4,
  });
  const first = root.state.rounds[0]?.rows ?? [];
  expect(first.map(({ last_round }) => last_round)).toEqual([false, false]);
  run('answer redispatch; issue', {}, root);
  expect(rowAt(root, 'B')).toMatchObject({ attempt: 2, last_round: true });
  expect(rowAt(root, 'A').last_round).toBe(false);
});

const TIMED: Partial<Plan> = {
  lanes: 2,
  iterations_per_round: 1,
  max_rounds: 4,
  max_total_iterations: 8,
  time_budget_ms: 12 * MINUTE,
};

function spentBy(root: PureRoot): number {
  return timeSpentMs(root.state, root.now);
}

describe('time spent', () => {
  const rows: readonly { id: string; steps: string; ms: number; why: string }[] = [
    { id: 'nothing out', steps: 'start; wait 60m; expire', ms: 0, why: 'waiting for the root is free' },
    { id: 'one out', steps: 'start; issue A; wait 3m; expire', ms: 3 * MINUTE, why: 'from issue' },
    {
      id: 'two side by side',
      steps: 'start; issue A; wait 2m; issue B; wait 1m; A ok 20; wait 1m; B ok 19',
      ms: 4 * MINUTE,
      why: 'a union, not a sum',
    },
    {
      id: 'a gap',
      steps: 'start; issue A; wait 2m; A ok 20; wait 30m; issue B; wait 1m; B ok 20',
      ms: 3 * MINUTE,
      why: 'nobody works in the gap',
    },
    {
      id: 'poster and review too',
      steps: 'start; issue; wait 1m; A ok 20; B ok 20; issue; wait 1m; poster ok; issue; wait 1m; review ok',
      ms: 3 * MINUTE,
      why: 'all but synthesis count',
    },
    {
      id: 'a crash overnight',
      steps: 'start; issue; wait 600m; expire',
      ms: 10 * MINUTE,
      why: 'at most what was open until its deadlines',
    },
    {
      id: 'failed early',
      steps: 'start; issue; wait 1m; A lost; wait 1m; B bad',
      ms: 2 * MINUTE,
      why: 'until the terminal event',
    },
  ];

  test.each(rows)('is the union of what was out: $id [CONF-14]', ({ steps, ms }) => {
    const root = run(steps, { ...TIMED, time_budget_ms: 1_000 * MINUTE });
    expect(spentBy(root)).toBe(ms);
  });

  test('is the length of the union, by any order of issues and ends [CONF-14]', () => {
    const stretch = fc.record({
      from: fc.integer({ min: 0, max: 1_000 }),
      deadline: fc.integer({ min: 1, max: 400 }),
      late: fc.integer({ min: 0, max: 100 }),
      early: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 12 }), (made) => {
        // A terminal event comes at an answer, or some time after the deadline when a command next looked.
        const all = made.map(({ from, deadline, late, early }) => {
          const until = from + deadline;
          const end = early < deadline ? from + early : until + late;
          return { from, until, end };
        });
        const events = [
          ...all.map(({ from }, at) => ({ ms: from, kind: 1, at })),
          ...all.map(({ end }, at) => ({ ms: end, kind: 0, at })),
        ].toSorted((a, b) => a.ms - b.ms || a.kind - b.kind || a.at - b.at);
        // The clock is first: what is overdue has ended before anything is issued.
        fc.pre(events.every(({ ms, kind, at }) => kind === 1 || all[at]?.end === ms));
        const overdueFirst = events.every(
          ({ ms, kind }, index) =>
            kind === 0 ||
            all.every(
              ({ from, until, end }, other) =>
                !(from < ms && until <= ms && end > ms) && !(from === ms && other > index && end <= ms),
            ),
        );
        fc.pre(overdueFirst);
        let busy = { spent_ms: 0, since_ms: 0, until_ms: 0 };
        let open = 0;
        for (const { ms, kind, at } of events) {
          const one = all[at];
          if (one === undefined) continue;
          if (kind === 1) {
            busy = startBusy(busy, ms, open);
            open += 1;
          } else {
            busy = endBusy(busy, ms, one.until);
            open -= 1;
          }
        }
        const covered = new Set<number>();
        for (const { from, until, end } of all) {
          for (let ms = from; ms < Math.min(until, end); ms += 1) covered.add(ms);
        }
        expect(spentMs(busy, 10_000, null)).toBe(covered.size);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the time budget', () => {
  test('ends research, poster and review at once, and what is out with them [PROTO-04 CONF-14]', () => {
    const phases = [
      'start; issue; wait 9m; expire; wait 3m',
      'start; issue; wait 9m; A ok 20; B ok 20; issue; wait 3m; expire',
      'start; issue; wait 9m; A ok 20; B ok 20; issue; poster ok; issue; wait 3m; expire',
    ];
    for (const steps of phases) {
      const root = run(`${steps}; expire`, { ...TIMED, timeouts: LONG });
      expect(standing(root)).toBe('BUDGET_STOP - r1');
      expect(root.state.rounds[0]?.open).toBe(0);
      expect(root.state.rounds[0]?.rows.some(({ state }) => state === 'cancelled')).toBe(true);
    }
  });

  test('lets a millisecond less than the budget pass [PROTO-04]', () => {
    const root = run('start; issue; wait 719999ms; expire', { ...TIMED, timeouts: LONG });
    expect(standing(root)).toBe('COLLECTING research r1');
    run('wait 1ms; expire', {}, root);
    expect(standing(root)).toBe('BUDGET_STOP - r1');
  });

  test('never stops a synthesis, nor is a synthesis charged to it [CONF-32 CONF-05]', () => {
    const root = run('start; round 9; issue; wait 4m; expire', { ...TIMED, time_budget_ms: 1 });
    expect(standing(root)).toBe('SYNTHESIZING synthesis r1');
    expect(spentBy(root)).toBe(0);
    run('synthesis ok cost 99', {}, root);
    expect(root.state.state).toBe('COMPLETE');
    expect(root.state.cost_spent).toBe('0');
  });

  test('in the transfer phase waits for the evaluation, so that an accepted review still counts [CONF-26]', () => {
    const root = run(
      'start; issue; wait 9m; A ok 20; B ok 20; issue; poster ok; issue; wait 179999ms; review ok',
      {
        ...TIMED,
        timeouts: LONG,
      },
    );
    expect(standing(root)).toBe('DISPATCHING research r2');
    const over = run('start; issue; wait 12m; A ok 20', { ...TIMED, timeouts: LONG });
    expect(standing(over)).toBe('BUDGET_STOP - r1');
  });
});

const LONG = {
  researcher_ms: 60 * MINUTE,
  poster_ms: 60 * MINUTE,
  reviewer_ms: 60 * MINUTE,
  synthesis_ms: 60 * MINUTE,
};

describe('the cost budget', () => {
  const COSTLY: Partial<Plan> = { ...TIMED, time_budget_ms: 10_000 * MINUTE, cost_budget: '0.3' };

  test('adds decimals exactly, and is reached when it is spent [PROTO-04]', () => {
    const root = run('start; issue; A ok 20 cost 0.1', COSTLY);
    expect(root.state.cost_spent).toBe('0.1');
    run('B ok 20 cost 0.2', {}, root);
    // 0.1 + 0.2 is 0.3, which it is not in binary.
    expect(root.state.cost_spent).toBe('0.3');
    expect(standing(root)).toBe('BUDGET_STOP - r1');
  });

  test('counts failures too, and what only the evaluation sees [CONF-26 PROTO-04]', () => {
    const lost = run('start; issue; A lost cost 0.3', COSTLY);
    expect(standing(lost)).toBe('BUDGET_STOP - r1');
    const root = run('start; issue; A ok 20; B ok 20; issue; poster ok; issue; review ok cost 0.3', COSTLY);
    // The review is in: the round is complete and goes to synthesis by the rule, not by a cut.
    expect(root.state.rounds[0]?.record?.winner).toBe('hard_budget');
    expect(standing(root)).toBe('SYNTHESIZING synthesis r1');
  });

  test('counts no late and no repeated result [PROTO-14 PROTO-17]', () => {
    const root = run('start; issue; A ok 20 cost 0.1; A again cost 0.2; A again cost 0.2', COSTLY);
    expect(root.state.cost_spent).toBe('0.1');
  });

  test.each(['1e3', '-1', '', 'NaN', '1,5', '0x10', '1'.repeat(99)])(
    'refuses a cost that is no plain decimal, and the dispatch stays open: %j',
    (cost) => {
      const root = run('start; issue', COSTLY);
      run(`A ok 20 cost ${cost === '' ? ' ' : cost}`, {}, root);
      if (cost === '') return;
      expect(root.refused?.code).toBe('COST_UNREADABLE');
      expect(rowAt(root, 'A').state).toBe('dispatched');
    },
  );
});

test('the clock is the later of the caller’s and the ledger’s, so time never runs back [CONF-29]', () => {
  const root = run('start; issue; wait 5m; A ok 20', TIMED);
  root.now = START;
  issue(root);
  run('B ok 20', {}, root);
  const times = root.events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
});
