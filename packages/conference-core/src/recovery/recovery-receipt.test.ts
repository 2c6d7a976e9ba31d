/**
 * The bug: a receipt that names the phase under way for the one that is complete, so that whoever resumes repeats a phase or
 * leaves one out; or one that leaves out an id, a packet, the budget or the grant that a decision rests on.
 */
import { digestOfJson, recoveryReceiptSchema, type Grant, type RecoveryReceipt } from '@x/protocol';
import { expect, test } from 'vitest';
import { execute, pureRoot, rowAt, type PureRoot } from '../../test/support/pure-root.ts';
import { run } from '../../test/support/steps.ts';
import { fold } from '../decide.ts';
import { INITIAL_STATE } from '../state.ts';
import { recoveryReceipt } from './recovery-receipt.ts';

const PLAN = { lanes: 2, max_rounds: 2, max_total_iterations: 8 };
const INPUT = { stale_state: 'current', current_revision: null, user_decision: 'none yet' } as const;

/** As recovery makes it: from the events alone. */
function receiptOf({ events, now }: PureRoot): RecoveryReceipt {
  const { receipt, digest } = recoveryReceipt(fold(events, INITIAL_STATE), { ...INPUT, now });
  expect(recoveryReceiptSchema.parse(receipt)).toEqual(receipt);
  expect(digest).toBe(digestOfJson(receipt));
  return receipt;
}

const NOTHING_COMPLETE = 'none, rounds 0';

/** Each step goes on from the one before it: steps, the last complete phase and round, the phase under way. */
const SHEET: readonly (readonly [steps: string, complete: string, underWay: string])[] = [
  ['', NOTHING_COMPLETE, 'PLANNING -'],
  ['start', NOTHING_COMPLETE, 'DISPATCHING research'],
  ['issue', NOTHING_COMPLETE, 'COLLECTING research'],
  ['A ok 40', NOTHING_COMPLETE, 'COLLECTING research'],
  ['B ok 40', 'research 1, rounds 0', 'COLLECTING poster'],
  ['issue', 'research 1, rounds 0', 'COLLECTING poster'],
  ['poster ok', 'poster 1, rounds 0', 'COLLECTING poster'],
  ['issue', 'poster 1, rounds 0', 'REVIEWING review'],
  // A block stands in the way of a phase; it completes none.
  ['stale', 'poster 1, rounds 0', 'BLOCKED review'],
  ['answer revalidate', 'poster 1, rounds 0', 'REVIEWING review'],
  ['review ok', 'transfer 1, rounds 1', 'DISPATCHING research'],
  ['issue; A lost; B silent', 'transfer 1, rounds 1', 'COLLECTING research'],
  ['answer continue', 'research 2, rounds 1', 'COLLECTING poster'],
  ['issue; poster bad', 'research 2, rounds 1', 'COLLECTING poster'],
  ['answer skip', 'poster 2, rounds 1', 'COLLECTING poster'],
  ['issue; review ok', 'transfer 2, rounds 2', 'SYNTHESIZING synthesis'],
  ['issue', 'transfer 2, rounds 2', 'SYNTHESIZING synthesis'],
  ['synthesis ok', 'synthesis 2, rounds 2', 'COMPLETE -'],
];

test('the receipt names the last complete round and phase beside the phase under way, at every moment of a conference [RECO-01 RECO-08]', () => {
  const root = pureRoot(PLAN);
  for (const [steps, complete, underWay] of SHEET) {
    run(steps, {}, root);
    const { last_complete_phase, last_complete_round, state, phase } = receiptOf(root);
    const named =
      last_complete_phase === null ? 'none' : `${last_complete_phase.phase} ${last_complete_phase.round}`;
    expect([steps, `${named}, rounds ${last_complete_round}`, `${state} ${phase ?? '-'}`]).toEqual([
      steps,
      complete,
      underWay,
    ]);
  }
});

test('a round whose research ends without a packet, or is stopped, completes no phase [RECO-01]', () => {
  for (const steps of [
    'start; issue; A lost; B lost',
    'start; issue; A ok 40; cancel',
    'start; issue; A silent; B lost; answer stop',
  ]) {
    expect([steps, receiptOf(run(steps, PLAN)).last_complete_phase]).toEqual([steps, null]);
  }
});

test('between a review and what its transfer owes, the review is complete and its round is not [RECO-08]', () => {
  const root = pureRoot(PLAN);
  const grant: Grant = {
    grant_id: 'g',
    root: '/granted',
    actions: ['write'],
    revision: 7,
    granted_by: 'test',
  };
  execute(root, { command: 'grant', grant });
  run('start; round 40', {}, root);
  const receipt = recoveryReceipt(root.state, { ...INPUT, current_revision: 9, now: root.now }).receipt;
  expect(receipt).toMatchObject({
    last_complete_round: 0,
    last_complete_phase: { round: 1, phase: 'review' },
    phase: 'transfer',
    root_writes: 'none',
    bounded_work: { grant_id: 'g', granted_revision: 7, current_revision: 9 },
  });
});

test('the receipt lists every id with its state, accepted and rejected digests apart, the budget that is left, and what was written [RECO-08]', () => {
  const root = run('start; issue; A ok 40; B bad; wait 10m', { ...PLAN, time_budget_ms: 3_600_000 });
  const [a, b] = [rowAt(root, 'A'), rowAt(root, 'B')];
  expect(receiptOf(root)).toMatchObject({
    dispatches: [
      { dispatch_id: a.dispatch_id, state: 'received' },
      { dispatch_id: b.dispatch_id, state: 'failed' },
    ],
    accepted_packets: [a.digest],
    rejected_packets: [b.digest],
    stale_state: 'current',
    bounded_work: null,
    remaining_iterations: 4,
    remaining_time_ms: 3_600_000,
    user_decision: 'none yet',
    root_writes: 'none',
    cleanup: 'not due',
  });
  expect(receiptOf(run('cancel', {}, root)).cleanup).toBe('owed');
  expect(receiptOf(run('close', {}, root)).cleanup).toBe('done');
});
