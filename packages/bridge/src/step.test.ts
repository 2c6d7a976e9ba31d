// Catches a question with two outcomes, an answer forgotten before its file is removed, and a restart that changes what happens.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placementOf, readRecord, recordText, type QuestionRecord } from './record.ts';
import { step } from './step.ts';
import {
  answered,
  asker,
  cancelled,
  deadline,
  failed,
  from,
  logs,
  owes,
  qid,
  received,
  run,
  sent,
  start,
  started,
  timeUp,
} from './step.fixture.ts';
import type { StepInput } from './step-input.ts';
import { transition, type QuestionEvent } from './transitions.ts';

const full = process.env['FULL'] === '1';

test('a prompt becomes a pending record that owes its delivery and its log line [BRID-26 DAEM-12]', () => {
  const record = run(received);
  expect(record).toMatchObject({ v: 1, qid, state: 'pending', deadline: '2026-11-30T10:01:00.000Z' });
  expect(owes(record)).toEqual(['deliver']);
  expect(logs(record)).toEqual(['question_received']);
  expect(placementOf(record)).toBe('pending');
});

test('nothing but a prompt makes a question out of nothing [BRID-27 BRID-22]', () => {
  for (const input of [cancelled, timeUp, sent, answered('1'), failed('x')])
    expect(step(null, input, start)).toEqual({ record: null, owed: [] });
});

test('a delivered question owes nothing and waits in pending/ [BRID-26]', () => {
  const record = run(received, started, sent);
  expect(record.state).toBe('delivered');
  expect(owes(record)).toEqual([]);
  expect(placementOf(record)).toBe('pending');
});

test('an answer closes it, from delivered and from pending, with the mapped response owed [BRID-27 BRID-09]', () => {
  for (const before of [[received, started, sent], [received, started], [received]]) {
    const record = run(...before, answered(' 2 '));
    expect(record).toMatchObject({
      state: 'answered',
      answer_digest: 'digest of  2 ',
      outcome: {
        kind: 'answered',
        answer: { answer: ' 2 ', answered_by: 'telegram:ann' },
        envelope: { msg_id: qid, response: { kind: 'selection', selections: ['No'] } },
      },
    });
    expect(owes(record).filter((owed) => owed !== 'note answered')).toEqual(['respond', 'remove_answer']);
    expect(placementOf(record)).toBe('closed');
  }
});

test('an answer is to be shown where a message may hold the question, and only there [DAEM-09]', () => {
  const named: StepInput = { event: 'delivered', message_ids: ['42:7'] };
  expect(owes(run(received, started, named, answered('1')))).toContain('note answered');
  // A channel that names no messages has nothing to change.
  expect(owes(run(received, started, sent, answered('1')))).not.toContain('note answered');
  expect(owes(run(received, answered('1')))).not.toContain('note answered');
  // Under way: what was sent may be known only to the channel when a kill comes now.
  expect(owes(run(received, started, answered('1')))).toContain('note answered');
});

test('an answer that was faster than the word of its delivery is shown once that comes [DAEM-09]', () => {
  const before = run(received, started, answered('1'), {
    event: 'done',
    owed: { do: 'note', note: 'answered' },
  });
  const told = step(before, { event: 'delivered', message_ids: ['42:7'] }, start).record;
  expect(told).toMatchObject({ state: 'answered', message_ids: ['42:7'] });
  expect(told && owes(told)).toContain('note answered');
  const again = step(before, sent, start).record;
  expect(again).toBe(before);
});

test('a timeout tells asker and person, and only once the deadline is reached [BRID-25 BRID-27]', () => {
  expect(run(received, sent, [timeUp, deadline - 1]).state).toBe('delivered');
  const record = run(received, sent, [timeUp, deadline]);
  expect(record).toMatchObject({
    state: 'timeout',
    outcome: { envelope: { response: null, error: 'no remote answer within 60000ms' } },
  });
  expect(owes(record)).toEqual(['respond', 'note timeout']);
  expect(logs(record)).toContain('timeout');
});

test('a cancel from the console tells the person alone, one by name the asker too [BRID-21 BRID-27]', () => {
  const console = run(received, sent, cancelled);
  expect(console.state).toBe('cancelled');
  expect(owes(console)).toEqual(['note cancelled']);
  expect(console.outcome?.envelope).toBeUndefined();
  const named = run(received, sent, { event: 'cancelled', by: 'telegram:ann', from });
  expect(owes(named)).toEqual(['respond', 'note cancelled']);
  expect(named.outcome?.envelope).toMatchObject({
    response: null,
    error: 'question cancelled by telegram:ann',
  });
});

