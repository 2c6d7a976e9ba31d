/**
 * The bugs: silence counted as an answer, a late or repeated packet that moves something, a first receipt overwritten by
 * a second one, a result booked on another dispatch than its own.
 */
import type { DispatchState, Plan, StaleReason } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { execute, pureRoot, result, rowAt, STRANGER, type PureRoot } from '../../test/support/pure-root.ts';
import { run, standing } from '../../test/support/steps.ts';
import { toRecord } from '../dispatch-row.ts';
import { allRows } from '../state.ts';

const PLAN: Partial<Plan> = { lanes: 2, max_rounds: 3, iterations_per_round: 1, max_total_iterations: 6 };

/** What became of the last command: the events that it recorded, with the reason of a stale one. */
function last(root: PureRoot, from: number): string {
  return root.events
    .slice(from)
    .map((event) =>
      event.event === 'dispatch.stale'
        ? `stale ${event.payload.reason}`
        : event.event === 'conference.blocked'
          ? event.payload.code
          : event.event,
    )
    .join(', ');
}

interface Row {
  readonly id: string;
  readonly before: string;
  readonly step: string;
  readonly events: string;
  readonly stands: string;
  /** State and receipt of lane A afterwards. */
  readonly row: string;
  readonly why: string;
}

const MOVED = 'state.transitioned';
const SHEET: readonly Row[] = [
  {
    id: 'dispatched, accepted',
    before: 'start; issue',
    step: 'A ok 9',
    events: 'dispatch.received, researcher.iteration',
    stands: 'COLLECTING research r1',
    row: 'received',
    why: 'received, with packet digest',
  },
  {
    id: 'dispatched, rejected',
    before: 'start; issue',
    step: 'A bad',
    events: 'dispatch.failed',
    stands: 'COLLECTING research r1',
    row: 'failed PACKET_MALFORMED',
    why: 'failed, with code',
  },
  {
    id: 'dispatched, host failed',
    before: 'start; issue',
    step: 'A lost',
    events: 'dispatch.failed',
    stands: 'COLLECTING research r1',
    row: 'failed host_failed',
    why: 'an accounted failure at once',
  },
  {
    id: 'received, same bytes',
    before: 'start; issue; A ok 9',
    step: 'A again',
    events: 'dispatch.duplicate',
    stands: 'COLLECTING research r1',
    row: 'received',
    why: 'idempotent, counted',
  },
  {
    id: 'failed, same bytes',
    before: 'start; issue; A bad',
    step: 'A again',
    events: 'dispatch.duplicate',
    stands: 'COLLECTING research r1',
    row: 'failed PACKET_MALFORMED',
    why: 'a refused packet is answered once too',
  },
  {
    id: 'received, other bytes, round open',
    before: 'start; issue; A ok 9',
    step: 'A other',
    events: `BLOCKED_DISPATCH_REPLAY_CONFLICT, ${MOVED}, decision.asked`,
    stands: 'BLOCKED research r1 asks replay_conflict',
    row: 'received',
    why: 'the first receipt stays as it was',
  },
  {
    id: 'failed, other bytes, round open',
    before: 'start; issue; A bad',
    step: 'A other',
    events: `BLOCKED_DISPATCH_REPLAY_CONFLICT, ${MOVED}, decision.asked`,
    stands: 'BLOCKED research r1 asks replay_conflict',
    row: 'failed PACKET_MALFORMED',
    why: 'packet rules apply to dispatched only: a better second packet is a conflict',
  },
  {
    id: 'failed without bytes',
    before: 'start; issue; A lost',
    step: 'A other',
    events: 'stale failed_without_packet',
    stands: 'COLLECTING research r1',
    row: 'failed host_failed',
    why: 'its host said that no packet comes',
  },
  {
    id: 'conflict told again',
    before: 'start; issue; A ok 9; A other',
    step: 'A other',
    events: 'stale conflict_known',
    stands: 'BLOCKED research r1 asks replay_conflict',
    row: 'received',
    why: 'the same conflict is asked about once',
  },
  {
    id: 'second conflict',
    before: 'start; issue; A ok 9; A other',
    step: 'A other third',
    events: 'BLOCKED_DISPATCH_REPLAY_CONFLICT',
    stands: 'BLOCKED research r1 asks replay_conflict',
    row: 'received',
    why: 'it waits for its own decision',
  },
  {
    id: 'same bytes while blocked',
    before: 'start; issue; A ok 9; A other',
    step: 'A again',
    events: 'dispatch.duplicate',
    stands: 'BLOCKED research r1 asks replay_conflict',
    row: 'received',
    why: 'still the same answer',
  },
  {
    id: 'timed out',
    before: 'start; issue; B ok 9; wait 10m; expire',
    step: 'A ok 9',
    events: 'stale timed_out',
    stands: 'COLLECTING poster r1',
    row: 'timed_out no packet by 2026-11-30T12:10:00.000Z',
    why: 'a late result reopens nothing',
  },
  {
    id: 'result in the millisecond of the deadline',
    before: 'start; issue; wait 10m',
    step: 'A ok 9',
    events: `dispatch.timed_out, dispatch.timed_out, BLOCKED_NO_VALID_PACKET, ${MOVED}, decision.asked, stale timed_out`,
    stands: 'BLOCKED research r1 asks no_valid_packet',
    row: 'timed_out no packet by 2026-11-30T12:10:00.000Z',
    why: 'the clock is first: at the deadline is too late',
  },
  {
    id: 'result a millisecond before the deadline',
    before: 'start; issue; wait 599999ms',
    step: 'A ok 9',
    events: 'dispatch.received, researcher.iteration',
    stands: 'COLLECTING research r1',
    row: 'received',
    why: 'in time',
  },
  {
    id: 'cancelled',
    before: 'start; issue; cancel',
    step: 'A ok 9',
    events: 'stale PACKET_ROUND_CLOSED',
    stands: 'CANCELLED - r1',
    row: 'cancelled stopped by the user',
    why: 'a cancelled conference has no open round',
  },
  {
    id: 'unknown id',
    before: 'start; issue',
    step: 'nobody',
    events: 'stale unknown_dispatch',
    stands: 'COLLECTING research r1',
    row: 'dispatched',
    why: 'excluded',
  },
  {
    id: 'unknown id before any dispatch',
    before: '',
    step: 'nobody',
    events: 'stale unknown_dispatch',
    stands: 'PLANNING - r0',
    row: '',
    why: 'excluded',
  },
];

