/**
 * The world behind the test server as one of its bots has it: what people do in its chats, and what that becomes for the
 * bots that may see it.
 */
import {
  anonymousAdmin,
  type Chat,
  type MemberStatus,
  type Message,
  type Update,
  type UpdateContent,
  type User,
} from './objects.ts';
import type { BotAccount, Place } from './place.ts';
import { mayRead } from './privacy.ts';
import { messageFrom, piecesOf, type Said } from './said.ts';

export type { Chat, Message, Update, User } from './objects.ts';

export interface Press {
  readonly chat: number;
  readonly message: number;
  /** The button with this text; one that is not there is an error of the test. */
  readonly button?: string;
  /** What the button carried, for one that an edit has taken away in the meantime. */
  readonly data?: string;
  readonly from: User;
  /** The message is too old for its content to come along. */
  readonly inaccessible?: boolean;
}

export interface World {
  readonly bot: User;
  /** What this bot has not confirmed. */
  readonly updates: Update[];
  addChat(chat: Chat): void;
  chat(id: number): Chat | undefined;
  chats(): readonly Chat[];
  /** A topic of a forum; gives its id. */
  addTopic(chat: number, topic?: { readonly id?: number; readonly name?: string }): number;
  closeTopic(chat: number, topic: number): void;
  message(chat: number, id: number): Message | undefined;
  /** Every message of a chat, deleted ones left out. */
  messages(chat: number): readonly Message[];
  post(message: Omit<Message, 'message_id' | 'date'>): Message;
  say(said: Said): Message;
  /** A text of any length, cut into messages as a person's program does; only the first is a reply. */
  sayLong(said: Said & { readonly text: string }): readonly Message[];
  /** A person edits what they said. */
  edit(chat: number, id: number, text: string): void;
  /** A person deletes a message; bots are not told. */
  remove(chat: number, id: number): void;
  /** A person presses a button. */
  press(press: Press): void;
  /** What the last presses were answered with, oldest first; null: answered without a word. */
  toasts(): readonly (string | null)[];
  /** A group becomes a supergroup under another id. */
  migrate(from: number, to: number): void;
  /** Somebody puts this bot into a chat, or out of it; `kicked` in a private chat is a block. */
  membership(change: {
    readonly chat: number;
    readonly from: User;
    readonly status: MemberStatus;
    readonly can_send_messages?: boolean;
  }): void;
  /** A person's standing in a chat; nobody is told. */
  setMember(chat: number, user: User, status: MemberStatus, more?: { readonly is_anonymous?: boolean }): void;
  /** Whether this bot sees all of a group; off: its privacy mode holds, as for a new bot. */
  setReadsAll(readsAll: boolean): void;
  setWebhook(url: string): void;
  /** BotFather is told to revoke the token. */
  revokeToken(): void;
  /** Updates up to, not including, this id are confirmed and forgotten. */
  confirm(offset: number): void;
  /** Hands updates out again that were confirmed already, as a server after a failover does. */
  redeliver(count: number): void;
  /** The next update gets this id, as after a week without any. */
  renumber(next: number): void;
  onUpdate(listener: () => void): () => void;
}