test('a failed delivery leaves no state, tells the asker at once and keeps its record closed [BRID-26 DAEM-03 DAEM-23]', () => {
  const record = run(received, started, failed('hermes send failed (1): no network', true));
  expect(record).toMatchObject({
    state: null,
    outcome: {
      kind: 'delivery_error',
      ambiguous: true,
      envelope: { response: null, error: 'hermes send failed (1): no network' },
    },
  });
  expect(owes(record)).toEqual(['respond']);
  expect(placementOf(record)).toBe('closed');
});

test('an answer to a failed delivery is kept in undelivered/ with the log, and never sent [DAEM-23]', () => {
  const record = run(received, started, failed('timed out', true), answered('first'), answered('second'));
  expect(placementOf(record)).toBe('undelivered');
  expect(record.kept?.answers.map(({ answer }) => answer)).toEqual(['first', 'second']);
  expect(owes(record)).toEqual(['respond', 'remove_answer', 'remove_answer']);
  expect(record.outcome?.envelope).toMatchObject({ error: 'timed out' });
  expect(logs(record).filter((event) => event === 'late_answer')).toHaveLength(2);
});

test('a late answer is logged, removed and noted, and the outcome stays [BRID-23 BRID-27]', () => {
  for (const close of [answered('1'), cancelled, [timeUp, deadline] satisfies [StepInput, number]]) {
    const before = run(received, sent, close);
    const record = step(before, answered('too late'), deadline + 5).record;
    expect(record?.outcome).toEqual(before.outcome);
    expect(record?.state).toBe(before.state);
    expect(record && owes(record)).toEqual([...owes(before), 'remove_answer', 'note late_answer']);
    expect(record && logs(record).at(-1)).toBe('late_answer');
  }
});

test('a file with the bytes of the accepted answer is removed without a word [DAEM-17]', () => {
  const before = run(received, sent, answered('1'));
  const settled = before.owed.reduce<QuestionRecord>(
    (record, owed) => step(record, { event: 'done', owed }, start).record ?? record,
    before,
  );
  expect(settled.owed).toEqual([]);
  const record = step(settled, answered('1'), start).record;
  expect(record && owes(record)).toEqual(['remove_answer']);
  expect(record && logs(record)).toEqual([]);
});

test('an answer dated in time counts however late it is found, one dated later finds the timeout [DAEM-21]', () => {
  const inTime = run(received, sent, [answered('1', deadline), deadline + 9_000]);
  expect(inTime.state).toBe('answered');
  const late = run(received, sent, [answered('1', deadline + 1), deadline + 9_000]);
  expect(late.state).toBe('timeout');
  expect(logs(late).slice(-2)).toEqual(['timeout', 'late_answer']);
  expect(owes(late)).toEqual(['respond', 'note timeout', 'remove_answer', 'note late_answer']);
});

test('a delivery that a crash left unknown is made again as a repeat, one that never began is not [DAEM-12]', () => {
  const unknown = run(received, started, { event: 'restarted' });
  expect(unknown.owed).toContainEqual({ do: 'deliver', attempt: 2, started: false });
  const fresh = run(received, { event: 'restarted' });
  expect(fresh.owed).toContainEqual({ do: 'deliver', attempt: 1, started: false });
  const done = run(received, started, sent, { event: 'restarted' });
  expect(owes(done)).toEqual([]);
});

test('a repeated prompt is not asked again, and a closed one gets its outcome at the newest endpoint [DAEM-16 DAEM-20]', () => {
  const moved = { ...asker, session: 's2', endpoint: '/c/sockets/s2.sock' };
  const again: StepInput = { event: 'repeated', asker: moved };
  const open = run(received, started, sent, again);
  expect(owes(open)).toEqual([]);
  expect(open.asker.endpoint).toBe('/c/sockets/s2.sock');
  const before = run(received, sent, answered('1'));
  const settled = step(before, { event: 'done', owed: { do: 'respond' } }, start).record;
  const repeated = step(settled, again, start).record;
  expect(repeated && owes(repeated)).toContain('respond');
  expect(repeated?.outcome?.envelope).toEqual(before.outcome?.envelope);
});

test('an ack from an asker that has moved on meanwhile strikes nothing off [DAEM-20]', () => {
  const moved = { ...asker, session: 's2', endpoint: '/c/sockets/s2.sock' };
  const before = run(received, sent, answered('1'), { event: 'repeated', asker: moved });
  const done = (to: string): StepInput => ({ event: 'done', owed: { do: 'respond' }, to });
  const still = step(before, done(asker.endpoint), start).record;
  expect(still && owes(still)).toContain('respond');
  const now = step(before, done(moved.endpoint), start).record;
  expect(now && owes(now)).not.toContain('respond');
});

