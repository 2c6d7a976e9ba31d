/**
 * The way in of the transport `telegram`: what people say becomes answer files, cancels and replies. This file ties the
 * parts together; what is done about what is decided in `decide.ts`, without any of them.
 *
 * State, in the folder given: `updates.json` (all that must not be forgotten), `prepared/` (files being written),
 * `refused/` (updates that could not be handled, for a person to look at).
 */
import type { Update, UserFromGetMe } from 'grammy/types';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../log/operational-log.ts';
import { createTurns } from '../../questions/turns.ts';
import { firstTrouble, type Trouble } from '../../status.ts';
import { createAnswerWriter, type AnswerWriter } from './answer-writer.ts';
import type { TelegramClient } from './api-client.ts';
import { createBackoff } from './backoff.ts';
import { editsToCome } from './edits-to-come.ts';
import { createOwedWork } from './owed-work.ts';
import { pause } from './pause.ts';
import { english, type PersonTexts } from './person-texts.ts';
import type { PersonDesk, QuestionBook, Target } from './ports.ts';
import { createReplies } from './replies.ts';
import type { DeskView } from './scene.ts';
import { createStateKeeper, Stopped } from './state-keeper.ts';
import { createUpdateHandler } from './update-handler.ts';
import { createUpdateLoop, pollTroubleText } from './update-loop.ts';
import { openStateFile, type StateFile } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

export interface WayInParts {
  readonly client: Pick<TelegramClient, 'call'>;
  readonly book: QuestionBook;
  readonly target: Target;
  /** Numeric ids of the users who are heard. */
  readonly allow: ReadonlySet<number>;
  readonly desk: PersonDesk;
  readonly log: Logger;
  /** What `getMe` gave at the start; null where it gave nothing, and then it is asked again until it does. */
  readonly me: UserFromGetMe | null;
  /** Of this token alone, on the disk of the questions folder; made where it is missing. */
  readonly folder: string;
  readonly texts?: PersonTexts;
  /** For tests: other clocks, shorter waits, a disk that fails. */
  readonly now?: () => number;
  readonly backoffFirstMs?: number;
  readonly pollSlackMs?: number;
  readonly stateFile?: StateFile;
  readonly writer?: AnswerWriter;
}

export interface WayIn {
  /** Begins to listen; what a kill left undone is done first. */
  start(): void;
  /** Settles when everything said while we were down was handled, or when it ends before. Never rejects. */
  readonly caughtUp: Promise<void>;
  /** Lets what is under way finish for `drainMs`, then ends it. Never rejects; what is not done is done by the next start. */
  close(drainMs: number): Promise<void>;
  /** The first of its troubles: no updates, no disk. */
  trouble(): Trouble | null;
  /** Milliseconds since the last poll that was answered; null before the first. */
  sincePollMs(): number | null;
}

const ownerOnly = 0o700;