test.each(SHEET)(
  'a result is booked as the table says: $id [PROTO-11 PROTO-14 PROTO-15 PROTO-16 PROTO-17 RECO-03]',
  (row) => {
    const root = run(row.before, PLAN);
    const from = root.events.length;
    const rounds = root.state.rounds;
    run(row.step, {}, root);
    const record = row.row === '' ? null : toRecord(rowAt(root, 'A'));
    const shown =
      record === null || record.state === 'received' || record.state === 'dispatched'
        ? (record?.state ?? '')
        : `${record.state} ${record.receipt}`;
    expect({ events: last(root, from), stands: standing(root), row: shown }).toEqual({
      events: row.events,
      stands: row.stands,
      row: row.row,
    });
    if (/^(stale|dispatch\.duplicate)/.test(row.events) && !row.events.includes(',')) {
      // Counted, and nothing else: neither table nor evidence has changed.
      expect(root.state.rounds).toEqual(rounds);
    }
  },
);

describe('after its round closed', () => {
  const CLOSED: readonly { step: 'again' | 'other'; reason: StaleReason | null; why: string }[] = [
    { step: 'again', reason: null, why: 'a duplicate stays a duplicate' },
    { step: 'other', reason: 'PACKET_ROUND_CLOSED', why: 'recorded stale, reopens nothing' },
  ];
  const ends: readonly { id: string; steps: string }[] = [
    { id: 'the next round is open', steps: 'start; round 20; issue' },
    { id: 'a pause is pending', steps: 'start; round 20' },
    { id: 'the synthesis is out', steps: 'start; round 9; issue' },
    { id: 'the synthesis is not issued yet', steps: 'start; round 9' },
    { id: 'the conference is complete', steps: 'start; round 9; issue; synthesis ok' },
    { id: 'the receipt is recorded', steps: 'start; round 9; issue; synthesis ok; close' },
    {
      id: 'the user stopped in mid-round',
      steps: 'start; round 20; answer continue; issue; A ok 3; B bad; issue; poster bad; answer stop',
    },
  ];

  test.each(ends.flatMap((end) => CLOSED.map((closed) => ({ ...end, ...closed }))))(
    'a packet is a duplicate or stale, never a conflict: $step when $id [PROTO-14 PROTO-17]',
    ({ id, steps, step, reason }) => {
      const pause_every = id.includes('pause') || id.includes('stopped') ? 1 : 0;
      const root = run(steps, { ...PLAN, pause_every });
      const first = [...allRows(root.state)].findLast(
        ({ state, lane }) => state === 'received' && lane === 0,
      );
      if (first === undefined) throw new Error('lane A never answered');
      const before = root.state;
      const from = root.events.length;
      result(root, first.dispatch_id, { bytes: step === 'again' ? 'first' : 'other' });
      expect(last(root, from)).toBe(reason === null ? 'dispatch.duplicate' : `stale ${reason}`);
      expect({ ...root.state, head_ms: 0, events: 0, stale_results: 0, duplicate_results: 0 }).toEqual({
        ...before,
        head_ms: 0,
        events: 0,
        stale_results: 0,
        duplicate_results: 0,
      });
    },
  );
});