export function createWorld(place: Place, bot: BotAccount): World {
  const chatOf = (id: number): Chat => {
    const chat = place.chat(id);
    if (chat === undefined) throw new Error(`the test has no chat ${id}`);
    return chat;
  };
  const messageOf = (chat: number, id: number): Message => {
    const message = place.messages(bot, chatOf(chat)).get(id);
    if (message === undefined) throw new Error(`the test has no message ${id} in chat ${chat}`);
    return message;
  };
  const tell = (message: Message, content: UpdateContent): void => {
    for (const each of place.bots) {
      if (message.chat.type === 'private' ? each !== bot : !mayRead(place, each, message)) continue;
      each.queue.push(content);
    }
  };
  const say = (said: Said): Message => {
    const chat = chatOf(said.chat);
    const message = place.post(bot, messageFrom(place, bot, chat, said));
    if (message.from !== undefined && place.member(chat, message.from).status === 'left')
      place.setMember(chat, { user: message.from, status: 'member' });
    tell(message, chat.type === 'channel' ? { channel_post: message } : { message });
    return message;
  };

  return {
    bot: bot.user,
    updates: bot.queue.pending,
    addChat: (chat) => place.addChat(chat),
    chat: (id) => place.chat(id),
    chats: () => [...place.chats.values()],
    addTopic: (chat, { id, name = 'Topic' } = {}) =>
      place.addTopic(bot, chatOf(chat), { name, ...(id === undefined ? {} : { id }) }),
    closeTopic: (chat, topic) => place.closeTopic(chat, topic),
    message: (chat, id) => place.messages(bot, chatOf(chat)).get(id),
    messages: (chat) => {
      const found = place.chat(chat);
      return found === undefined ? [] : [...place.messages(bot, found).values()];
    },
    post: (message) => place.post(bot, message),
    say,
    sayLong: ({ reply_to, text, ...said }) =>
      piecesOf(text).map((piece, index) =>
        say({ ...said, text: piece, ...(index > 0 || reply_to === undefined ? {} : { reply_to }) }),
      ),
    edit: (chat, id, text) => {
      const message = messageOf(chat, id);
      if (message.caption !== undefined) message.caption = text;
      else message.text = text;
      message.edit_date = Math.floor(place.now() / 1_000);
      tell(message, { edited_message: message });
    },
    remove: (chat, id) => void place.messages(bot, chatOf(chat)).delete(id),
    press: (press) => pressButton(place, bot, messageOf(press.chat, press.message), press),
    toasts: () => [...bot.callbacks.values()],
    migrate: (from, to) => {
      const old = chatOf(from);
      const next: Chat = { ...old, id: to, type: 'supergroup' };
      const left = place.post(bot, { chat: old, from: bot.user, migrate_to_chat_id: to });
      tell(left, { message: left });
      place.move(from, next);
      const come = place.post(bot, { chat: next, from: anonymousAdmin, migrate_from_chat_id: from });
      tell(come, { message: come });
    },
    membership: ({ chat: id, from, ...next }) => {
      const chat = chatOf(id);
      const before = place.member(chat, bot.user);
      const after = { user: bot.user, ...next };
      place.setMember(chat, after);
      const date = Math.floor(place.now() / 1_000);
      bot.queue.push({
        my_chat_member: { chat, from, date, old_chat_member: before, new_chat_member: after },
      });
    },
    setMember: (chat, user, status, more) => place.setMember(chatOf(chat), { user, status, ...more }),
    setReadsAll: (readsAll) => {
      bot.readsAll = readsAll;
    },
    setWebhook: (url) => {
      bot.webhook = url;
    },
    revokeToken: () => {
      bot.revoked = true;
    },
    confirm: (offset) => bot.queue.confirm(offset),
    redeliver: (count) => bot.queue.redeliver(count),
    renumber: (next) => bot.queue.renumber(next),
    onUpdate: (listener) => bot.queue.onUpdate(listener),
  };
}

function pressButton(place: Place, bot: BotAccount, message: Message, press: Press): void {
  const { button, from } = press;
  const pressed = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === button);
  const data = press.data ?? pressed?.callback_data;
  if (data === undefined)
    throw new Error(`message ${press.message} in chat ${press.chat} has no button ${button ?? ''}`);
  // A button belongs to the bot that sent it.
  const owner = place.bots.find(({ user }) => user.id === message.from?.id) ?? bot;
  const id = `${owner.user.id}${owner.callbacks.size + 1}`;
  owner.callbacks.set(id, null);
  const { message_id, chat } = message;
  owner.queue.push({
    callback_query: {
      id,
      from,
      message: press.inaccessible === true ? { message_id, chat, date: 0 } : message,
      chat_instance: String(chat.id),
      data,
    },
  });
}
