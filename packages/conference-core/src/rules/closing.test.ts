/** The bugs: a report without its closing events, an ending told before it happened, an event after the receipt. */
import { cleanupReceiptSchema, EVENT_PAYLOADS, type Grant, type Plan } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { execute, pureRoot, result, type PureRoot } from '../../test/support/pure-root.ts';
import { run } from '../../test/support/steps.ts';
import { nextActions } from '../next-actions.ts';
import { allRows } from '../state.ts';

const PLAN: Partial<Plan> = { lanes: 2, max_rounds: 3, iterations_per_round: 1, max_total_iterations: 12 };
const GRANT: Grant = { grant_id: 'g', root: '/granted', actions: ['write'], revision: 1, granted_by: 'test' };

function granted(): PureRoot {
  const root = pureRoot(PLAN);
  execute(root, { command: 'grant', grant: GRANT });
  return root;
}

/** Writes everything that is owed, in the order in which it is asked for. */
function write(root: PureRoot): string[] {
  const written: string[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const [first] = nextActions(root.state, { freeSlots: 0 });
    if (first?.action !== 'write') break;
    written.push(first.path);
    const { charter_digest: digest } = [...allRows(root.state)][0] ?? { charter_digest: null };
    if (digest === null) throw new Error('nothing was issued');
    execute(root, { command: 'written', path: first.path, digest, bytes: 1 });
  }
  return written;
}

const names = (root: PureRoot, from: number): string[] => root.events.slice(from).map(({ event }) => event);

test('a conference closes in its order: final state, report, completed, receipt; done only then [CONF-27 CONF-04]', () => {
  const root = granted();
  run('start; round 9', {}, root);
  expect(write(root)).toEqual([
    'poster_session_round_1.md',
    'peer_review_round_1.md',
    'conference_results.tsv',
  ]);
  run('issue; synthesis ok', {}, root);
  expect(root.state.state).toBe('SYNTHESIZING');
  expect(write(root)).toEqual(['synthesis.md', 'final_report.md']);
  expect(nextActions(root.state, { freeSlots: 1 })).toEqual([{ action: 'close' }]);
  const from = root.events.length - 1;
  run('close', {}, root);
  expect(names(root, from)).toEqual(['artifact.written', 'conference.completed', 'cleanup.receipt']);
  expect(nextActions(root.state, { freeSlots: 1 })).toEqual([
    { action: 'done', outcome: 'CONVERGED', target_met: true },
  ]);
});

test('the conference is not closed before its report is written [CONF-27]', () => {
  const root = granted();
  run('start; issue; cancel; close', {}, root);
  expect(root.refused?.message).toContain('final_report.md is to be written before');
  expect(write(root)).toEqual(['final_report.md']);
  run('close', {}, root);
  expect(names(root, root.events.length - 2)).toEqual(['conference.cancelled', 'cleanup.receipt']);
});

test('an artifact that is not owed is not recorded, and neither is one twice [CONF-27]', () => {
  const root = granted();
  run('start; issue', {}, root);
  const digest = [...allRows(root.state)][0]?.charter_digest;
  if (digest === undefined) throw new Error('nothing was issued');
  execute(root, { command: 'written', path: 'synthesis.md', digest, bytes: 1 });
  expect(root.refused).toMatchObject({ code: 'NOT_OWED' });
});

describe('after the receipt', () => {
  const CLOSED = 'start; round 9; issue; synthesis ok; close';

  test('only late results and duplicates are recorded, whatever is tried [CONF-27]', () => {
    const root = run(CLOSED, PLAN);
    const from = root.events.length;
    const [first] = allRows(root.state);
    if (first === undefined) throw new Error('nothing was issued');
    result(root, first.dispatch_id);
    result(root, first.dispatch_id, { bytes: 'other' });
    result(root, 'NOBODY');
    for (const step of [
      'expire',
      'cancel',
      'close',
      'stale',
      'confirm',
      'attach',
      'attach unable',
      'answer stop',
    ]) {
      run(step, {}, root);
    }
    execute(root, { command: 'grant', grant: GRANT });
    execute(root, { command: 'revoke_grant', reason: 'over' });
    for (const path of ['conference.md', 'final_report.md']) {
      execute(root, { command: 'written', path, digest: first.charter_digest, bytes: 1 });
      expect(root.refused?.code).toBe('NOT_ALLOWED_NOW');
    }
    expect(names(root, from)).toEqual(['dispatch.duplicate', 'dispatch.stale', 'dispatch.stale']);
  });

  test('it lists every dispatch with the state it ended in, what was written and what was not [CONF-27 PROTO-42]', () => {
    const root = run('start; issue; A ok 9; cancel; close', PLAN);
    const { receipt } = root.state.closing;
    expect(cleanupReceiptSchema.parse(receipt)).toEqual(receipt);
    expect(receipt?.dispatches.map(({ state }) => state)).toEqual(['received', 'cancelled']);
    expect(receipt).toMatchObject({
      temporary_paths_removed: 'none',
      background_processes_created: 'none',
      live_profiles_touched: 'none',
      root_artifacts_written: 'none',
      blocked_actions: ['BLOCKED_WRITE_AUTHORITY_MISSING'],
    });
  });
});

