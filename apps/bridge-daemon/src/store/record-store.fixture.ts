/** Records of one daemon and of another, and their next states, for tests of the store. */
import { parseQid, step, type Daemon, type Qid, type QuestionRecord } from '@x/bridge';

export const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};

export const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
export const ours: Daemon = { name: 'user-remote', project: 'default', coms_dir: '/c' };
export const theirs: Daemon = { ...ours, project: 'docs' };
const from = { session: 's', endpoint: '/e' };
export const asker = { name: 'a', cwd: '/', project: 'default', session: null, endpoint: '/e', hops: 0 };

const stepped = (record: QuestionRecord | null, input: Parameters<typeof step>[1]): QuestionRecord => {
  const next = step(record, input, 0).record;
  if (next === null) throw new Error('no record');
  return next;
};

export const next = (record: QuestionRecord, input: Parameters<typeof step>[1]): QuestionRecord =>
  stepped(record, input);

export const asked = (daemon: Daemon = ours, id: Qid = qid, question = 'q'): QuestionRecord =>
  stepped(null, {
    event: 'question_received',
    asked: {
      qid: id,
      daemon,
      asker,
      prompt_digest: 'd',
      question: { question, options: [] },
      timeout_ms: 1_000,
    },
  });

export const started = (record: QuestionRecord): QuestionRecord =>
  next(record, { event: 'delivery_started' });
export const delivered = (record: QuestionRecord): QuestionRecord =>
  next(started(record), { event: 'delivered', message_ids: [] });
export const cancelled = (record: QuestionRecord): QuestionRecord =>
  next(record, { event: 'cancelled', by: null, from });
export const failed = (record: QuestionRecord): QuestionRecord =>
  next(record, { event: 'delivery_error', message: 'm', ambiguous: true, from });
export const answered = (record: QuestionRecord, answer: string): QuestionRecord =>
  next(record, {
    event: 'answered',
    answer: { answer, answered_by: 'ann', at: new Date(0).toISOString(), qid: record.qid },
    digest: answer,
    from,
    cutMark: '',
  });
