/**
 * Shows people the texts that the state owes them: one after the other, each at least once, struck off when the server
 * has it or refuses it. What is said at once and need not survive (words after a press) goes past the queue.
 */
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Logger } from '../../log/operational-log.ts';
import type { TelegramClient } from './api-client.ts';
import { createBackoff } from './backoff.ts';
import { pause } from './pause.ts';
import type { CallOutcome, QuestionBook } from './ports.ts';
import type { OwedText } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

export interface Replies {
  /** Starts on what is owed, unless that is under way. */
  kick(): void;
  /** Words after a press. Never rejects; nothing comes of a failure. */
  toast(callback: string, text: string): Promise<void>;
  /** Settles when no text is under way; a new one is not begun once the signal is aborted. */
  idle(): Promise<void>;
}

interface RepliesParts {
  readonly client: Pick<TelegramClient, 'call'>;
  readonly book: Pick<QuestionBook, 'currentChat' | 'moved'>;
  /** The text that is owed longest, or null. */
  readonly next: () => OwedText | null;
  readonly done: (text: OwedText) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly backoffFirstMs: number;
}

const toastUnits = 200;

const markupOf = (text: Extract<OwedText, { do: 'reply' }>): InlineKeyboardMarkup | null =>
  text.buttons.length === 0
    ? null
    : {
        inline_keyboard: text.buttons.map((button) => [{ text: button.text, callback_data: button.token }]),
      };

/** What comes of one attempt. */
type Attempt = 'done' | 'later' | 'stop';

export const createReplies = (parts: RepliesParts): Replies => {
  const { client, book, next, done, log, signal, now } = parts;
  const bounds = { signal, timeoutMs: wayInLimits.requestMs, floodMs: wayInLimits.floodMs };
  let running: Promise<void> | null = null;

  const send = (owed: OwedText): Promise<CallOutcome<unknown>> => {
    const chat = book.currentChat(owed.chat);
    const plain = { link_preview_options: { is_disabled: true } };
    if (owed.do === 'edit')
      return client.call(
        (api, within) => api.editMessageText(chat, owed.message, owed.text, plain, within),
        bounds,
      );
    const markup = markupOf(owed);
    const other = {
      ...plain,
      ...(owed.topic === null ? {} : { message_thread_id: owed.topic }),
      // In the chat that a group became the message has another id.
      ...(chat === owed.chat
        ? { reply_parameters: { message_id: owed.message, allow_sending_without_reply: true } }
        : {}),
      ...(markup === null ? {} : { reply_markup: markup }),
    };
    return client.call((api, within) => api.sendMessage(chat, owed.text, other, within), bounds);
  };

  const judge = async (owed: OwedText, outcome: CallOutcome<unknown>, unknowns: number): Promise<Attempt> => {
    if (outcome.code === 'ok') return 'done';
    if (outcome.code === 'aborted') return 'stop';
    const { message } = outcome;
    if (outcome.code === 'refused') {
      if (outcome.movedTo !== null) {
        await book.moved(book.currentChat(owed.chat), outcome.movedTo);
        return 'later';
      }
      if (outcome.status === 429) return 'later';
      log.warn({ chat: owed.chat, status: outcome.status, message }, 'Telegram refused a reply');
      return 'done';
    }
    if (outcome.code === 'unreachable') return 'later';
    if (unknowns < wayInLimits.textAttempts) return 'later';
    log.warn({ chat: owed.chat, message }, 'a reply of unknown fate was given up');
    return 'done';
  };

  const show = async (owed: OwedText): Promise<'done' | 'stop'> => {
    const backoff = createBackoff(parts.backoffFirstMs);
    let unknowns = 0;
    while (!signal.aborted) {
      if (now() - owed.since > wayInLimits.textMs) {
        log.warn({ chat: owed.chat }, 'a reply is too old to be of use and was not sent');
        return 'done';
      }
      const outcome = await send(owed);
      if (outcome.code === 'unknown') unknowns += 1;
      const attempt = await judge(owed, outcome, unknowns).catch((error: unknown): Attempt => {
        log.error({ err: error }, 'the new chat of a group could not be stored');
        return 'later';
      });
      if (attempt !== 'later') return attempt;
      await pause(backoff.nextMs(), signal);
    }
    return 'stop';
  };

  const run = async (): Promise<void> => {
    for (let owed = next(); owed !== null && !signal.aborted; owed = next()) {
      if ((await show(owed)) === 'stop') return;
      done(owed);
    }
  };

  const kick = (): void => {
    if (running !== null || signal.aborted || next() === null) return;
    running = run().then(
      () => {
        running = null;
        // One that came after the last look.
        kick();
      },
      (error: unknown) => {
        running = null;
        log.error({ err: error }, 'a reply failed; it is tried again with the next one');
      },
    );
  };

  return {
    kick,
    toast: async (callback, text) => {
      const other = { text: text.slice(0, toastUnits) };
      const outcome = await client.call(
        (api, within) => api.answerCallbackQuery(callback, other, within),
        bounds,
      );
      if (outcome.code !== 'ok' && outcome.code !== 'aborted')
        log.debug({ message: outcome.message }, 'a press was not confirmed');
    },
    idle: async () => {
      await running;
    },
  };
};
