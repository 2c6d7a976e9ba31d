/**
 * All questions that have something left to happen, and the one way to change them: in turn, step, store, then act.
 *
 * K1 What follows from a step (an ack, a message, a response, a removal) follows from a stored record.
 * K2 A step that could not be stored did not happen.
 * K3 A closed question with nothing owed is on disk only; memory holds what is open or owed.
 */
import {
  isOpen,
  judgePrompt,
  logLine,
  placementOf,
  sameDaemon,
  step,
  type Daemon,
  type NewQuestion,
  type Owed,
  type Qid,
  type QuestionRecord,
  type StepInput,
} from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import type { ContractLog } from '../log/contract-log.ts';
import type { Logger } from '../log/operational-log.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { Held, Located } from '../store/restore-record.ts';
import { createTurns } from './turns.ts';

export type AskOutcome = { readonly code: 'taken' } | { readonly code: 'refused'; readonly error: string };

export interface StoreHealth {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface QuestionDesk {
  /** Takes a prompt: it is stored when this gives `taken`. Never rejects. */
  ask(asked: NewQuestion): Promise<AskOutcome>;
  /** Steps a question; null where there is none. Rejects where it could not be stored. */
  apply(qid: Qid, input: StepInput): Promise<QuestionRecord | null>;
  /** As `apply`, tried until it is stored. Null also when the desk closes first. */
  applySurely(qid: Qid, input: StepInput): Promise<QuestionRecord | null>;
  /** Takes a stored record into memory as it is. At a start, before anything else. */
  adopt(held: Held): void;
  /** Goes on with what a stored record owes. Rejects where the disk fails. */
  revive(qid: Qid): Promise<void>;
  /** What memory holds of a question; null where nothing is left to happen. */
  held(qid: Qid): QuestionRecord | null;
  all(): readonly QuestionRecord[];
  /** Questions that wait for an answer. */
  openCount(): number;
  /** Appends log lines that the log did not take before. */
  retryLogs(): void;
  storeHealth(): StoreHealth | null;
  /** Settles when no step is under way; later ones are refused. */
  close(): Promise<void>;
}

interface DeskParts {
  readonly daemon: Daemon;
  readonly store: RecordStore;
  readonly contractLog: ContractLog;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of every stored change, to perform what is owed and to watch the deadline. */
  readonly onChange: (record: QuestionRecord) => void;
}

/** Work that is done in a moment, mostly: two such are struck off with one write. */
const isBrief = (item: Owed): boolean => item.do === 'respond' || item.do === 'remove_answer';

const isLog = (item: Owed): item is Extract<Owed, { do: 'log' }> => item.do === 'log';

export const createQuestionDesk = (parts: DeskParts): QuestionDesk => {
  const { daemon, store, contractLog, log, now, onChange } = parts;
  const memory = new Map<Qid, Held>();
  const turns = createTurns();
  const logDebt = new Set<Qid>();
  const unsaved = new Map<Qid, NodeJS.Timeout>();
  let open = 0;
  let fault: StoreHealth | null = null;
  let closed = false;

  const remember = (held: Held): void => {
    const { qid } = held.record;
    const was = memory.get(qid);
    open += Number(isOpen(held.record.state)) - Number(was !== undefined && isOpen(was.record.state));
    if (isOpen(held.record.state) || held.record.owed.length > 0) memory.set(qid, held);
    else memory.delete(qid);
  };

  /** The lines a stored record owes and the log does not hold: a kill may have come between appending and striking off. */
  const withoutLogged = async (record: QuestionRecord): Promise<QuestionRecord> => {
    const lines = record.owed.filter(isLog);
    if (lines.length === 0) return record;
    const missing = new Set((await contractLog.missing(lines.map(({ line }) => line))).map(logLine));
    return { ...record, owed: record.owed.filter((item) => !isLog(item) || missing.has(logLine(item.line))) };
  };

  const adopted = async (located: Located | null): Promise<Held | null> =>
    located?.reading.code === 'record'
      ? { record: await withoutLogged(located.reading.record), placement: located.placement }
      : null;

  /** What memory holds, else what is stored. In the question's turn only: nothing else may change it meanwhile. */
  const find = async (qid: Qid): Promise<Held | null> => memory.get(qid) ?? adopted(store.locate(qid));

  const stored = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
      if (fault !== null) log.info('questions can be stored again');
      fault = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (fault === null) log.error({ err: error }, 'a question could not be stored');
      fault = { reason: `questions cannot be stored: ${reason}`, since: fault?.since ?? now() };
      throw error;
    }
  };

  /** Appends the lines a record owes; gives the record without those that are in the log. */
  const withLogged = (record: QuestionRecord): QuestionRecord => {
    let left = record.owed;
    try {
      for (const item of record.owed.filter(isLog)) {
        contractLog.append(item.line);
        left = left.filter((other) => other !== item);
      }
      logDebt.delete(record.qid);
    } catch (error) {
      if (!logDebt.has(record.qid))
        log.error({ err: error, qid: record.qid }, 'the contract log takes no line');
      logDebt.add(record.qid);
    }
    return left.length === record.owed.length ? record : { ...record, owed: left };
  };

  const settle = async (held: Held): Promise<QuestionRecord> => {
    const record = withLogged(held.record);
    if (record !== held.record && record.owed.length === 0 && held.placement !== 'pending') {
      // Nothing more will be written about it: strike off its log lines now. A failure costs a look at a later start.
      await store.save(record, held.placement).catch(() => undefined);
    }
    remember({ ...held, record });
    onChange(record);
    return record;
  };

  /** Writes what memory is ahead of the disk by; the next start would only do again what was done. */
  const saveLater = (qid: Qid): void => {
    if (unsaved.has(qid)) return;
    const timer = setTimeout(
      () => void turns.take(qid, () => saveNow(qid)).catch(() => undefined),
      daemonLimits.saveMs,
    );
    unsaved.set(qid, timer);
  };

  const saveNow = async (qid: Qid): Promise<void> => {
    const held = memory.get(qid);
    const timer = unsaved.get(qid);
    if (timer === undefined) return;
    clearTimeout(timer);
    unsaved.delete(qid);
    if (held === undefined) return;
    await store.save(held.record, held.placement);
    // An answer that reached its asker after all goes back to `closed/`.
    remember({ record: held.record, placement: placementOf(held.record) });
  };

  const change = async (held: Held, input: StepInput): Promise<QuestionRecord> => {
    const { record } = step(held.record, input, now());
    if (record === null || record === held.record) return held.record;
    const { qid } = record;
    if (input.event === 'done' && record.owed.some(isBrief)) {
      remember({ ...held, record });
      saveLater(qid);
      return record;
    }
    clearTimeout(unsaved.get(qid));
    unsaved.delete(qid);
    await stored(() => store.save(record, held.placement));
    return settle({ record, placement: placementOf(record) });
  };

  const create = async (asked: NewQuestion): Promise<AskOutcome> => {
    if (open >= daemonLimits.openQuestions)
      return { code: 'refused', error: `${open} questions are open, the most there may be: try again later` };
    const { record } = step(null, { event: 'question_received', asked }, now());
    if (record === null) throw new Error('a new prompt made no question');
    await stored(() => store.create(record));
    await settle({ record, placement: 'pending' });
    return { code: 'taken' };
  };

  const askInTurn = async (asked: NewQuestion): Promise<AskOutcome> => {
    const located = memory.has(asked.qid) ? null : store.locate(asked.qid);
    const unreadable = located !== null && !['record', 'unfinished'].includes(located.reading.code);
    if (unreadable)
      return { code: 'refused', error: 'msg_id is taken by a record that cannot be read: use a new msg_id' };
    const held = memory.get(asked.qid) ?? (await adopted(located));
    if (held !== null && !sameDaemon(held.record.daemon, daemon))
      return { code: 'refused', error: 'msg_id is taken by a question of another daemon: use a new msg_id' };
    const judged = judgePrompt(held?.record ?? null, asked.asker, asked.prompt_digest);
    if (judged.code === 'refused') return judged;
    if (held === null) return create(asked);
    await change(held, { event: 'repeated', asker: asked.asker });
    return { code: 'taken' };
  };

  const apply = (qid: Qid, input: StepInput): Promise<QuestionRecord | null> =>
    turns.take(qid, async () => {
      if (closed) return null;
      const held = await find(qid);
      return held === null ? null : change(held, input);
    });

  return {
    apply,
    ask: async (asked) => {
      if (closed) return { code: 'refused', error: 'bridge-daemon is shutting down: try again later' };
      try {
        return await turns.take(asked.qid, () => askInTurn(asked));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { code: 'refused', error: `the question could not be stored: ${why}` };
      }
    },
    applySurely: async (qid, input) => {
      for (;;) {
        if (closed) return null;
        try {
          return await apply(qid, input);
        } catch {
          // Reported by `stored`; the state of the disk may change.
          await new Promise((resolve) => setTimeout(resolve, daemonLimits.storeRetryMs).unref());
        }
      }
    },
    adopt: (held) => remember(held),
    revive: (qid) =>
      turns.take(qid, async () => {
        if (closed || memory.has(qid)) return;
        const held = await find(qid);
        if (held === null) return;
        if (held.record.owed.length === 0) await store.save(held.record, held.placement);
        else await settle(held);
      }),
    held: (qid) => memory.get(qid)?.record ?? null,
    all: () => [...memory.values()].map(({ record }) => record),
    openCount: () => open,
    retryLogs: () => {
      for (const qid of logDebt) {
        const held = memory.get(qid);
        if (held === undefined) logDebt.delete(qid);
        else void turns.take(qid, () => settle(memory.get(qid) ?? held)).catch(() => undefined);
      }
    },
    storeHealth: () => fault,
    close: async () => {
      closed = true;
      for (const qid of unsaved.keys()) void turns.take(qid, () => saveNow(qid)).catch(() => undefined);
      await turns.idle();
    },
  };
};