test('an acknowledgement, silence and elapsed time leave a dispatch dispatched until its deadline [PROTO-08 RECO-03]', () => {
  const root = run('start; issue; wait 5m; expire; wait 299s; expire', PLAN);
  expect(rowAt(root, 'A').state).toBe('dispatched');
  expect(standing(root)).toBe('COLLECTING research r1');
  run('wait 1s; expire', {}, root);
  expect(rowAt(root, 'A').state).toBe('timed_out');
});

test('results are booked on the dispatch whose id they carry, in whatever order they come [PROTO-09]', () => {
  const orders = ['A ok 9; B ok 8; C ok 7', 'C ok 7; A ok 9; B ok 8', 'B ok 8; C ok 7; A ok 9'];
  const values = orders.map((order) => {
    const root = run(`start; issue; ${order}`, { ...PLAN, lanes: 3, max_total_iterations: 9 });
    return ['A', 'B', 'C'].map((lane) => rowAt(root, lane).facts?.measurements?.[0]?.value);
  });
  expect(values).toEqual([
    ['9 ms', '8 ms', '7 ms'],
    ['9 ms', '8 ms', '7 ms'],
    ['9 ms', '8 ms', '7 ms'],
  ]);
});

test('the dispatch table holds id, role, round, state and a receipt, each of its own kind [PROTO-10]', () => {
  const root = run('start; issue; A ok 9; B bad; C lost; wait 10m; expire', {
    ...PLAN,
    lanes: 4,
    max_total_iterations: 8,
  });
  run('answer continue; issue; cancel', {}, root);
  const table = [...allRows(root.state)].map(toRecord);
  expect(
    table.map(({ role, round, lane, state, receipt }) => [role, round, lane ?? '-', state, receipt]),
  ).toEqual([
    ['researcher', 1, 'A', 'received', rowAt(root, 'A').digest],
    ['researcher', 1, 'B', 'failed', 'PACKET_MALFORMED'],
    ['researcher', 1, 'C', 'failed', 'host_failed'],
    ['researcher', 1, 'D', 'timed_out', 'no packet by 2026-11-30T12:10:00.000Z'],
    ['poster', 1, '-', 'cancelled', 'stopped by the user'],
  ]);
  expect(new Set(table.map(({ dispatch_id }) => dispatch_id)).size).toBe(5);
  expect(toRecord({ ...rowAt(root, 'A'), state: 'dispatched' }).receipt).toBeUndefined();
});

