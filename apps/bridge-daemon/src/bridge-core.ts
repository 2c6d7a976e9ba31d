/**
 * The bridge at work: desk, outbox, answers and deadlines tied together, for one daemon that holds its name.
 *
 * O2 At start answers are read before deadlines are judged, and before anything is sent; so they are after a sleep.
 */
import {
  answerFileName,
  english,
  graceMs,
  isOpen,
  sameDaemon,
  type Daemon,
  type Qid,
  type QuestionRecord,
  type ReplyFrom,
  type Standing,
} from '@x/bridge';
import type { Coms } from '@x/coms-envelope/node';
import { join } from 'node:path';
import { createAnswerScanner, type AnswerSink } from './answers/answer-scanner.ts';
import { watchAnswers, type AnswerWatch } from './answers/answer-watch.ts';
import { createRemover } from './answers/remove-answer.ts';
import { daemonLimits } from './limits.ts';
import { createLiveness } from './liveness.ts';
import type { ContractLog } from './log/contract-log.ts';
import type { Logger } from './log/operational-log.ts';
import { createCatchUp } from './questions/catch-up.ts';
import { createDeadlineClock } from './questions/deadline-clock.ts';
import { pruneClosed, reviveOwing, setAsideAbandoned } from './questions/housekeeping.ts';
import { createOutbox } from './questions/outbox.ts';
import { createQuestionDesk, type QuestionDesk } from './questions/question-desk.ts';
import { createResponder } from './questions/responder.ts';
import { readPending, takeOver } from './questions/take-over.ts';
import { firstTrouble, type BridgeCard } from './status.ts';
import type { Folders } from './store/folders.ts';
import { openRecordStore } from './store/record-store.ts';
import type { PersonDesk } from './transport/person-desk.ts';
import type { QuestionTransport } from './transport/question-transport.ts';

export interface CoreParts {
  readonly coms: Coms;
  readonly daemon: Daemon;
  readonly from: ReplyFrom;
  readonly folders: Folders;
  readonly contractLog: ContractLog;
  readonly transport: QuestionTransport;
  readonly log: Logger;
  readonly pollMs: number;
  readonly now?: () => number;
}

export interface BridgeCore {
  readonly desk: QuestionDesk;
  /** Takes over what is stored, then begins to watch. Settles when new prompts may come. */
  start(): Promise<void>;
  /** Cancels an open question; `by` null from the console. */
  cancel(qid: Qid, by: string | null): Promise<void>;
  /** Takes a prompt; what would slow down its ack gives way meanwhile. */
  asking<Result>(take: () => Promise<Result>): Promise<Result>;
  /** An asker has repeated its prompt: no more waiting for it. */
  wake(qid: Qid): void;
  card(): BridgeCard;
  /** Stops all work and settles when nothing is being written. */
  close(): Promise<void>;
}

const seconds = (ms: number): number => Math.round(ms) / 1000;

