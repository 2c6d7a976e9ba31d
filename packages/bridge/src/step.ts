/**
 * A question's life as a pure step: record and input in, record with its outbox out (source 004 States, 05 Nothing a
 * person said is lost). The shell writes the record, performs what is owed, and steps again with `done`.
 *
 * B1 The state moves only along a row of `transitions`; every other input leaves it as it is.
 * B2 A question has at most one outcome, and an outcome never changes.
 * B3 An answer is in the record before its file is owed for removal: no step both forgets and removes.
 * B4 What a record owes is decided here alone, so performing it after a crash is all there is to recovery.
 */
import type { Answer } from './answer-file.ts';
import { timeoutError } from './deadline.ts';
import { limits } from './limits.ts';
import { logRecord, type LogRecord } from './log-record.ts';
import { mapAnswerToAskResponse } from './answer-mapping.ts';
import { owing, without, type Owed } from './owed.ts';
import { recordVersion, type Kept, type Outcome, type QuestionRecord } from './record.ts';
import { answerResponse, errorResponse, type ReplyFrom, type ResponseHead } from './response.ts';
import type { NewQuestion, StepInput } from './step-input.ts';
import { isOpen, transition, type QuestionEvent } from './transitions.ts';

type Input<E extends StepInput['event']> = Extract<StepInput, { event: E }>;
type Handler<E extends StepInput['event']> = (
  record: QuestionRecord,
  input: Input<E>,
  now: number,
) => QuestionRecord;

/** An answer kept beyond this many, on a question that takes none any more, is only logged. */
const keptAnswersMax = 100;

const iso = (ms: number): string => new Date(ms).toISOString();

const logged = (record: QuestionRecord, now: number, event: LogRecord['event'], detail?: unknown): Owed => ({
  do: 'log',
  line: logRecord(now, { qid: record.qid, event }, detail),
});

/** The record with this outbox; the same record where that is what it has. */
const withOwed = (record: QuestionRecord, owed: Owed[]): QuestionRecord =>
  owed === record.owed ? record : { ...record, owed };

const owe = (record: QuestionRecord, ...items: readonly Owed[]): QuestionRecord =>
  withOwed(record, owing(record.owed, ...items));

/** Changes the delivery that is owed, if one is and `change` gives another. */
const withDelivery = (
  record: QuestionRecord,
  change: (owed: Extract<Owed, { do: 'deliver' }>) => Owed,
): QuestionRecord => {
  const owed = record.owed.find((item) => item.do === 'deliver');
  const next = owed === undefined ? undefined : change(owed);
  if (next === undefined || next === owed) return record;
  return { ...record, owed: record.owed.map((item) => (item === owed ? next : item)) };
};

const headOf = (record: QuestionRecord, from: ReplyFrom, now: number): ResponseHead => ({
  qid: record.qid,
  hops: record.asker.hops,
  from,
  now,
});

/** Moves along a row of the table; where there is none, gives null. */
const moved = (record: QuestionRecord, event: QuestionEvent): QuestionRecord | null => {
  const row = transition(record.state, event);
  return row === null ? null : { ...record, state: row.to };
};

/** A closing move: the outcome is set, a delivery still owed is dropped. */
const closed = (record: QuestionRecord, event: QuestionEvent, outcome: Outcome): QuestionRecord | null => {
  const next = moved(record, event);
  if (next === null) return null;
  return { ...next, outcome, owed: next.owed.filter((item) => item.do !== 'deliver') };
};

const ask = (asked: NewQuestion, now: number): QuestionRecord => {
  const { timeout_ms, ...rest } = asked;
  const record: QuestionRecord = {
    v: recordVersion,
    ...rest,
    asked_at: iso(now),
    timeout_ms,
    deadline: iso(now + timeout_ms),
    state: 'pending',
    message_ids: [],
    owed: [{ do: 'deliver', attempt: 1, started: false }],
  };
  return owe(record, logged(record, now, 'question_received', { asker: asked.asker.name, timeout_ms }));
};

const onRepeated: Handler<'repeated'> = (record, { asker }) => {
  const isNew = JSON.stringify(asker) !== JSON.stringify(record.asker);
  const known = isNew ? { ...record, asker } : record;
  return isOpen(record.state) || record.outcome?.envelope === undefined
    ? known
    : owe(known, { do: 'respond' });
};

const onDeliveryStarted: Handler<'delivery_started'> = (record) =>
  withDelivery(record, (owed) => (owed.started ? owed : { ...owed, started: true }));

