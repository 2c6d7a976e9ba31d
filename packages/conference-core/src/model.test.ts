/**
 * The bugs: a phase that advances with an id still out, a budget that is exceeded, a state that only the process which
 * made it knows, a crash in mid-commit after which the rest never comes.
 *
 * Random roots, sensible and not, over random plans; `FULL=1` runs many more of them.
 */
import { parseConferenceId, type ConferenceEvent, type Plan } from '@x/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, fold, settleAll, step } from './decide.ts';
import { isTerminal } from './dispatch-row.ts';
import { evolve } from './evolve.ts';
import { isRefusal } from './refusal.ts';
import { laneRows, rowOf } from './round.ts';
import { isTransition } from './rules/transition.ts';
import { allRows, currentRound, INITIAL_STATE, openDispatches, type State } from './state.ts';
import { randomCommand } from './testing/random-root.ts';
import { samplePlan } from './testing/sample-plan.ts';

const CONFERENCE = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
const START = Date.parse('2026-11-30T12:00:00.000Z');
const RUNS = process.env['FULL'] === '1' ? 5_000 : 120;
const STEPS = 160;

const plans: fc.Arbitrary<Plan> = fc
  .record({
    mode: fc.constantFrom<Plan['mode']>('metric', 'qualitative'),
    lanes: fc.integer({ min: 1, max: 4 }),
    iterations_per_round: fc.integer({ min: 1, max: 3 }),
    max_rounds: fc.integer({ min: 1, max: 4 }),
    max_total_iterations: fc.integer({ min: 1, max: 30 }),
    pause_every: fc.integer({ min: 0, max: 2 }),
    timed: fc.boolean(),
    costly: fc.boolean(),
    order: fc.constantFrom<Plan['convergence']['order']>('core', 'guide'),
    write_root: fc.constantFrom('/granted', null),
  })
  .map(({ timed, costly, order, ...rest }) => {
    const plan = samplePlan(rest);
    return {
      ...plan,
      convergence: { ...plan.convergence, order },
      ...(timed ? { time_budget_ms: 15 * 60_000 } : {}),
      ...(costly ? { cost_budget: '6' } : {}),
    };
  });

const runs = fc.tuple(
  plans,
  fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 20, maxLength: STEPS }),
);

interface Visited {
  readonly before: State;
  readonly events: readonly ConferenceEvent[];
  readonly after: State;
  /** How many events the clock alone brought about, and how many the command itself. */
  readonly clock: number;
  readonly decided: number;
  readonly now: number;
}

function start(plan: Plan): State {
  if (CONFERENCE === null) throw new Error('not a ULID');
  const planned = step(INITIAL_STATE, { command: 'plan', conference_id: CONFERENCE, plan }, START);
  if (isRefusal(planned)) throw new Error(planned.message);
  if (plan.write_root === null) return planned.state;
  const grant = {
    grant_id: 'g',
    root: plan.write_root,
    actions: ['write'] as ['write'],
    revision: 1,
    granted_by: 'test',
  };
  const granted = step(planned.state, { command: 'grant', grant }, START);
  return isRefusal(granted) ? planned.state : granted.state;
}

function drive(plan: Plan, numbers: readonly number[], visit: (visited: Visited) => void): State {
  let state = start(plan);
  let now = START;
  for (const number of numbers) {
    const { command, advanceMs } = randomCommand(state, plan, number);
    now += advanceMs;
    const stepped = step(state, command, now);
    if (isRefusal(stepped)) continue;
    const clock = settleAll(state, now).events.length;
    const decided = decide(settleAll(state, now).state, command, now);
    visit({
      before: state,
      events: stepped.events,
      after: stepped.state,
      clock,
      decided: isRefusal(decided) ? 0 : decided.length,
      now,
    });
    state = stepped.state;
  }
  return state;
}

function check(property: (plan: Plan, numbers: readonly number[]) => void): void {
  fc.assert(
    fc.property(runs, ([plan, numbers]) => property(plan, numbers)),
    { numRuns: RUNS },
  );
}