test('an answer whose asker stays away is kept, and no longer once the asker has it after all [DAEM-13]', () => {
  const given = run(received, sent, answered('1'), { event: 'unreachable' });
  expect(placementOf(given)).toBe('undelivered');
  expect(given.outcome?.answer?.answer).toBe('1');
  expect(owes(given)).toEqual(['remove_answer']);
  const back = step(given, { event: 'repeated', asker }, start).record;
  expect(back && owes(back)).toContain('respond');
  const done = step(back, { event: 'done', owed: { do: 'respond' } }, start).record;
  expect(done && placementOf(done)).toBe('closed');
});

test('an answer too long for one envelope is kept whole in undelivered/, however often the asker is told [DAEM-13]', () => {
  const long = 'x'.repeat(70_000);
  const record = run(received, sent, answered(long), { event: 'done', owed: { do: 'respond' } });
  expect(placementOf(record)).toBe('undelivered');
  expect(record.outcome?.answer?.answer).toBe(long);
  expect(JSON.stringify(record.outcome?.envelope).length).toBeLessThan(65_536);
  expect(JSON.stringify(record.outcome?.envelope)).toContain('… [cut]');
});

test('a record past its deadline by a day may be set aside, and what is said to it then is kept [DAEM-13]', () => {
  const day = 86_400_000;
  expect(run(received, sent, [{ event: 'abandoned' }, deadline + day - 1]).state).toBe('delivered');
  const record = run(
    received,
    sent,
    [{ event: 'abandoned' }, deadline + day],
    [answered('x', deadline + 2 * day), deadline + 2 * day],
  );
  expect(record.kept?.reason).toBe('abandoned');
  expect(placementOf(record)).toBe('undelivered');
  expect(record.kept?.answers.map(({ answer }) => answer)).toEqual(['x']);
  expect(owes(record)).toEqual(['remove_answer']);
});

const inputs: StepInput[] = [
  received,
  { event: 'repeated', asker: { ...asker, endpoint: '/c/sockets/s9.sock' } },
  started,
  sent,
  { event: 'delivered', message_ids: ['42:7'] },
  failed('no'),
  answered('1'),
  answered('maybe'),
  answered('x'.repeat(66_000)),
  answered('2', deadline + 1),
  cancelled,
  { event: 'cancelled', by: 'telegram:ann', from },
  timeUp,
  { event: 'restarted' },
  { event: 'unreachable' },
  { event: 'abandoned' },
];

/** What a crash and restart leave of a record. */
const reread = (record: QuestionRecord): QuestionRecord => {
  const read = readRecord(recordText(record));
  if (read.code !== 'record') throw new Error(`a record does not survive its file: ${JSON.stringify(read)}`);
  return read.record;
};

test('in every order of events there is one outcome, one envelope, a legal state, and a file that reads back [BRID-27]', () => {
  const action = fc.record({
    input: fc.oneof(fc.constantFrom(...inputs), fc.constant('perform')),
    afterMs: fc.constantFrom(0, 1, 30_000, 60_000, 90_000_000),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
      let record: QuestionRecord = run(received);
      let now = start;
      for (const { input, afterMs } of actions) {
        now += afterMs;
        const [owed] = record.owed;
        const given: StepInput | null = input === 'perform' ? (owed ? { event: 'done', owed } : null) : input;
        if (given === null) continue;
        const next = step(record, given, now).record ?? record;
        if (next.state !== record.state) {
          const rows = [
            'delivered',
            'delivery_error',
            'answered',
            'cancelled',
            'timeout',
          ] satisfies QuestionEvent[];
          expect(rows.some((event) => transition(record.state, event)?.to === next.state)).toBe(true);
        }
        if (record.outcome !== undefined) expect(next.outcome).toBe(record.outcome);
        if (record.answer_digest !== undefined) expect(next.answer_digest).toBe(record.answer_digest);
        const removing = next.owed.some((item) => item.do === 'remove_answer');
        if (removing) expect(next.state === 'pending' || next.state === 'delivered').toBe(false);
        const read = reread(next);
        expect(read).toEqual(next);
        expect(step(read, given, now)).toEqual(step(next, given, now));
        // "Nothing changed" is said by the same object, so that nothing is written for it.
        if (recordText(next) === recordText(record)) expect(next).toBe(record);
        record = next;
      }
    }),
    { numRuns: full ? 3_000 : 150, seed: 5 },
  );
});