export const createWayIn = (parts: WayInParts): WayIn => {
  const { client, book, target, desk, log, texts = english, now = Date.now } = parts;
  const { backoffFirstMs = wayInLimits.backoffFirstMs, pollSlackMs = wayInLimits.pollSlackMs } = parts;
  const preparedDir = join(parts.folder, 'prepared');
  const refusedDir = join(parts.folder, 'refused');
  const listening = new AbortController();
  const working = new AbortController();
  const waits = { log, now, backoffFirstMs };
  const turns = createTurns();
  const file = parts.stateFile ?? openStateFile(join(parts.folder, 'updates.json'), preparedDir);
  const keeper = createStateKeeper({ file, signal: working.signal, ...waits });
  const writer = parts.writer ?? createAnswerWriter({ questionsDir: desk.questionsDir, preparedDir });
  const view: DeskView = {
    open: () => desk.open(),
    standing: (qid) => desk.standing(qid),
    optionOf: (token) => book.optionOf(token),
    qidOf: (chat, message) => book.qidOf(chat, message),
    topic: target.topic,
    texts,
  };
  const work = createOwedWork({ keeper, writer, desk, texts, ...waits });
  let me = parts.me;
  let nameless: Trouble | null = null;
  /** Since when what was said may lie on the server unknown, by the clock that nobody sets; null where all is known. */
  let blindSince: number | null = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let catchUp = (): void => undefined;
  const caughtUp = new Promise<void>((resolve) => {
    catchUp = resolve;
  });

  const replies = createReplies({
    client,
    book,
    next: () => keeper.state().texts[0] ?? null,
    done: (text) => {
      keeper.change((state) => ({ ...state, texts: state.texts.filter((other) => other !== text) }));
      workIn(wayInLimits.saveMs);
    },
    signal: working.signal,
    ...waits,
  });

  const handler = createUpdateHandler({
    keeper,
    book,
    view,
    listening: { chat: target.chat, users: parts.allow, currentChat: (chat) => book.currentChat(chat) },
    refusedDir,
    preparedDir,
    toast: (callback, text) => void replies.toast(callback, text),
    signal: working.signal,
    log,
    now,
  });

  const perform = async (): Promise<void> => {
    const blindMs =
      blindSince === null ? 0 : Math.max(0, blindSince + wayInLimits.joinBlindMs - performance.now());
    const againMs = await work.perform(blindMs);
    replies.kick();
    if (againMs !== null) workIn(againMs);
  };

  let dueAt = Number.POSITIVE_INFINITY;
  /** Another look in `ms` milliseconds at the latest. */
  const workIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (at >= dueAt || working.signal.aborted) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY;
      turns
        .take('work', async () => {
          await perform();
          await keeper.save();
        })
        .catch((error: unknown) => {
          if (error instanceof Stopped) return;
          log.error({ err: error }, 'owed work failed; it is tried again');
          workIn(backoffFirstMs);
        });
    }, ms);
  };

  const onUpdates = async (updates: readonly Update[]): Promise<void> => {
    if (me === null) return;
    if (updates.length > 0) blindSince ??= performance.now();
    for (const [index, update] of updates.entries()) {
      if (listening.signal.aborted) return;
      const bot = me;
      await turns.take('work', async () => {
        await handler.handle(update, bot);
        if (!editsToCome(updates, index + 1)) await perform();
      });
    }
    if (updates.length >= wayInLimits.updatesPerPoll) return;
    if (blindSince !== null) {
      blindSince = null;
      await turns.take('work', perform);
    }
    catchUp();
  };

  /**
   * The id after the last that was fetched here, and when. None is named before: a server that counts otherwise than the
   * one before it would forget what is below.
   */
  let fetched: { readonly next: number; readonly at: number } | null = null;
  const offset = async (): Promise<number | null> => {
    // All that came before is on the disk: the poll tells the server so.
    await turns.take('work', () => keeper.save());
    return fetched !== null && now() - fetched.at <= wayInLimits.idsCountMs ? fetched.next : null;
  };

  const loop = createUpdateLoop({
    client,
    offset,
    onUpdates: async (updates) => {
      await onUpdates(updates);
      const last = updates.at(-1);
      if (last !== undefined) fetched = { next: last.update_id + 1, at: now() };
    },
    onTrouble: () => {
      blindSince ??= performance.now();
    },
    signal: listening.signal,
    slackMs: pollSlackMs,
    ...waits,
  });

  const learnName = async (): Promise<void> => {
    const backoff = createBackoff(backoffFirstMs);
    while (me === null && !listening.signal.aborted) {
      const outcome = await client.call((api, within) => api.getMe(within), {
        signal: listening.signal,
        timeoutMs: wayInLimits.requestMs,
      });
      if (outcome.code === 'ok') me = outcome.value;
      else if (outcome.code !== 'aborted') {
        nameless = { reason: pollTroubleText(outcome), since: nameless?.since ?? now() };
        await pause(backoff.nextMs(), listening.signal);
      }
    }
    nameless = null;
  };

  const run = async (): Promise<void> => {
    await keeper.surely('making the folder for Telegram', async () => {
      for (const folder of [preparedDir, refusedDir]) mkdirSync(folder, { recursive: true, mode: ownerOnly });
      await writer.sweep();
    });
    await turns.take('work', async () => {
      await keeper.load();
      work.resume();
      await perform();
    });
    await learnName();
    await loop.run();
  };

  const idle = async (): Promise<void> => {
    await running;
    await turns.idle();
    await replies.idle();
  };

  return {
    start: () => {
      running = run().catch((error: unknown) => {
        if (!(error instanceof Stopped)) log.error({ err: error }, 'the way in of Telegram has ended');
      });
    },
    caughtUp,
    close: async (drainMs) => {
      listening.abort();
      catchUp();
      const drained = new AbortController();
      await Promise.race([idle(), pause(drainMs, drained.signal)]);
      drained.abort();
      working.abort();
      clearTimeout(timer);
      // What the bridge itself cannot finish ends with the bridge, which waits for us.
      const ended = new AbortController();
      await Promise.race([idle(), pause(wayInLimits.endMs, ended.signal)]);
      ended.abort();
      await keeper.saveOnce();
    },
    trouble: () => firstTrouble([nameless, loop.trouble(), keeper.trouble()]),
    sincePollMs: () => loop.sincePollMs(),
  };
};