describe('random roots', { timeout: 600_000 }, () => {
  test('never take a transition outside the table, and every transition starts where the conference stands [CONF-07 PROTO-01 PROTO-06]', () => {
    check((plan, numbers) => {
      drive(plan, numbers, ({ before, events }) => {
        let state = before;
        for (const event of events) {
          if (event.event === 'state.transitioned') {
            const { previous_state, next_state } = event.payload;
            expect(previous_state).toBe(state.state);
            expect(isTransition(previous_state, next_state)).toBe(true);
          }
          state = evolve(state, event);
        }
      });
    });
  });

  test('never advance a phase while an id of it is out [PROTO-12 PROTO-24]', () => {
    let phases = 0;
    check((plan, numbers) => {
      drive(plan, numbers, ({ before, events }) => {
        let state = before;
        for (const event of events) {
          if (event.event === 'state.transitioned' && event.payload.next_state !== 'BLOCKED') {
            expectClosed(state, event.payload);
            phases += event.payload.phase === 'poster' ? 1 : 0;
          }
          state = evolve(state, event);
        }
      });
    });
    expect(phases).toBeGreaterThan(10);
  });

  test('never exceed a budget, in iterations or in rounds [CONF-12 CONF-13 PROTO-04]', () => {
    check((plan, numbers) => {
      drive(plan, numbers, ({ after }) => {
        expect(after.iterations_spent).toBeLessThanOrEqual(plan.max_total_iterations);
        expect(after.rounds.length).toBeLessThanOrEqual(plan.max_rounds);
      });
    });
  });

  test('never issue a research charter without an iteration that the budget covers [CONF-13 CONF-26]', () => {
    let rounds = 0;
    check((plan, numbers) => {
      drive(plan, numbers, ({ events }) => {
        for (const event of events) {
          if (event.event !== 'round.started') continue;
          rounds += 1;
          expect(event.payload.iteration_allowance).toBeGreaterThan(0);
        }
      });
    });
    expect(rounds).toBeGreaterThan(10);
  });

  test('fold to the state that the process had, from their events alone [LEDG-23 CONF-24]', () => {
    check((plan, numbers) => {
      const events: ConferenceEvent[] = [];
      const first = start(plan);
      const last = drive(plan, numbers, (visited) => void events.push(...visited.events));
      expect(fold(events, first)).toEqual(last);
    });
  });

  test('settle from every prefix of a commit to exactly the rest of it [CONF-30]', () => {
    check((plan, numbers) => {
      drive(plan, numbers, ({ before, events, clock, decided, now }) => {
        for (let cut = 0; cut <= events.length; cut += 1) {
          // A cut before the command is done leaves the clock's part; a cut after it leaves its consequences.
          if (cut > clock && cut < clock + decided) continue;
          const rest = cut <= clock && decided > 0 ? events.slice(cut, clock) : events.slice(cut);
          expect(settleAll(fold(events.slice(0, cut), before), now).events).toEqual(rest);
        }
      });
    });
  });

  test('never leave a terminal state of a dispatch, nor change its receipt [PROTO-11 PROTO-15]', () => {
    check((plan, numbers) => {
      drive(plan, numbers, ({ before, after }) => {
        const now = new Map([...allRows(after)].map((row) => [row.dispatch_id, row]));
        for (const row of allRows(before)) {
          if (!isTerminal(row)) continue;
          expect(now.get(row.dispatch_id)).toMatchObject({
            state: row.state,
            digest: row.digest,
            code: row.code,
          });
        }
      });
    });
  });

  test('hold at most one decision, and while it stands only accounting goes on [CONF-08 CONF-33]', () => {
    check((plan, numbers) => {
      drive(plan, numbers, ({ before, events, after }) => {
        const answered = events.some(({ event }) => event === 'decision.answered');
        if (before.pending === null || answered || after.pending?.decision_id !== before.pending.decision_id)
          return;
        for (const { event } of events) {
          expect(event).not.toBe('state.transitioned');
          expect(event).not.toBe('dispatch.issued');
        }
      });
    });
  });

  test('end with nothing out, and with the receipt as the last event but for late results [PROTO-03 CONF-27 PROTO-42]', () => {
    check((plan, numbers) => {
      let closed = false;
      drive(plan, numbers, ({ events, after }) => {
        for (const { event } of events) {
          if (closed) expect(['dispatch.stale', 'dispatch.duplicate']).toContain(event);
          if (event === 'cleanup.receipt') {
            closed = true;
            expect(openDispatches(after)).toBe(0);
          }
        }
      });
    });
  });
});

function expectClosed(
  state: State,
  to: { readonly next_state: string; readonly phase: string | null },
): void {
  const round = currentRound(state);
  if (round === null) return;
  if (to.next_state === 'COLLECTING' && to.phase === 'poster' && state.state === 'COLLECTING') {
    for (const row of laneRows(round)) expect(row !== null && isTerminal(row)).toBe(true);
  }
  if (to.next_state === 'REVIEWING' && state.state === 'COLLECTING') {
    const poster = rowOf(round.rows, round.poster);
    expect(round.poster_skipped || (poster !== null && isTerminal(poster))).toBe(true);
  }
  if (to.next_state === 'COMPLETE') expect(openDispatches(state)).toBe(0);
}
