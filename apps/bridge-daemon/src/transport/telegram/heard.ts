/**
 * What an update says, and whether we listen (05 The daemon): a pure reading of grammY's context. What is done about it
 * is decided elsewhere.
 *
 * H1 Only a person on the list, in the chat on the list, is heard: no bot, no channel, no anonymous administrator.
 * H2 A thread id counts only on a message of a topic, and the general topic has none.
 */
import { parseQid, type Qid } from '@x/bridge';
import type { Context } from 'grammy';
import type { Message, User } from 'grammy/types';
import { messageFault } from './update-shape.ts';

export interface Spot {
  readonly chat: number;
  readonly topic: number | null;
  readonly message: number;
}

export interface Speaker {
  readonly user: number;
  /** What stands under `answered_by`. */
  readonly by: string;
}

interface FromPerson {
  readonly spot: Spot;
  readonly speaker: Speaker;
}

/** The message that was replied to; `qid` where it is ours and carries `[HUB-Q:<qid>]`. */
export interface RepliedTo {
  readonly message: number;
  readonly qid: Qid | null;
}

export interface Said extends FromPerson {
  readonly kind: 'said';
  readonly text: string;
  /** Milliseconds since 1970 when it was written, or edited. */
  readonly at: number;
  readonly edit: boolean;
  readonly reply: RepliedTo | null;
}

export const commandNames = ['pending', 'cancel', 'help', 'start'] as const;
export type CommandName = (typeof commandNames)[number];

export interface Command extends FromPerson {
  readonly kind: 'command';
  readonly name: CommandName;
  readonly rest: string;
  readonly reply: RepliedTo | null;
}

/** A photo, a voice message, a sticker: nothing that could be an answer. */
export interface Wordless extends FromPerson {
  readonly kind: 'wordless';
  /** Several pictures sent as one. */
  readonly album: string | null;
  readonly reply: RepliedTo | null;
}

export interface Pressed extends FromPerson {
  readonly kind: 'pressed';
  readonly callback: string;
  readonly token: string;
}

export interface Moved {
  readonly kind: 'moved';
  readonly from: number;
  readonly to: number;
}

/** Our own standing in a chat changed. */
export interface Membership {
  readonly kind: 'membership';
  readonly chat: number;
  readonly status: string;
}

export interface Ignored {
  readonly kind: 'ignored';
  /** `nothing`: nothing that a person said, such as "joined the group", or a command for another bot. */
  readonly why: 'chat' | 'user' | 'no_person' | 'nothing';
  readonly chat: number | null;
  readonly user: number | null;
}

export type Heard = Said | Command | Wordless | Pressed | Moved | Membership | Ignored;

export interface Listening {
  /** The chat of `--to`, as it was given. */
  readonly chat: number;
  readonly users: ReadonlySet<number>;
  /** The chat that a group became. */
  readonly currentChat: (chat: number) => number;
}

const contentQueries = [
  ':file',
  ':caption',
  ':contact',
  ':location',
  ':poll',
  ':dice',
  ':story',
  ':game',
  ':paid_media',
  ':checklist',
  ':rich_message',
] as const;

const marker = /\[HUB-Q:([0-9A-HJKMNP-TV-Z]{26})\]/;

const topicOf = ({ is_topic_message, message_thread_id: thread }: Message): number | null =>
  is_topic_message === true && thread !== undefined && thread !== 1 ? thread : null;

const speakerOf = ({ id, username }: User): Speaker => ({ user: id, by: `telegram:${username ?? id}` });

const replyOf = (message: Message, me: number): RepliedTo | null => {
  const { reply_to_message: replied } = message;
  if (replied === undefined) return null;
  const [first = ''] = (replied.from?.id === me ? (replied.text ?? '') : '').split('\n', 1);
  return { message: replied.message_id, qid: parseQid(marker.exec(first)?.[1] ?? '') };
};

/** The command that a text begins with, in an edit too; `foreign` is one for another bot. */
const commandOf = (
  text: string,
  { username }: Pick<User, 'username'>,
): Pick<Command, 'name' | 'rest'> | 'foreign' | null => {
  const [whole = '', word = '', bot] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text) ?? [];
  if (bot !== undefined && bot.toLowerCase() !== username?.toLowerCase()) return 'foreign';
  const name = commandNames.find((known) => known === word.toLowerCase());
  return name === undefined ? null : { name, rest: text.slice(whole.length).trim() };
};