const onDelivered: Handler<'delivered'> = (record, { message_ids }, now) => {
  const news = message_ids.filter((id) => !record.message_ids.includes(id));
  const known = news.length === 0 ? record : { ...record, message_ids: [...record.message_ids, ...news] };
  const next = moved(known, 'delivered');
  // Answered while its delivery was under way: only now there is a message to show that in.
  if (next === null && known !== record && record.state === 'answered')
    return owe(known, { do: 'note', note: 'answered' });
  if (next === null) return known;
  const sent = { ...next, owed: next.owed.filter((item) => item.do !== 'deliver') };
  return owe(sent, logged(record, now, 'delivered'));
};

const onDeliveryError: Handler<'delivery_error'> = (record, { message, ambiguous, from }, now) => {
  const envelope = errorResponse(headOf(record, from, now), message);
  const next = closed(record, 'delivery_error', {
    kind: 'delivery_error',
    at: iso(now),
    message,
    ambiguous,
    envelope,
  });
  return next === null
    ? record
    : owe(next, { do: 'respond' }, logged(record, now, 'delivery_error', message));
};

const onDeadline: Handler<'deadline'> = (record, { from }, now) => {
  if (now < Date.parse(record.deadline)) return record;
  const next = closed(record, 'timeout', {
    kind: 'timeout',
    at: iso(now),
    envelope: errorResponse(headOf(record, from, now), timeoutError(record.timeout_ms)),
  });
  if (next === null) return record;
  const detail = { timeout_ms: record.timeout_ms };
  return owe(
    next,
    { do: 'respond' },
    { do: 'note', note: 'timeout' },
    logged(record, now, 'timeout', detail),
  );
};

const onCancelled: Handler<'cancelled'> = (record, { by, from }, now) => {
  const error = `question cancelled by ${by}`;
  const next = closed(record, 'cancelled', {
    kind: 'cancelled',
    at: iso(now),
    ...(by === null ? {} : { by, envelope: errorResponse(headOf(record, from, now), error) }),
  });
  if (next === null) return record;
  const told = by === null ? next : owe(next, { do: 'respond' });
  const detail = by === null ? undefined : { by };
  return owe(told, { do: 'note', note: 'cancelled' }, logged(record, now, 'cancelled', detail));
};

/** Whether some message may hold the question and can be changed: the channel named it, or has just been given it. */
const mayBeShown = (record: QuestionRecord): boolean =>
  record.message_ids.length > 0 || record.owed.some((item) => item.do === 'deliver' && item.started);

const acceptAnswer = (record: QuestionRecord, input: Input<'answered'>, now: number): QuestionRecord => {
  const { answer, digest, from, cutMark } = input;
  const response = mapAnswerToAskResponse(answer.answer, record.question.options);
  const made = answerResponse(headOf(record, from, now), response, cutMark);
  const next = closed(record, 'answered', {
    kind: 'answered',
    at: iso(now),
    answer: { answer: answer.answer, answered_by: answer.answered_by, at: answer.at },
    envelope: made.envelope,
  });
  if (next === null) return record;
  const kept: Kept | undefined = made.cut ? { reason: 'too_long', at: iso(now), answers: [] } : undefined;
  const detail = {
    answered_by: answer.answered_by,
    kind: response.kind,
    ...(made.cut ? { kept: 'too_long' } : {}),
  };
  return owe(
    { ...next, answer_digest: digest, ...(kept === undefined ? {} : { kept }) },
    { do: 'respond' },
    { do: 'remove_answer', digest },
    ...(mayBeShown(record) ? [{ do: 'note', note: 'answered' } as const] : []),
    logged(record, now, 'answered', detail),
  );
};

/** Enough of the digest to tell two late answers of one moment apart. */
const lateDetail = (answer: Answer, digest: string): { answered_by: string; digest: string } => ({
  answered_by: answer.answered_by,
  digest: digest.slice(0, 16),
});

/** A delivery that failed, or a daemon that went away: the person could not know, so what they said is kept. */
const keepAnswer = (
  record: QuestionRecord,
  { answer, digest }: Input<'answered'>,
  now: number,
): QuestionRecord | null => {
  const reason = record.kept?.reason ?? (record.outcome?.kind === 'delivery_error' ? 'delivery_error' : null);
  if (reason !== 'delivery_error' && reason !== 'abandoned') return null;
  const before = record.kept?.answers ?? [];
  if (before.length >= keptAnswersMax) return null;
  const said = { answer: answer.answer, answered_by: answer.answered_by, at: answer.at, digest };
  const next = { ...record, kept: { reason, at: iso(now), answers: [...before, said] } };
  const detail = { ...lateDetail(answer, digest), kept: reason };
  return owe(next, { do: 'remove_answer', digest }, logged(record, now, 'late_answer', detail));
};

