/**
 * The transport `hermes`: runs `hermes [--profile p] send --to <target> <message>` without a shell (source 004
 * user-remote topology, 05 The daemon). Exit 0 is delivered; everything else is a delivery error with its words.
 */
import {
  detailText,
  english,
  formatTelegramQuestion,
  titlesTooLongError,
  type QuestionText,
  type Texts,
} from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import type { ProcessRunner } from './process-worker.ts';
import type {
  Delivery,
  PutNote,
  PutQuestion,
  QuestionTransport,
  TransportHealth,
} from './question-transport.ts';
import type { ProcessEnd } from './run-process.ts';

export interface HermesOptions {
  readonly runner: ProcessRunner;
  /** Passed on as `--to`. */
  readonly target: string;
  readonly profile: string | null;
  /** A run is ended after this. */
  readonly runMs?: number;
  readonly texts?: Texts;
  readonly now?: () => number;
}

const textOf = (put: PutQuestion, texts: Texts): QuestionText => {
  const { qid, question, project, repeat } = put;
  const { context, options } = question;
  return formatTelegramQuestion(
    {
      qid,
      question: question.question,
      options,
      project,
      repeat,
      ...(context === undefined ? {} : { context }),
    },
    texts,
  );
};

/** Null where nothing is said: what was sent cannot be changed here, and the person knows what they answered. */
const noteText = ({ qid, note, timeoutMs }: PutNote, texts: Texts): string | null => {
  switch (note) {
    case 'cancelled':
      return texts.cancelledNote(qid);
    case 'timeout':
      return texts.timeoutNote(qid, timeoutMs);
    case 'late_answer':
      return texts.lateAnswerNote(qid);
    case 'answered':
      return null;
    default:
      return note satisfies never;
  }
};

const failed = (code: string | number, words: string): string =>
  detailText(`hermes send failed (${code})${words === '' ? '' : `: ${words}`}`);

/** What a run's end means. Only a run that ended by itself, or never began, surely sent nothing. */
const deliveryOf = (end: ProcessEnd, runMs: number): Delivery => {
  switch (end.code) {
    case 'exit':
      return end.exitCode === 0
        ? { code: 'delivered', messageIds: [] }
        : { code: 'refused', message: failed(end.exitCode, end.stderr) };
    case 'signal':
      return { code: 'unknown', message: failed(end.signal, end.stderr) };
    case 'timeout':
      return { code: 'unknown', message: failed(`timeout after ${runMs}ms`, end.stderr) };
    case 'stopped':
      return { code: 'aborted' };
    case 'failed': {
      const hint = end.reason === 'ENOENT' ? 'hermes is not on the PATH of bridge-daemon' : end.detail;
      return { code: end.reason === 'worker' ? 'unknown' : 'refused', message: failed(end.reason, hint) };
    }
    default:
      return end satisfies never;
  }
};

/** Never rejects, as the port says; one runner may serve several transports, and is closed with this one. */
export const createHermesTransport = (options: HermesOptions): QuestionTransport => {
  const {
    runner,
    target,
    profile,
    runMs = daemonLimits.transportRunMs,
    texts = english,
    now = Date.now,
  } = options;
  const underWay = new Set<Promise<unknown>>();
  let health: TransportHealth = { state: 'ok' };
  let closed = false;

  const judgeHealth = (delivery: Delivery): void => {
    if (delivery.code === 'delivered') health = { state: 'ok' };
    else if (delivery.code !== 'aborted')
      health = {
        state: 'degraded',
        reason: delivery.message,
        since: health.state === 'degraded' ? health.since : now(),
      };
  };

  const send = async (message: string): Promise<Delivery> => {
    if (closed) return { code: 'aborted' };
    // No argument of a program can hold NUL.
    const args = ['send', '--to', target, message.replaceAll('\0', '\uFFFD')];
    const run = runner.run({
      command: 'hermes',
      args: profile === null ? args : ['--profile', profile, ...args],
      timeoutMs: runMs,
    });
    underWay.add(run);
    const delivery = deliveryOf(await run, runMs);
    underWay.delete(run);
    judgeHealth(delivery);
    return delivery;
  };

  return {
    name: 'hermes',
    refusal: (put) => {
      const made = textOf({ ...put, repeat: false }, texts);
      return made.code === 'text' ? null : titlesTooLongError(made.excessUnits);
    },
    deliver: async (put) => {
      const marked = textOf(put, texts);
      // Titles that fill the message to its last unit leave no room for the mark: unmarked is better than not at all.
      const made = marked.code === 'text' ? marked : textOf({ ...put, repeat: false }, texts);
      return made.code === 'text'
        ? send(made.text)
        : { code: 'refused', message: titlesTooLongError(made.excessUnits) };
    },
    note: async (put) => {
      const text = noteText(put, texts);
      return text === null ? { code: 'delivered', messageIds: [] } : send(text);
    },
    health: () => health,
    close: async (drainMs) => {
      closed = true;
      let drained: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        drained = setTimeout(resolve, drainMs);
      });
      await Promise.race([Promise.all(underWay), patience]);
      clearTimeout(drained);
      runner.stop();
      const bound = new Promise<void>((resolve) => {
        drained = setTimeout(resolve, daemonLimits.killGraceMs);
      });
      if (underWay.size > 0) await Promise.race([Promise.all(underWay), bound]);
      clearTimeout(drained);
      await runner.close();
    },
  };
};
