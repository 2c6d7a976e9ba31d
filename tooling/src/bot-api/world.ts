/**
 * The world behind the test server: chats, people, messages, and the updates that a bot has not confirmed yet. Message ids
 * count per chat, so they coincide between chats, as they do for a real bot.
 */

export interface User {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
}

export interface Chat {
  readonly id: number;
  readonly type: 'private' | 'group' | 'supergroup';
  readonly title?: string;
  readonly is_forum?: true;
}

export interface Button {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
}

export interface Message {
  readonly message_id: number;
  readonly date: number;
  readonly chat: Chat;
  readonly from: User;
  text?: string;
  readonly caption?: string;
  readonly photo?: readonly object[];
  readonly voice?: object;
  readonly message_thread_id?: number;
  readonly is_topic_message?: true;
  readonly reply_to_message?: Message;
  readonly migrate_to_chat_id?: number;
  readonly migrate_from_chat_id?: number;
  edit_date?: number;
  reply_markup?: { readonly inline_keyboard: readonly (readonly Button[])[] };
}

export interface Update {
  readonly update_id: number;
  readonly message?: Message;
  readonly edited_message?: Message;
  readonly callback_query?: {
    readonly id: string;
    readonly from: User;
    readonly message: Message;
    readonly chat_instance: string;
    readonly data: string;
  };
}

/** What somebody says in a chat. */
export interface Said {
  readonly chat: number;
  readonly from: User;
  readonly text?: string;
  readonly caption?: string;
  readonly voice?: boolean;
  readonly reply_to?: number;
  /** A topic of a forum. Without `topic_message` a thread id is only that of a reply, and no topic. */
  readonly thread?: number;
  readonly topic_message?: boolean;
}

export interface World {
  readonly bot: User;
  readonly updates: Update[];
  addChat(chat: Chat): void;
  chat(id: number): Chat | undefined;
  message(chat: number, id: number): Message | undefined;
  /** Every message of a chat, deleted ones left out. */
  messages(chat: number): readonly Message[];
  post(message: Omit<Message, 'message_id' | 'date'>): Message;
  say(said: Said): Message;
  /** A person edits what they said. */
  edit(chat: number, id: number, text: string): void;
  /** A person presses the button with this text. */
  press(press: {
    readonly chat: number;
    readonly message: number;
    readonly button: string;
    readonly from: User;
  }): void;
  /** A group becomes a supergroup under another id. */
  migrate(from: number, to: number): void;
  /** Updates up to, not including, this id are confirmed and forgotten. */
  confirm(offset: number): void;
  /** Hands updates out again that were confirmed already, as a server after a failover does. */
  redeliver(count: number): void;
  onUpdate(listener: () => void): void;
}

export function createWorld(bot: User): World {
  const chats = new Map<number, Chat>();
  const messages = new Map<number, Map<number, Message>>();
  const counters = new Map<number, number>();
  const updates: Update[] = [];
  const confirmed: Update[] = [];
  const listeners: (() => void)[] = [];
  let updateId = 100;
  let callbacks = 0;

  const push = (update: Omit<Update, 'update_id'>): void => {
    updates.push({ update_id: updateId, ...update });
    updateId += 1;
    for (const listener of listeners) listener();
  };
  const chatOf = (id: number): Chat => {
    const chat = chats.get(id);
    if (chat === undefined) throw new Error(`the test has no chat ${id}`);
    return chat;
  };
  const post = (message: Omit<Message, 'message_id' | 'date'>): Message => {
    const id = (counters.get(message.chat.id) ?? 0) + 1;
    counters.set(message.chat.id, id);
    const posted: Message = { message_id: id, date: Math.floor(Date.now() / 1_000), ...message };
    const own = messages.get(message.chat.id) ?? new Map<number, Message>();
    own.set(id, posted);
    messages.set(message.chat.id, own);
    return posted;
  };
  const find = (chat: number, id: number): Message | undefined => messages.get(chat)?.get(id);

  return {
    bot,
    updates,
    addChat: (chat) => void chats.set(chat.id, chat),
    chat: (id) => chats.get(id),
    message: find,
    messages: (chat) => [...(messages.get(chat)?.values() ?? [])],
    post,
    say: (said) => {
      const replied = said.reply_to === undefined ? undefined : find(said.chat, said.reply_to);
      const message = post({
        chat: chatOf(said.chat),
        from: said.from,
        ...(said.text === undefined ? {} : { text: said.text }),
        ...(said.caption === undefined ? {} : { caption: said.caption, photo: [{ file_id: 'photo' }] }),
        ...(said.voice === true ? { voice: { file_id: 'voice', duration: 1 } } : {}),
        ...(said.thread === undefined ? {} : { message_thread_id: said.thread }),
        ...(said.topic_message === true ? { is_topic_message: true as const } : {}),
        ...(replied === undefined ? {} : { reply_to_message: replied }),
      });
      push({ message });
      return message;
    },
    edit: (chat, id, text) => {
      const message = find(chat, id);
      if (message === undefined) throw new Error(`the test has no message ${id} in chat ${chat}`);
      message.text = text;
      message.edit_date = Math.floor(Date.now() / 1_000);
      push({ edited_message: { ...message } });
    },
    press: ({ chat, message: id, button, from }) => {
      const message = find(chat, id);
      const pressed = message?.reply_markup?.inline_keyboard.flat().find(({ text }) => text === button);
      if (message === undefined || pressed?.callback_data === undefined) {
        throw new Error(`message ${id} in chat ${chat} has no button ${button}`);
      }
      callbacks += 1;
      push({
        callback_query: {
          id: `callback${callbacks}`,
          from,
          message,
          chat_instance: String(chat),
          data: pressed.callback_data,
        },
      });
    },
    migrate: (from, to) => {
      const old = chatOf(from);
      const next: Chat = { ...old, id: to, type: 'supergroup' };
      chats.set(to, next);
      push({ message: post({ chat: old, from: bot, migrate_to_chat_id: to }) });
      push({ message: post({ chat: next, from: bot, migrate_from_chat_id: from }) });
      chats.delete(from);
    },
    confirm: (offset) => {
      while (updates[0] !== undefined && updates[0].update_id < offset) {
        const [done] = updates.splice(0, 1);
        if (done !== undefined) confirmed.push(done);
      }
    },
    redeliver: (count) => {
      updates.unshift(...confirmed.splice(Math.max(0, confirmed.length - count)));
      for (const listener of listeners) listener();
    },
    onUpdate: (listener) => void listeners.push(listener),
  };
}
