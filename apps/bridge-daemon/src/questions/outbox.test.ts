// The bug: a network that is down when an answer comes, and a question that shows its buttons for ever.
import { parseQid, type Owed, type QuestionRecord } from '@x/bridge';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daemonLimits } from '../limits.ts';
import type { NoteEnd, PutNote } from '../transport/question-transport.ts';
import { createMemoryTransport } from '../../test/support/memory-transport.ts';
import { createOutbox } from './outbox.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');
const owed: Owed = { do: 'note', note: 'answered' };
const record: QuestionRecord = {
  v: 1,
  qid,
  daemon: { name: 'user-remote', project: 'docs', coms_dir: '/c' },
  asker: { name: 'a', cwd: '/srv', project: 'docs', session: 's', endpoint: '/c/s.sock', hops: 0 },
  prompt_digest: 'd',
  question: { question: 'Go?', options: [{ title: 'Yes' }] },
  asked_at: '2026-11-30T10:00:00Z',
  timeout_ms: 60_000,
  deadline: '2026-11-30T10:01:00Z',
  state: 'answered',
  outcome: {
    kind: 'answered',
    at: '2026-11-30T10:00:30Z',
    answer: { answer: '1', answered_by: 'telegram:ann', at: '2026-11-30T10:00:30Z' },
  },
  message_ids: ['42:7'],
  owed: [owed],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const outboxOf = (ends: NoteEnd[]) => {
  const notes: PutNote[] = [];
  const done: unknown[] = [];
  const transport = {
    ...createMemoryTransport(),
    note: (put: PutNote) => {
      notes.push(put);
      return Promise.resolve<NoteEnd>(ends.shift() ?? { code: 'delivered', messageIds: [] });
    },
  };
  const outbox = createOutbox({
    transport,
    responder: { respond: () => Promise.resolve('closed'), wake: () => undefined, close: () => undefined },
    remover: {
      removeAnswer: () => Promise.resolve({ code: 'removed' }),
      removeEntry: () => Promise.resolve({ code: 'removed' }),
      recover: () => Promise.resolve([]),
    },
    log: pino({ level: 'silent' }),
    from: { session: 's', endpoint: '/c/d.sock' },
    project: 'docs',
    isAsking: () => false,
    record: () => record,
    applySurely: (_qid, input) => {
      done.push(input);
      return Promise.resolve(record);
    },
  });
  return { outbox, notes, done };
};

test('a note whose channel is down stays owed and is tried again until it is there [DAEM-09 DAEM-10]', async () => {
  const down: NoteEnd = { code: 'later', message: 'not reached' };
  const { outbox, notes, done } = outboxOf([down, down]);
  outbox.perform(record);
  await vi.advanceTimersByTimeAsync(0);
  expect(notes).toHaveLength(1);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * daemonLimits.noteLaterMs);
  expect(notes).toHaveLength(3);
  expect(done).toEqual([{ event: 'done', owed }]);
  expect(notes[0]).toEqual({
    qid,
    note: 'answered',
    question: record.question,
    project: 'docs',
    timeoutMs: 60_000,
    messageIds: ['42:7'],
    outcome: { kind: 'answered', answer: '1', by: 'telegram:ann' },
  });
});

test('a closed outbox tries no note again', async () => {
  const { outbox, notes } = outboxOf([{ code: 'later', message: 'not reached' }]);
  outbox.perform(record);
  await vi.advanceTimersByTimeAsync(0);
  outbox.close();
  await vi.advanceTimersByTimeAsync(10 * daemonLimits.noteLaterMs);
  expect(notes).toHaveLength(1);
});
