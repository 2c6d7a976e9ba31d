/**
 * Messages to the one chat of this bridge: sent where the group now is, within bounds, and with what came of it known to
 * `trouble`.
 */
import type { Trouble } from '../../status.ts';
import type { CallBounds, CallJournal, TelegramClient } from './api-client.ts';
import type { Keyboard } from './keyboard.ts';
import type { CallOutcome, QuestionBook, Target } from './ports.ts';
import { telegramLimits } from './telegram-limits.ts';

export interface Letter {
  readonly text: string;
  readonly keyboard: Keyboard | null;
  /** A message of ours that it replies to, if that is still there. */
  readonly replyTo: Spot | null;
}

/** Where a message lies. */
export interface Spot {
  readonly chat: number;
  readonly messageId: number;
}

export type Failure = Exclude<CallOutcome<never>, { code: 'ok' | 'aborted' }>;

export interface Outgoing {
  send(letter: Letter, waits?: Waits): Promise<CallOutcome<Spot>>;
  /** Changes a text and takes its buttons away. What can never be changed any more counts as changed. */
  rewrite(spot: Spot, text: string): Promise<CallOutcome<void>>;
  /** Since when sending fails, in the words of Telegram or the network. */
  trouble(): Trouble | null;
}

export interface Waits {
  readonly floodMs: number;
  readonly reachMs: number;
  readonly journal?: CallJournal;
}

interface OutgoingParts {
  readonly client: Pick<TelegramClient, 'call'>;
  readonly book: QuestionBook;
  readonly target: Target;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  readonly requestMs: number;
  readonly now: () => number;
}

/** A group moves once; more in one sending is a circle. */
const movesMax = 2;

/** Nothing is left to be done to such a message. */
const settledEdit = /not modified|message to edit not found|can't be edited|MESSAGE_ID_INVALID/;

/** What a person can do about the refusals that are met most. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/chat not found/, 'write to the bot first or add it to the group, and check the chat id after --to'],
  [/blocked by the user|user is deactivated/, 'the person has to start the bot again'],
  [/bot was kicked|not a member/, 'add the bot to the group again'],
  [/thread not found|TOPIC_/, 'check the topic id after --to'],
  [/not enough rights|have no rights|CHAT_WRITE_FORBIDDEN/, 'allow the bot to write in that chat'],
  [/Unauthorized/, 'the token was revoked: get the new one from @BotFather'],
];

/** For the asker, the log and the status: Telegram's words, and what to do where that is known. */
export const failureText = (failure: Failure): string => {
  const { message } = failure;
  if (failure.code !== 'refused') return `telegram send failed: ${message}`;
  const [, hint] = advice.find(([pattern]) => pattern.test(message)) ?? [];
  return `telegram send failed (${failure.status}): ${message}${hint === undefined ? '' : ` — ${hint}`}`;
};

export const createOutgoing = (parts: OutgoingParts): Outgoing => {
  const { client, book, target, signal, requestMs, now } = parts;
  let trouble: Trouble | null = null;

  const judged = <Value>(outcome: CallOutcome<Value>): CallOutcome<Value> => {
    if (outcome.code === 'ok') trouble = null;
    else if (outcome.code !== 'aborted')
      trouble = { reason: failureText(outcome), since: trouble?.since ?? now() };
    return outcome;
  };

  const sendTo = (chat: number, letter: Letter, bounds: CallBounds): Promise<CallOutcome<Spot>> => {
    const { text, keyboard, replyTo } = letter;
    return client.call(async (api, within) => {
      const sent = await api.sendMessage(
        chat,
        text,
        {
          link_preview_options: { is_disabled: true },
          ...(target.topic === null ? {} : { message_thread_id: target.topic }),
          ...(keyboard === null ? {} : { reply_markup: keyboard }),
          ...(replyTo?.chat === chat
            ? { reply_parameters: { message_id: replyTo.messageId, allow_sending_without_reply: true } }
            : {}),
        },
        within,
      );
      return { chat: sent.chat.id, messageId: sent.message_id };
    }, bounds);
  };

  return {
    send: async (letter, waits) => {
      const bounds = { signal, timeoutMs: requestMs, ...waits };
      let chat = book.currentChat(target.chat);
      for (let moves = 0; ; moves += 1) {
        const outcome = await sendTo(chat, letter, bounds);
        const movedTo = outcome.code === 'refused' ? outcome.movedTo : null;
        if (movedTo === null || moves >= movesMax) return judged(outcome);
        // Where it cannot be stored it is known until a restart, and then told again.
        await book.moved(chat, movedTo).catch(() => undefined);
        chat = movedTo;
      }
    },
    rewrite: async ({ chat, messageId }, text) => {
      const outcome = await client.call<void>(
        async (api, within) => {
          await api.editMessageText(
            chat,
            messageId,
            text,
            { link_preview_options: { is_disabled: true } },
            within,
          );
        },
        { signal, timeoutMs: requestMs, floodMs: telegramLimits.briefFloodMs },
      );
      const settled =
        outcome.code === 'refused' && (outcome.movedTo !== null || settledEdit.test(outcome.message));
      return judged(settled ? { code: 'ok', value: undefined } : outcome);
    },
    trouble: () => trouble,
  };
};