const ENDINGS: readonly { id: string; steps: string; event: string; payload: object }[] = [
  {
    id: 'completed',
    steps: 'start; round 9; issue; synthesis ok; close',
    event: 'conference.completed',
    payload: {
      outcome: 'CONVERGED',
      target_met: true,
      synthesis_path: null,
      final_report_path: null,
      total_iterations: 2,
    },
  },
  {
    id: 'cancelled by the user',
    steps: 'start; issue; cancel; close',
    event: 'conference.cancelled',
    payload: { reason: 'cancelled by the user', final_report_path: null, total_iterations: 2 },
  },
  {
    id: 'stopped without evidence',
    steps: 'start; issue; A silent; B bad; answer stop; close',
    event: 'conference.cancelled',
    payload: { reason: 'stopped by the user', final_report_path: null, total_iterations: 2 },
  },
  {
    id: 'stopped with evidence, then cancelled',
    steps: 'start; round 20; issue; A bad; B bad; answer stop; cancel; close',
    event: 'conference.cancelled',
    payload: { reason: 'cancelled by the user', final_report_path: null, total_iterations: 4 },
  },
  {
    id: 'restarted',
    steps: 'start; issue; stale; answer restart; close',
    event: 'conference.cancelled',
    payload: { reason: 'the user decided to restart', final_report_path: null, total_iterations: 2 },
  },
];

test.each(ENDINGS)('the ending says how it came: $id [CONF-27 LEDG-09]', ({ steps, event, payload }) => {
  const root = run(steps, PLAN);
  const found = root.events.find((one) => one.event === event);
  expect(found?.payload).toEqual(payload);
  expect(names(root, root.events.length - 1)).toEqual(['cleanup.receipt']);
});

test('every event that the core makes fits the schema of its name [LEDG-08 LEDG-09 LEDG-23]', () => {
  const scripts = [
    'start; round 20; issue; A stuck 18; B bad; issue; poster bad; answer skip; issue; review ok; round 17; issue; synthesis bad; answer complete_without; close',
    'confirm unable; answer retry; start; issue; A ok 9 cost 0.5; A again; A other; answer keep_first; wait 10m; expire; nobody; issue; cancel; close',
    'start; issue; stale; answer revalidate; A silent; B lost; answer redispatch; issue; B blocked; issue; poster ok; issue; review ignores',
  ];
  const seen = new Set<string>();
  for (const steps of scripts) {
    for (const { event, payload, timestamp } of run(steps, PLAN).events) {
      seen.add(event);
      expect(EVENT_PAYLOADS[event].parse(payload)).toEqual(payload);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      for (const key of ['event', 'type', 'ts', 'time', 'timestamp']) expect(payload).not.toHaveProperty(key);
    }
  }
  expect([...seen].toSorted()).toEqual(
    [
      'cleanup.receipt',
      'conference.blocked',
      'conference.cancelled',
      'conference.completed',
      'conference.confirmed',
      'conference.planned',
      'conference.started',
      'convergence.evaluated',
      'decision.answered',
      'decision.asked',
      'dispatch.cancelled',
      'dispatch.duplicate',
      'dispatch.failed',
      'dispatch.issued',
      'dispatch.received',
      'dispatch.stale',
      'dispatch.timed_out',
      'researcher.iteration',
      'researcher.stuck',
      'round.completed',
      'round.peer_review',
      'round.poster_session',
      'round.started',
      'state.transitioned',
    ].toSorted(),
  );
});

test('events of a round carry its numbers: iterations, stuck lanes, counts of verdicts, the best lane [LEDG-09 CONF-17]', () => {
  const root = run('start; issue; A ok 20 30; B stuck 18; issue; poster ok; issue; review ok', PLAN);
  const of = (name: string): unknown[] =>
    root.events.filter(({ event }) => event === name).map(({ payload }) => payload);
  expect(of('researcher.iteration')).toMatchObject([
    { lane: 'A', round: 1, iteration: 0, metric_value: '20 ms' },
    { lane: 'A', round: 1, iteration: 1, metric_value: '30 ms' },
    { lane: 'B', round: 1, iteration: 0, metric_value: '18 ms' },
  ]);
  expect(of('researcher.stuck')).toMatchObject([{ lane: 'B', round: 1, stuck_level: 2 }]);
  expect(of('round.peer_review')).toMatchObject([
    { round: 1, validated_count: 6, challenged_count: 0, overturned_count: 0 },
  ]);
  expect(of('round.completed')).toEqual([
    { round: 1, best_metric: '18', best_researcher: 'B', converged: false },
  ]);
  expect(of('conference.started')).toEqual([
    { driver: 'embedded', host: 'test', slots: 4, temporary_roots: false },
  ]);
});
