/** What somebody says, as the message that the real server makes of it: sender, media, topic, thread and reply. */
import { anonymousAdmin, textUnitsMax, type Chat, type Message, type User } from './objects.ts';
import { shownAsReply, type BotAccount, type Place } from './place.ts';

/** What somebody says in a chat. */
export interface Said {
  readonly chat: number;
  readonly from: User;
  readonly text?: string;
  /** Of a photo, where no other medium is named. */
  readonly caption?: string;
  readonly voice?: boolean;
  readonly media?: 'photo' | 'voice' | 'sticker' | 'document' | 'video' | 'location';
  readonly forwarded?: boolean;
  readonly reply_to?: number;
  /** A topic of a forum. Without `topic_message` a thread id is only that of a reply, and no topic. */
  readonly thread?: number;
  readonly topic_message?: boolean;
  /** An administrator who hides behind the group's name, or somebody who speaks as a channel. */
  readonly as?: 'anonymous_admin' | Chat;
}

const mediaOf = ({ media, voice, caption }: Said): Partial<Message> => {
  const kind = media ?? (voice === true ? 'voice' : caption === undefined ? null : 'photo');
  switch (kind) {
    case null:
      return {};
    case 'photo':
      return { photo: [{ file_id: 'photo', file_unique_id: 'p', width: 90, height: 90 }] };
    case 'voice':
      return { voice: { file_id: 'voice', file_unique_id: 'v', duration: 1 } };
    case 'location':
      return { location: { latitude: 50.45, longitude: 30.52 } };
    default:
      return { [kind]: { file_id: kind, file_unique_id: kind[0], width: 90, height: 90, duration: 1 } };
  }
};

export function messageFrom(
  place: Place,
  bot: BotAccount,
  chat: Chat,
  said: Said,
): Omit<Message, 'message_id' | 'date'> {
  const { text, caption, as } = said;
  for (const words of [text, caption])
    if (words !== undefined && words.trim().length > textUnitsMax)
      throw new Error(`nobody can say ${words.length} units in one message: use sayLong`);
  const replied = said.reply_to === undefined ? undefined : place.messages(bot, chat).get(said.reply_to);
  return {
    chat,
    ...senderOf(chat, said.from, as),
    ...(text === undefined ? {} : { text: text.trim() }),
    ...(caption === undefined ? {} : { caption: caption.trim() }),
    ...mediaOf(said),
    ...(said.forwarded === true
      ? { forward_origin: { type: 'hidden_user', sender_user_name: 'Somebody' } }
      : {}),
    ...threadOf(place, bot, chat, said, replied),
  };
}

function senderOf(chat: Chat, from: User, as: Said['as']): Pick<Message, 'from' | 'sender_chat'> {
  if (chat.type === 'channel') return { sender_chat: chat };
  if (as === undefined) return { from };
  if (as === 'anonymous_admin') return { from: anonymousAdmin, sender_chat: chat };
  const speaker = { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' };
  return { from: speaker, sender_chat: as };
}

/** Thread, topic and reply as the real server puts them together. */
function threadOf(
  place: Place,
  bot: BotAccount,
  chat: Chat,
  said: Said,
  replied: Message | undefined,
): Partial<Message> {
  const reply = replied === undefined ? {} : { reply_to_message: shownAsReply(replied) };
  if (said.thread !== undefined && said.topic_message !== true)
    return { message_thread_id: said.thread, ...reply };
  const topic = said.thread ?? (replied?.is_topic_message === true ? replied.message_thread_id : undefined);
  if (topic !== undefined) {
    // Somebody who speaks in a topic has it before their eyes.
    if (place.topicState(chat.id, topic) === 'none') place.addTopic(bot, chat, { id: topic, name: 'Topic' });
    const opener = place.messages(bot, chat).get(topic);
    return {
      message_thread_id: topic,
      is_topic_message: true,
      // Whoever replies to nothing in a topic replies to the message that opened it.
      ...(replied === undefined && opener !== undefined ? { reply_to_message: shownAsReply(opener) } : reply),
    };
  }
  // In a supergroup a reply opens a thread, or goes on with one, that is no topic.
  return replied === undefined || chat.type !== 'supergroup'
    ? reply
    : { message_thread_id: replied.message_thread_id ?? replied.message_id, ...reply };
}

/** Every piece but the last is full, without a character cut in half. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + textUnitsMax);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