const TERMINAL: readonly { state: DispatchState; steps: string }[] = [
  { state: 'received', steps: 'start; issue; A ok 9' },
  { state: 'failed', steps: 'start; issue; A bad' },
  { state: 'timed_out', steps: 'start; issue; wait 10m; expire' },
  { state: 'cancelled', steps: 'start; issue; cancel' },
];

test.each(TERMINAL)('$state is terminal: no command leaves it [PROTO-11]', ({ state, steps }) => {
  const root = run(steps, PLAN);
  const row = rowAt(root, 'A');
  expect(row.state).toBe(state);
  for (const step of ['A ok 1', 'A bad', 'A lost', 'A other', 'A again', 'wait 20m', 'expire', 'cancel']) {
    run(step, {}, root);
    expect(root.state.rounds[0]?.rows.find(({ dispatch_id }) => dispatch_id === row.dispatch_id)).toEqual(
      row,
    );
  }
});

test('a phase advances only when the last of its ids is terminal, and on that event [PROTO-12 CONF-02]', () => {
  const root = run('start; issue; A ok 9; C bad', { ...PLAN, lanes: 3, max_total_iterations: 9 });
  expect(standing(root)).toBe('COLLECTING research r1');
  run('B bad', {}, root);
  expect(standing(root)).toBe('COLLECTING poster r1');
  run('issue; poster ok', {}, root);
  expect(standing(root)).toBe('COLLECTING poster r1');
  run('issue', {}, root);
  expect(standing(root)).toBe('REVIEWING review r1');
});

test('what a host or a caller sends as an id or a reason is kept whole and bounded, whatever it is [PROTO-16]', () => {
  const root = run('start; issue', PLAN);
  for (const id of ['', '\u{1f600}'.repeat(60), '\ud800', 'x'.repeat(5_000)]) {
    result(root, id);
    const event = root.events.at(-1);
    if (event?.event !== 'dispatch.stale') throw new Error('not stale');
    expect(event.payload.dispatch_id.length).toBeGreaterThan(0);
    expect(event.payload.dispatch_id.length).toBeLessThanOrEqual(64);
    expect(event.payload.dispatch_id.isWellFormed()).toBe(true);
  }
  const { dispatch_id } = rowAt(root, 'A');
  execute(root, { command: 'fail', dispatch_id, code: 'host_failed', reason: '\ud800' + 'y'.repeat(9_999) });
  const { reason } = rowAt(root, 'A');
  expect([...(reason ?? '')].length).toBeLessThanOrEqual(300);
  expect(reason?.isWellFormed()).toBe(true);
});

test('a failure is booked once and only for what was issued', () => {
  const root = run('start; issue', PLAN);
  execute(root, { command: 'fail', dispatch_id: STRANGER, code: 'host_failed', reason: 'x' });
  expect(root.refused?.code).toBe('UNKNOWN_DISPATCH');
  run('A lost', {}, root);
  run('A lost', {}, root);
  expect(root.refused?.code).toBe('DISPATCH_NOT_OPEN');
});

test('a result for an open dispatch is refused until it is judged, and the dispatch stays open', () => {
  const root = run('start; issue', PLAN);
  const { dispatch_id } = rowAt(root, 'A');
  execute(root, { command: 'result', dispatch_id, digest: rowAt(root, 'A').charter_digest, bytes: 1 });
  expect(root.refused?.code).toBe('ADMISSION_MISSING');
  expect(rowAt(root, 'A').state).toBe('dispatched');
});

test('text in facts that speaks of states and phases moves nothing [PROTO-07]', () => {
  const root = pureRoot(PLAN);
  run('start; issue', {}, root);
  const { dispatch_id } = rowAt(root, 'A');
  result(root, dispatch_id, {
    facts: {
      status: 'completed',
      claims: 1,
      stuck_level: 0,
      measurements: [{ name: 'state', value: 'COMPLETE' }],
    },
  });
  expect(standing(root)).toBe('COLLECTING research r1');
});
