/**
 * Performs what records owe: messages to the person, responses to askers, removal of answer files. Each piece of work
 * is under way at most once, and is struck off its record when done; a restart finds the rest in the records.
 */
import type { Owed, Qid, QuestionRecord, ReplyFrom, StepInput } from '@x/bridge';
import type { Remover } from '../answers/remove-answer.ts';
import { daemonLimits } from '../limits.ts';
import type { Logger } from '../log/operational-log.ts';
import type { PutNote, QuestionTransport } from '../transport/question-transport.ts';
import type { Responder } from './responder.ts';
import { createTransportQueue } from './transport-queue.ts';

export interface Outbox {
  /** Starts whatever of this record's owed work is not under way yet. */
  perform(record: QuestionRecord): void;
  /** No prompt waits for its ack any more. */
  resume(): void;
  close(): void;
}

interface OutboxParts {
  readonly transport: QuestionTransport;
  readonly responder: Responder;
  readonly remover: Remover;
  readonly log: Logger;
  readonly from: ReplyFrom;
  readonly project: string;
  /** Whether a prompt waits for its ack. */
  readonly isAsking: () => boolean;
  readonly record: (qid: Qid) => QuestionRecord | null;
  readonly applySurely: (qid: Qid, input: StepInput) => Promise<QuestionRecord | null>;
}

type Work = Exclude<Owed, { do: 'log' }>;

const keyOf = (qid: Qid, item: Work): string => {
  if (item.do === 'note') return `${qid} note ${item.note}`;
  return item.do === 'remove_answer' ? `${qid} remove ${item.digest}` : `${qid} ${item.do}`;
};

const outcomeOf = ({ outcome }: QuestionRecord): PutNote['outcome'] => {
  if (outcome === undefined) return null;
  const { kind, answer, by } = outcome;
  return {
    kind,
    ...(answer === undefined ? {} : { answer: answer.answer, by: answer.answered_by }),
    ...(by === undefined ? {} : { by }),
  };
};

export const createOutbox = (parts: OutboxParts): Outbox => {
  const { transport, responder, remover, log, from, project, applySurely } = parts;
  const queue = createTransportQueue({
    runsMax: daemonLimits.transportRuns,
    giveWay: parts.isAsking,
    giveWayMs: daemonLimits.giveWayMs,
  });
  const underWay = new Set<string>();
  const stuck = new Set<Qid>();
  const delayed = new Set<NodeJS.Timeout>();
  let closed = false;

  const owedDelivery = (record: QuestionRecord | null): Extract<Owed, { do: 'deliver' }> | null =>
    record?.owed.find((item) => item.do === 'deliver') ?? null;

  const deliver = async (qid: Qid): Promise<void> => {
    let record = parts.record(qid);
    if (owedDelivery(record)?.started === false)
      record = await applySurely(qid, { event: 'delivery_started' });
    const owed = owedDelivery(record);
    // Answered, cancelled or out of time while it waited for its turn.
    if (record === null || owed === null || closed) return;
    const { question, timeout_ms: timeoutMs } = record;
    const delivery = await transport.deliver({ qid, question, project, repeat: owed.attempt > 1, timeoutMs });
    if (delivery.code === 'aborted') return;
    if (delivery.code === 'delivered') {
      await applySurely(qid, { event: 'delivered', message_ids: delivery.messageIds });
      return;
    }
    const { message } = delivery;
    log.warn({ qid, message }, 'a question could not be delivered');
    await applySurely(qid, {
      event: 'delivery_error',
      message,
      ambiguous: delivery.code === 'unknown',
      from,
    });
  };

  /** What is still owed is tried again in a while; a restart before that finds it in the record. */
  const performLater = (qid: Qid): void => {
    const timer = setTimeout(() => {
      delayed.delete(timer);
      const record = parts.record(qid);
      if (record !== null) perform(record);
    }, daemonLimits.noteLaterMs);
    delayed.add(timer);
  };

  const note = async (qid: Qid, item: Extract<Owed, { do: 'note' }>): Promise<void> => {
    for (let attempts = 1; ; attempts += 1) {
      const record = parts.record(qid);
      if (record === null || closed) return;
      const { question, timeout_ms: timeoutMs, message_ids: messageIds } = record;
      const about = { qid, question, project, timeoutMs, messageIds };
      const delivery = await transport.note({ ...about, note: item.note, outcome: outcomeOf(record) });
      if (delivery.code === 'aborted') return;
      if (delivery.code === 'later') return performLater(qid);
      if (delivery.code !== 'refused' || attempts >= daemonLimits.noteAttempts) {
        if (delivery.code !== 'delivered')
          log.warn({ qid, note: item.note, message: delivery.message }, 'a note was given up');
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, daemonLimits.backoffFirstMs * 2 ** attempts));
    }
    await applySurely(qid, { event: 'done', owed: item });
  };

  const respond = async (qid: Qid): Promise<void> => {
    for (;;) {
      const to = parts.record(qid)?.asker.endpoint;
      const outcome = await responder.respond(qid);
      if (outcome === 'unreachable') await applySurely(qid, { event: 'unreachable' });
      if (outcome !== 'acked') return;
      const owed = { do: 'respond' } as const;
      const record = await applySurely(qid, { event: 'done', owed, ...(to === undefined ? {} : { to }) });
      // Its asker came back from elsewhere while the old one acked: that one has nothing yet.
      if (record?.owed.some((item) => item.do === 'respond') !== true) return;
    }
  };

  const removeAnswer = async (qid: Qid, item: Extract<Owed, { do: 'remove_answer' }>): Promise<void> => {
    const removal = await remover.removeAnswer(qid, item.digest);
    if (removal.code === 'failed' && !stuck.has(qid)) {
      stuck.add(qid);
      log.error({ qid, why: removal.why }, 'an answer file cannot be removed and stays');
    }
    await applySurely(qid, { event: 'done', owed: item });
  };

  /** Runs work once at a time under its key; what it left owed is looked at again. */
  const once = (qid: Qid, item: Work, work: () => Promise<void>): (() => Promise<void>) => {
    const key = keyOf(qid, item);
    underWay.add(key);
    return async () => {
      try {
        await work();
      } catch (error) {
        log.error({ err: error, qid, owed: item.do }, 'owed work failed');
      } finally {
        underWay.delete(key);
      }
    };
  };

  const start = (qid: Qid, item: Work): void => {
    if (item.do === 'deliver')
      queue.add(
        qid,
        once(qid, item, () => deliver(qid)),
      );
    else if (item.do === 'note')
      queue.add(
        qid,
        once(qid, item, () => note(qid, item)),
      );
    else if (item.do === 'respond') void once(qid, item, () => respond(qid))();
    else void once(qid, item, () => removeAnswer(qid, item))();
  };

  const perform = ({ qid, owed }: QuestionRecord): void => {
    if (closed) return;
    for (const item of owed) if (item.do !== 'log' && !underWay.has(keyOf(qid, item))) start(qid, item);
  };

  return {
    perform,
    resume: () => queue.resume(),
    close: () => {
      closed = true;
      for (const timer of delayed) clearTimeout(timer);
      queue.close();
    },
  };
};