/** Why a message of this chat and user is not heard, or null where it is. */
const notHeard = (
  message: Pick<Message, 'chat' | 'sender_chat'>,
  from: User | undefined,
  listening: Listening,
): Ignored | null => {
  const chat = message.chat.id;
  const user = from?.id ?? null;
  const ignored = (why: Ignored['why']): Ignored => ({ kind: 'ignored', why, chat, user });
  const { currentChat } = listening;
  if (currentChat(chat) !== currentChat(listening.chat)) return ignored('chat');
  if (from === undefined || from.is_bot || message.sender_chat !== undefined) return ignored('no_person');
  return listening.users.has(from.id) ? null : ignored('user');
};

const hearMessage = (ctx: Context, message: Message, edit: boolean): Heard => {
  const { from, chat, message_id } = message;
  const nothing: Ignored = { kind: 'ignored', why: 'nothing', chat: chat.id, user: from?.id ?? null };
  if (from === undefined) return nothing;
  const person = {
    spot: { chat: chat.id, topic: topicOf(message), message: message_id },
    speaker: speakerOf(from),
  };
  const reply = replyOf(message, ctx.me.id);
  const { text } = message;
  if (text === undefined) {
    // The edit of a caption was answered when the picture came.
    if (edit || !ctx.has([...contentQueries])) return nothing;
    return { kind: 'wordless', ...person, album: message.media_group_id ?? null, reply };
  }
  const command = commandOf(text, ctx.me);
  if (command === 'foreign') return nothing;
  if (command !== null) return { kind: 'command', ...person, ...command, reply };
  const at = (edit ? (message.edit_date ?? message.date) : message.date) * 1_000;
  return { kind: 'said', ...person, text, at, edit, reply };
};

const hearPress = (ctx: Context, listening: Listening): Heard | null => {
  if (!ctx.has('callback_query')) return null;
  const { id, from, message, data } = ctx.callbackQuery;
  if (message === undefined || data === undefined)
    return { kind: 'ignored', why: 'nothing', chat: message?.chat.id ?? null, user: from.id };
  // Whoever sent the message: here it is the presser who speaks.
  const ignored = notHeard({ chat: message.chat }, from, listening);
  if (ignored !== null) return ignored;
  // Of a message that is too old only chat and id are told.
  const topic = message.date === 0 ? null : topicOf(message);
  return {
    kind: 'pressed',
    spot: { chat: message.chat.id, topic, message: message.message_id },
    speaker: speakerOf(from),
    callback: id,
    token: data,
  };
};

const hearMove = (ctx: Context, listening: Listening): Heard | null => {
  const { currentChat, chat } = listening;
  const ours = (from: number): boolean => currentChat(from) === currentChat(chat);
  if (ctx.has('message:migrate_to_chat_id')) {
    const move = { from: ctx.chat.id, to: ctx.message.migrate_to_chat_id };
    return ours(move.from) ? { kind: 'moved', ...move } : null;
  }
  if (ctx.has('message:migrate_from_chat_id')) {
    const move = { from: ctx.message.migrate_from_chat_id, to: ctx.chat.id };
    return ours(move.from) ? { kind: 'moved', ...move } : null;
  }
  return null;
};

/** Takes grammY's context of any update; gives what was said. Throws where a message has not the shape of one. */
export const hear = (ctx: Context, listening: Listening): Heard => {
  const { message: said, edited_message: edited, callback_query: press } = ctx.update;
  for (const given of [said, edited, press?.message]) {
    const fault = given === undefined ? null : messageFault(given);
    if (fault !== null) throw new Error(fault);
  }
  if (ctx.has('my_chat_member')) {
    const { chat, new_chat_member } = ctx.myChatMember;
    return { kind: 'membership', chat: chat.id, status: new_chat_member.status };
  }
  const special = hearMove(ctx, listening) ?? hearPress(ctx, listening);
  if (special !== null) return special;
  const message = ctx.message ?? ctx.editedMessage;
  if (message === undefined)
    return { kind: 'ignored', why: 'nothing', chat: ctx.chat?.id ?? null, user: ctx.from?.id ?? null };
  return (
    notHeard(message, message.from, listening) ?? hearMessage(ctx, message, ctx.editedMessage !== undefined)
  );
};
