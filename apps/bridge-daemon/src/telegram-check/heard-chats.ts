/** Chats and people that wrote to the bot lately, from the updates that wait: how a newcomer finds the ids. Pure. */
import type { Message, Update, User } from 'grammy/types';
import { kindOf, titleOf } from './judge-chat.ts';
import { personName, visible } from './finding.ts';

export interface HeardUser {
  readonly id: number;
  readonly name: string;
}

export interface HeardChat {
  /** As `--to` takes it. */
  readonly to: string;
  readonly title: string;
  readonly users: readonly HeardUser[];
  /** ISO time of the last word, or of the bot's coming there. */
  readonly at: string;
}

interface Heard {
  readonly to: string;
  readonly title: string;
  readonly seconds: number;
  readonly user: User | null;
}

const fromMessage = (message: Message, from: User | null): Heard | null => {
  const { chat } = message;
  // In a channel nobody can answer.
  if (chat.type === 'channel' || message.migrate_to_chat_id !== undefined) return null;
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  const opened = message.reply_to_message?.forum_topic_created ?? message.forum_topic_created;
  const topic = opened === undefined ? `topic ${thread ?? ''}` : `topic “${visible(opened.name)}”`;
  const title = `${titleOf(chat)}, ${kindOf(chat)}`;
  return {
    to: thread === undefined ? `telegram:${chat.id}` : `telegram:${chat.id}:${thread}`,
    title: thread === undefined ? title : `${titleOf(chat)}, ${topic}`,
    seconds: message.date,
    user: from === null || from.is_bot ? null : from,
  };
};

const heardIn = (update: Update): Heard | null => {
  const message = update.message ?? update.edited_message;
  if (message !== undefined)
    return fromMessage(message, message.sender_chat === undefined ? message.from : null);
  const { callback_query: press, my_chat_member: change } = update;
  // A message that is too old to be seen has the date 0, and is no message.
  if (press?.message !== undefined && press.message.date !== 0) return fromMessage(press.message, press.from);
  if (change === undefined || change.chat.type === 'channel') return null;
  const { status } = change.new_chat_member;
  if (status === 'left' || status === 'kicked') return null;
  return {
    to: `telegram:${change.chat.id}`,
    title: `${titleOf(change.chat)}, ${kindOf(change.chat)}`,
    seconds: change.date,
    user: change.from.is_bot ? null : change.from,
  };
};

/** The chat heard last comes first. */
export const heardChats = (updates: readonly Update[]): readonly HeardChat[] => {
  const chats = new Map<string, { title: string; seconds: number; users: Map<number, HeardUser> }>();
  for (const update of updates) {
    const heard = heardIn(update);
    if (heard === null) continue;
    const chat = chats.get(heard.to) ?? { title: '', seconds: 0, users: new Map<number, HeardUser>() };
    chat.title = heard.title;
    chat.seconds = Math.max(chat.seconds, heard.seconds);
    if (heard.user !== null)
      chat.users.set(heard.user.id, { id: heard.user.id, name: personName(heard.user) });
    chats.set(heard.to, chat);
  }
  return [...chats]
    .toSorted(([, one], [, other]) => other.seconds - one.seconds)
    .map(([to, { title, seconds, users }]) => ({
      to,
      title,
      users: [...users.values()],
      at: new Date(seconds * 1_000).toISOString(),
    }));
};
