/**
 * What all bots of one test server share: chats with their topics and members, and the messages in them. A private chat
 * is the exception: each bot has its own with the same person, under the same chat id.
 *
 * Boundary: holds and finds; what people and bots do stands in world.ts and in the methods.
 *  P1  Message ids count per chat, so they coincide between chats, as they do for a real bot.
 */
import type { Chat, Member, Message, User } from './objects.ts';
import { createUpdateQueue, type UpdateQueue } from './update-queue.ts';

/** One bot of the server. */
export interface BotAccount {
  readonly user: User;
  readonly token: string;
  readonly queue: UpdateQueue;
  /** Privacy mode turned off at BotFather's. An administrator sees all of a group in any case. */
  readsAll: boolean;
  /** From now on the token is unknown. */
  revoked: boolean;
  webhook: string;
  /** Callback queries that may still be answered, by id, with what the person was shown. */
  readonly callbacks: Map<string, string | null>;
}

export interface Place {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly bots: BotAccount[];
  addBot(user: User, token: string): BotAccount;
  addChat(chat: Chat): void;
  chat(id: number): Chat | undefined;
  readonly chats: ReadonlyMap<number, Chat>;
  /** The chat that a group became; undefined where it did not move. */
  movedTo(id: number): number | undefined;
  move(from: number, next: Chat): void;
  /** Makes a topic; its id is that of the service message that opens it. */
  addTopic(bot: BotAccount, chat: Chat, topic: { readonly id?: number; readonly name: string }): number;
  topicState(chat: number, id: number): 'open' | 'closed' | 'none';
  closeTopic(chat: number, id: number): void;
  member(chat: Chat, user: User): Member;
  knownUser(id: number): User | undefined;
  setMember(chat: Chat, member: Member): void;
  messages(bot: BotAccount, chat: Chat): Map<number, Message>;
  post(bot: BotAccount, message: Omit<Message, 'message_id' | 'date'>, id?: number): Message;
}

/** A reply shows the message replied to, but not what that one replied to. */
export const shownAsReply = (message: Message): Message => {
  const { reply_to_message: _, ...shown } = message;
  return shown;
};

export function createPlace(now: () => number): Place {
  const chats = new Map<number, Chat>();
  const moves = new Map<number, number>();
  const topics = new Map<string, 'open' | 'closed'>();
  const members = new Map<string, Member>();
  const users = new Map<number, User>();
  const messages = new Map<string, Map<number, Message>>();
  const counters = new Map<string, number>();
  const bots: BotAccount[] = [];

  const keyOf = (bot: BotAccount, chat: Chat): string =>
    chat.type === 'private' ? `${bot.user.id} ${chat.id}` : String(chat.id);
  const messagesOf = (key: string): Map<number, Message> => {
    const own = messages.get(key) ?? new Map<number, Message>();
    messages.set(key, own);
    return own;
  };
  const post: Place['post'] = (bot, message, wanted) => {
    const key = keyOf(bot, message.chat);
    const own = messagesOf(key);
    let id = wanted ?? (counters.get(key) ?? 0) + 1;
    // An id that was wished for is not counted, and is stepped over.
    while (own.has(id)) id += 1;
    if (wanted === undefined) counters.set(key, id);
    const posted: Message = { message_id: id, date: Math.floor(now() / 1_000), ...message };
    own.set(id, posted);
    if (message.from !== undefined) users.set(message.from.id, message.from);
    return posted;
  };

  return {
    now,
    bots,
    addBot: (user, token) => {
      const bot: BotAccount = {
        user,
        token,
        queue: createUpdateQueue(),
        readsAll: false,
        revoked: false,
        webhook: '',
        callbacks: new Map(),
      };
      bots.push(bot);
      return bot;
    },
    addChat: (chat) => void chats.set(chat.id, chat),
    chat: (id) => chats.get(id),
    chats,
    movedTo: (id) => moves.get(id),
    move: (from, next) => {
      chats.delete(from);
      chats.set(next.id, next);
      moves.set(from, next.id);
      for (const member of [...members].filter(([key]) => key.startsWith(`${from} `)))
        members.set(`${next.id} ${member[1].user.id}`, member[1]);
    },
    addTopic: (bot, chat, { id: wanted, name }) => {
      const opener = { chat, from: bot.user, forum_topic_created: { name } };
      const { message_id: id } = post(bot, opener, wanted);
      messagesOf(keyOf(bot, chat)).set(id, {
        ...opener,
        message_id: id,
        date: Math.floor(now() / 1_000),
        message_thread_id: id,
        is_topic_message: true,
      });
      topics.set(`${chat.id} ${id}`, 'open');
      return id;
    },
    topicState: (chat, id) => topics.get(`${chat} ${id}`) ?? 'none',
    closeTopic: (chat, id) => void topics.set(`${chat} ${id}`, 'closed'),
    member: (chat, user) =>
      members.get(`${chat.id} ${user.id}`) ?? { user, status: defaultStatus(chat, user, bots) },
    knownUser: (id) => users.get(id) ?? bots.find(({ user }) => user.id === id)?.user,
    setMember: (chat, member) => {
      users.set(member.user.id, member.user);
      members.set(`${chat.id} ${member.user.id}`, member);
    },
    messages: (bot, chat) => messagesOf(keyOf(bot, chat)),
    post,
  };
}

/** A bot of the server is in every chat, and an administrator of groups, until a test says otherwise. */
const defaultStatus = (chat: Chat, user: User, bots: readonly BotAccount[]): Member['status'] => {
  if (chat.type === 'private') return 'member';
  return bots.some((bot) => bot.user.id === user.id) ? 'administrator' : 'left';
};