export const createBridgeCore = (parts: CoreParts): BridgeCore => {
  const { coms, daemon, from, folders, contractLog, transport, log, pollMs, now = Date.now } = parts;
  const store = openRecordStore(folders, daemon);
  const remover = createRemover(folders);
  const catchUp = createCatchUp({ sinceHeardMs: () => transport.sinceHeardMs?.() ?? null, now });
  const isAlive = createLiveness(now);
  let watch: AnswerWatch | null = null;
  let housekeeping: NodeJS.Timeout | undefined;
  let started = false;
  let stopped = false;
  let asking = 0;
  let undelivered = { count: 0, at: Number.NEGATIVE_INFINITY };

  const follow = (record: QuestionRecord): void => {
    if (!started) return;
    if (isOpen(record.state)) deadlines.set(record.qid, Date.parse(record.deadline));
    else deadlines.clear(record.qid);
    outbox.perform(record);
  };

  const desk = createQuestionDesk({
    daemon,
    store,
    contractLog,
    log,
    now,
    onChange: follow,
  });
  const responder = createResponder({ coms, log, now, record: (qid) => desk.held(qid) });
  const outbox = createOutbox({
    transport,
    responder,
    remover,
    log,
    from,
    project: daemon.project,
    isAsking: () => asking > 0,
    record: (qid) => desk.held(qid),
    applySurely: (qid, input) => desk.applySurely(qid, input),
  });

  const standing = async (qid: Qid): Promise<Standing> => {
    if (desk.held(qid) !== null) return 'ours';
    const located = store.locate(qid);
    if (located === null) return 'nobody';
    if (located.reading.code !== 'record') return 'elsewhere';
    const { record } = located.reading;
    if (sameDaemon(record.daemon, daemon)) return 'ours';
    if (located.placement === 'pending') return 'elsewhere';
    return (await isAlive(record.daemon)) ? 'elsewhere' : 'ours';
  };

  const sink: AnswerSink = {
    standing,
    answered: async (qid, { answer, digest }) => {
      const cutMark = english.answerCut(join(folders.placed.undelivered, `${qid}.json`));
      try {
        await desk.apply(qid, { event: 'answered', answer, digest, from, cutMark });
        return true;
      } catch {
        // Reported by the desk; the file stays where it is.
        return false;
      }
    },
  };
  const scanner = createAnswerScanner({ folders, sink, remover, contractLog, log, pollMs, now });

  const personDesk: PersonDesk = {
    questionsDir: folders.questions,
    stateDir: folders.state,
    open: () =>
      desk
        .all()
        .filter(({ state }) => isOpen(state))
        .toSorted((one, other) => Date.parse(one.asked_at) - Date.parse(other.asked_at))
        .map(({ qid, question, asked_at: askedAt, deadline }) => ({ qid, question, askedAt, deadline })),
    standing: (qid) => {
      const held = desk.held(qid);
      if (held !== null) return isOpen(held.state) ? 'open' : 'closed';
      const placement = store.locate(qid)?.placement;
      if (placement === undefined) return 'unknown';
      return placement === 'pending' ? 'open' : 'closed';
    },
    cancel: async (qid, by) => {
      if (desk.held(qid) === null) return false;
      const closed = await desk.applySurely(qid, { event: 'cancelled', by, from });
      return closed?.state === 'cancelled' && closed.outcome?.by === by;
    },
    look: async (qid) => {
      await scanner.look(answerFileName(qid));
    },
  };

  const onDeadline = async (qid: Qid): Promise<void> => {
    const overdue = desk.held(qid);
    if (overdue !== null) catchUp.afterSleep(Date.parse(overdue.deadline));
    if (catchUp.isUnderWay()) {
      deadlines.set(qid, now() + daemonLimits.catchUpLookMs);
      return;
    }
    const looked = await scanner.look(answerFileName(qid));
    const record = desk.held(qid);
    if (record === null || !isOpen(record.state) || stopped) return;
    if (looked === 'waiting') {
      // Somebody may be writing the answer at this moment.
      deadlines.set(qid, now() + Math.min(pollMs, graceMs(pollMs)));
      return;
    }
    const next = await desk.applySurely(qid, { event: 'deadline', from });
    if (next !== null && isOpen(next.state)) deadlines.set(qid, Date.parse(next.deadline));
  };
  const deadlines = createDeadlineClock({ now, onDeadline: (qid) => void onDeadline(qid) });

  const poll = async (): Promise<void> => {
    await scanner.pass();
    deadlines.sweep();
    desk.retryLogs();
  };

  const keepHouse = async (first: boolean): Promise<void> => {
    const rooms = { folders, store, desk, daemon, log, now, isAlive, stopped: () => stopped };
    try {
      if (first) await reviveOwing(rooms);
      await setAsideAbandoned(rooms);
      await pruneClosed(rooms);
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed and is tried again later');
    }
    if (!stopped) housekeeping = setTimeout(() => void keepHouse(false), daemonLimits.housekeepingMs);
  };

  return {
    desk,
    start: async () => {
      store.sweep();
      for (const file of await remover.recover())
        log.warn({ file }, 'a file set aside for removal stays in .removing/');
      await takeOver(readPending({ store, desk, contractLog, log, daemon, now }), {
        store,
        desk,
        contractLog,
        log,
        daemon,
        now,
      });
      await scanner.pass();
      const heard = transport.start?.(personDesk);
      if (heard !== undefined) catchUp.await(heard);
      started = true;
      for (const record of desk.all()) follow(record);
      watch = watchAnswers({
        folder: folders.questions,
        pollMs,
        log,
        onName: (name) => void (name === null ? scanner.pass().catch(() => undefined) : scanner.look(name)),
        onPoll: poll,
      });
      void keepHouse(true);
    },
    cancel: async (qid, by) => {
      await desk.applySurely(qid, { event: 'cancelled', by, from });
    },
    asking: async (take) => {
      asking += 1;
      try {
        return await take();
      } finally {
        asking -= 1;
        if (asking === 0) outbox.resume();
      }
    },
    wake: (qid) => responder.wake(qid),
    card: () => {
      const at = now();
      if (at - undelivered.at > daemonLimits.livenessMs)
        undelivered = { count: store.count('undelivered'), at };
      const health = transport.health();
      const heardMs = transport.sinceHeardMs?.() ?? null;
      const trouble = firstTrouble([desk.storeHealth(), health.state === 'degraded' ? health : null]);
      return {
        transport: transport.name,
        state: trouble === null ? 'ok' : 'degraded',
        reason: trouble?.reason ?? null,
        since: trouble === null ? null : new Date(trouble.since).toISOString(),
        open_questions: desk.openCount(),
        undelivered: undelivered.count,
        undelivered_dir: folders.placed.undelivered,
        last_poll_s: seconds(watch?.sincePollMs() ?? 0),
        telegram_poll_s: heardMs === null ? null : seconds(heardMs),
      };
    },
    close: async () => {
      stopped = true;
      clearTimeout(housekeeping);
      watch?.close();
      scanner.close();
      catchUp.close();
      deadlines.close();
      outbox.close();
      responder.close();
      await transport.close(daemonLimits.drainMs);
      await desk.close();
      await store.close();
      contractLog.close();
    },
  };
};
