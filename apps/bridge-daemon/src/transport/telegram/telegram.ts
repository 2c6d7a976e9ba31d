/**
 * The transport `telegram`: questions go out through the Bot API, and what people say comes in by polling it (05 The
 * daemon). This file ties the two ways together; `open-telegram.ts` makes one from what the command line names.
 */
import { english, type Texts } from '@x/bridge';
import type { UserFromGetMe } from 'grammy/types';
import type { Logger } from '../../log/operational-log.ts';
import { firstTrouble } from '../../status.ts';
import type { QuestionTransport } from '../question-transport.ts';
import type { TelegramClient } from './api-client.ts';
import { createOutcomeNotes } from './outcome-notes.ts';
import { createOutgoing } from './outgoing.ts';
import { pause } from './pause.ts';
import type { Target } from './ports.ts';
import type { SentBook } from './question-book.ts';
import { createQuestionSender } from './question-sender.ts';
import { telegramLimits } from './telegram-limits.ts';
import { createWayIn, type WayIn } from './way-in.ts';

export interface TelegramOptions {
  readonly client: TelegramClient;
  readonly book: SentBook;
  readonly target: Target;
  /** Ids of those who are heard. */
  readonly allow: ReadonlySet<number>;
  /** What `getMe` gave; null where Telegram was not reached. */
  readonly me: UserFromGetMe | null;
  /** The transport's own folder of the state. */
  readonly folder: string;
  readonly log: Logger;
  /** At the very end: gives the token free. */
  readonly release?: () => Promise<void>;
  readonly texts?: Texts;
  readonly now?: () => number;
  /** For tests: a request is given up sooner. */
  readonly requestMs?: number;
}

/** Never rejects, as the port says. */
export const createTelegramTransport = (options: TelegramOptions): QuestionTransport => {
  const { client, book, target, allow, me, folder, log, release } = options;
  const { texts = english, now = Date.now, requestMs = telegramLimits.requestMs } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const underWay = new Set<Promise<unknown>>();
  const outgoing = createOutgoing({ client, book, target, signal, requestMs, now });
  const sender = createQuestionSender({ outgoing, book, target, texts, log });
  const showNote = createOutcomeNotes({ outgoing, book, texts, now });
  let wayIn: WayIn | null = null;
  let closed = false;

  const tracked = async <Value>(work: Promise<Value>): Promise<Value> => {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  };

  return {
    name: 'telegram',
    refusal: (put) => sender.refusal(put),
    deliver: async (put) => (closed ? { code: 'aborted' } : tracked(sender.deliver(put))),
    note: async (put) => (closed ? { code: 'aborted' } : tracked(showNote(put))),
    health: () => {
      const trouble = firstTrouble([outgoing.trouble(), wayIn?.trouble() ?? null, client.flood()]);
      return trouble === null ? { state: 'ok' } : { state: 'degraded', ...trouble };
    },
    start: async (desk) => {
      if (closed || wayIn !== null) return;
      book.prune((qid) => desk.standing(qid) === 'open');
      wayIn = createWayIn({ client, book, target, allow, desk, log, me, folder });
      wayIn.start();
      await wayIn.caughtUp;
    },
    sinceHeardMs: () => wayIn?.sincePollMs() ?? null,
    close: async (drainMs) => {
      closed = true;
      const drained = new AbortController();
      const listening = wayIn?.close(drainMs);
      await Promise.race([Promise.allSettled(underWay), pause(drainMs, drained.signal)]);
      drained.abort();
      ending.abort();
      await Promise.allSettled([...underWay, listening]);
      await release?.();
    },
  };
};
