/**
 * The bug: what happens to a conference depends on whether somebody happened to ask in between (C6).
 *
 * The same commands at the same times, once as they are and once with `expire` thrown in anywhere: everything but the
 * times of the consequences must be the same.
 */
import type { ConferenceEvent, Plan } from '@x/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFERENCE, rowAt, START } from '../test/support/pure-root.ts';
import { run, standing } from '../test/support/steps.ts';
import { step } from './decide.ts';
import { isRefusal } from './refusal.ts';
import { INITIAL_STATE, type State } from './state.ts';
import { randomCommand } from './testing/random-root.ts';
import { samplePlan } from './testing/sample-plan.ts';

const RUNS = process.env['FULL'] === '1' ? 3_000 : 150;

/** Events without their times: what happened. */
function told(events: readonly ConferenceEvent[]): unknown[] {
  return events.map(({ event, payload }) => ({ event, payload }));
}

interface Asked {
  readonly command: ReturnType<typeof randomCommand>['command'];
  readonly at: number;
}

test(
  'a conference goes the same way whether or not expire was called in between [CONF-29]',
  { timeout: 600_000 },
  () => {
    const plans = fc.record({
      lanes: fc.integer({ min: 1, max: 3 }),
      time_budget_ms: fc.constantFrom(7 * 60_000, 12 * 60_000, 25 * 60_000, 10_000 * 60_000),
      max_rounds: fc.integer({ min: 1, max: 3 }),
      pause_every: fc.integer({ min: 0, max: 1 }),
    });
    let stops = 0;
    let timeouts = 0;
    fc.assert(
      fc.property(
        plans,
        fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 20, maxLength: 80 }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 20 }),
        (changes, numbers, gaps) => {
          const plan: Plan = samplePlan({ ...changes, max_total_iterations: 18 });
          const plain = drive(plan, numbers);
          const asked = replay(plan, plain.asked, gaps);
          expect(told(asked.events)).toEqual(told(plain.events));
          stops += plain.state.outcome === 'BUDGET_STOP' ? 1 : 0;
          timeouts += plain.events.filter(({ event }) => event === 'dispatch.timed_out').length;
        },
      ),
      { numRuns: RUNS },
    );
    // The property means nothing where no clock ever decided anything.
    expect(stops).toBeGreaterThan(3);
    expect(timeouts).toBeGreaterThan(10);
  },
);

function planned(plan: Plan): { state: State; events: ConferenceEvent[] } {
  const stepped = step(INITIAL_STATE, { command: 'plan', conference_id: CONFERENCE, plan }, START);
  if (isRefusal(stepped)) throw new Error(stepped.message);
  return { state: stepped.state, events: [...stepped.events] };
}

/** Some commands with long gaps between them: nobody asks for minutes. */
function drive(
  plan: Plan,
  numbers: readonly number[],
): { state: State; events: ConferenceEvent[]; asked: Asked[] } {
  let { state, events } = planned(plan);
  let at = START;
  const asked: Asked[] = [];
  for (const number of numbers) {
    const { command, advanceMs } = randomCommand(state, plan, number);
    // Most gaps are short; every eighth is long enough for several deadlines and a budget to pass.
    at += number % 8 === 0 ? advanceMs * 300 : advanceMs;
    const stepped = step(state, command, at);
    // What the clock brings about stays unrecorded with a refusal, so the next command finds it.
    if (isRefusal(stepped)) continue;
    asked.push({ command, at });
    ({ state } = stepped);
    events = [...events, ...stepped.events];
  }
  return { state, events, asked };
}

/** The same commands at the same times, with `expire` at other times between them. */
function replay(plan: Plan, asked: readonly Asked[], gaps: readonly number[]): { events: ConferenceEvent[] } {
  let { state, events } = planned(plan);
  let last = START;
  let turn = 0;
  for (const { command, at } of asked) {
    for (let looks = 0; looks < 40; looks += 1) {
      const gap = gaps[turn % gaps.length] ?? 1;
      turn += 1;
      if (last + gap >= at) break;
      last += gap;
      const expired = step(state, { command: 'expire' }, last);
      if (isRefusal(expired)) throw new Error(expired.message);
      ({ state } = expired);
      events = [...events, ...expired.events];
    }
    const stepped = step(state, command, at);
    if (isRefusal(stepped)) throw new Error(`${command.command}: ${stepped.message}`);
    ({ state } = stepped);
    events = [...events, ...stepped.events];
    last = at;
  }
  return { events };
}

test('what was still in time when the time budget ended is cancelled by it, whenever somebody asks [CONF-29 PROTO-04]', () => {
  const plan: Partial<Plan> = { lanes: 2, max_total_iterations: 12, time_budget_ms: 8 * 60_000 };
  const early = run('start; issue; wait 8m; expire; wait 4m; expire', plan);
  const late = run('start; issue; wait 12m; expire', plan);
  expect(rowAt(early, 'A').state).toBe('cancelled');
  expect(rowAt(late, 'A').state).toBe('cancelled');
  expect(standing(late)).toBe(standing(early));
});

test('what timed out before the time budget ended has timed out, whenever somebody asks [CONF-29 RECO-03]', () => {
  const plan: Partial<Plan> = { lanes: 2, max_total_iterations: 12, time_budget_ms: 12 * 60_000 };
  const steps = 'start; issue A; wait 5m; issue B';
  const early = run(`${steps}; wait 5m; expire; wait 2m; expire`, plan);
  const late = run(`${steps}; wait 60m; expire`, plan);
  for (const root of [early, late]) {
    expect(['A', 'B'].map((lane) => rowAt(root, lane).state)).toEqual(['timed_out', 'cancelled']);
    expect(standing(root)).toBe('BUDGET_STOP - r1');
  }
});

test('at the same moment the deadline is first [CONF-29]', () => {
  const plan: Partial<Plan> = { lanes: 1, max_total_iterations: 12, time_budget_ms: 10 * 60_000 };
  const root = run('start; issue; wait 10m; expire', plan);
  expect(rowAt(root, 'A').state).toBe('timed_out');
  expect(standing(root)).toBe('BUDGET_STOP - r1');
});