const alreadyTaken = (record: QuestionRecord, digest: string): boolean =>
  record.answer_digest === digest ||
  record.kept?.answers.some((said) => said.digest === digest) === true ||
  record.owed.some((item) => item.do === 'remove_answer' && item.digest === digest);

const onAnswered: Handler<'answered'> = (record, input, now) => {
  const { answer, digest, from } = input;
  if (isOpen(record.state)) {
    // Answers are read before deadlines are judged: one dated in time counts, however late it is found.
    const deadline = Date.parse(record.deadline);
    if (now < deadline || Date.parse(answer.at) <= deadline) return acceptAnswer(record, input, now);
    return onAnswered(onDeadline(record, { event: 'deadline', from }, now), input, now);
  }
  if (alreadyTaken(record, digest)) return owe(record, { do: 'remove_answer', digest });
  const kept = keepAnswer(record, input, now);
  if (kept !== null) return kept;
  const detail = lateDetail(answer, digest);
  return owe(
    record,
    { do: 'remove_answer', digest },
    { do: 'note', note: 'late_answer' },
    logged(record, now, 'late_answer', detail),
  );
};

const onRestarted: Handler<'restarted'> = (record) =>
  withDelivery(record, (owed) =>
    owed.started ? { ...owed, attempt: owed.attempt + 1, started: false } : owed,
  );

const onUnreachable: Handler<'unreachable'> = (record, _input, now) => {
  const given = withOwed(record, without(record.owed, { do: 'respond' }));
  if (record.outcome?.kind !== 'answered' || record.kept !== undefined) return given;
  const kept: Kept = { reason: 'asker_unreachable', at: iso(now), answers: [] };
  return owe({ ...given, kept }, logged(record, now, 'late_answer', { kept: 'asker_unreachable' }));
};

const onAbandoned: Handler<'abandoned'> = (record, _input, now) => {
  if (now < Date.parse(record.deadline) + limits.abandonedAfterMs) return record;
  const next = closed(record, 'timeout', { kind: 'timeout', at: iso(now) });
  if (next === null) return record;
  const kept: Kept = { reason: 'abandoned', at: iso(now), answers: [] };
  return owe({ ...next, kept }, logged(record, now, 'timeout', { kept: 'abandoned' }));
};

const onDone: Handler<'done'> = (record, { owed, to }) => {
  // The asker has moved since: whoever acked was its predecessor.
  if (owed.do === 'respond' && to !== undefined && to !== record.asker.endpoint) return record;
  const next = withOwed(record, without(record.owed, owed));
  if (owed.do !== 'respond' || record.kept?.reason !== 'asker_unreachable') return next;
  // The asker came back and has its answer: nothing is undelivered any more.
  const { kept: _delivered, ...rest } = next;
  return rest;
};

/** One line an event; the compiler sees that none is missing. */
const handle = (record: QuestionRecord, input: StepInput, now: number): QuestionRecord => {
  switch (input.event) {
    case 'question_received':
      return record;
    case 'repeated':
      return onRepeated(record, input, now);
    case 'delivery_started':
      return onDeliveryStarted(record, input, now);
    case 'delivered':
      return onDelivered(record, input, now);
    case 'delivery_error':
      return onDeliveryError(record, input, now);
    case 'answered':
      return onAnswered(record, input, now);
    case 'cancelled':
      return onCancelled(record, input, now);
    case 'deadline':
      return onDeadline(record, input, now);
    case 'restarted':
      return onRestarted(record, input, now);
    case 'unreachable':
      return onUnreachable(record, input, now);
    case 'abandoned':
      return onAbandoned(record, input, now);
    case 'done':
      return onDone(record, input, now);
    default:
      return input satisfies never;
  }
};

export interface Stepped {
  /** Null where there is no question and the input makes none. The same object where nothing changed. */
  readonly record: QuestionRecord | null;
  /** All that is to be performed now, in this order for one question. */
  readonly owed: readonly Owed[];
}

/**
 * Takes a stored question (null: none has this qid), an input and the time in milliseconds since 1970; gives the record
 * to store and what it owes. Never throws; an input that does not apply changes nothing.
 */
export const step = (record: QuestionRecord | null, input: StepInput, now: number): Stepped => {
  if (record === null) {
    const next = input.event === 'question_received' ? ask(input.asked, now) : null;
    return { record: next, owed: next?.owed ?? [] };
  }
  const next = handle(record, input, now);
  return { record: next, owed: next.owed };
};
