/** Shared by the tests of the step: one question, and short ways to say what happens to it. Never part of the build. */
import { parseQid, type Qid } from './qid.ts';
import type { Asker, QuestionRecord } from './record.ts';
import { step } from './step.ts';
import type { StepInput } from './step-input.ts';

const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
export const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
export const start = Date.parse('2026-11-30T10:00:00Z');
const timeoutMs = 60_000;
export const deadline = start + timeoutMs;
export const from = { session: 'daemon-1', endpoint: '/c/sockets/daemon-1.sock' };
export const asker: Asker = {
  name: 'planner',
  cwd: '/srv',
  project: 'default',
  session: 's1',
  endpoint: '/c/sockets/s1.sock',
  hops: 0,
};

export const received: StepInput = {
  event: 'question_received',
  asked: {
    qid,
    daemon: { name: 'user-remote', project: 'default', coms_dir: '/c' },
    asker,
    prompt_digest: 'd0',
    question: { question: 'Go?', options: [{ title: 'Yes' }, { title: 'No' }] },
    timeout_ms: timeoutMs,
  },
};
export const answered = (answer: string, at: number = start): StepInput => ({
  event: 'answered',
  answer: { qid, answer, answered_by: 'telegram:ann', at: new Date(at).toISOString() },
  digest: `digest of ${answer}`,
  from,
  cutMark: '… [cut]',
});
export const cancelled: StepInput = { event: 'cancelled', by: null, from };
export const timeUp: StepInput = { event: 'deadline', from };
export const sent: StepInput = { event: 'delivered', message_ids: [] };
export const started: StepInput = { event: 'delivery_started' };
export const failed = (message: string, ambiguous = false): StepInput => ({
  event: 'delivery_error',
  message,
  ambiguous,
  from,
});

/** Runs inputs from nothing, each with its own time where it gives one. */
export const run = (...inputs: readonly (StepInput | [StepInput, number])[]): QuestionRecord => {
  let record: QuestionRecord | null = null;
  for (const given of inputs) {
    const [input, now] = Array.isArray(given) ? given : [given, start];
    record = step(record, input, now).record;
  }
  if (record === null) throw new Error('no question came of it');
  return record;
};

export const owes = (record: QuestionRecord): string[] =>
  record.owed.flatMap((item) => {
    if (item.do === 'log') return [];
    return item.do === 'note' ? [`note ${item.note}`] : [item.do];
  });
export const logs = (record: QuestionRecord): string[] =>
  record.owed.flatMap((item) => (item.do === 'log' ? [item.line.event] : []));
