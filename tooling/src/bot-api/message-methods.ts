/** sendMessage, the edits, deleteMessage and answerCallbackQuery, with what the real server refuses of them. */
import { accept, integerOf, recordOf, refuse, type Answer, type CallParameters } from './answer.ts';
import type { FloodControl } from './flood.ts';
import { keyboardOf, textOf } from './message-content.ts';
import type { Chat, Keyboard, Message } from './objects.ts';
import { shownAsReply, type BotAccount, type Place } from './place.ts';

export interface Caller {
  readonly place: Place;
  readonly bot: BotAccount;
  readonly flood: FloodControl;
}

type Found<Value> = { readonly found: Value } | { readonly refusal: Answer };

/** The chat, if the bot may look at it. */
export function chatOf({ place, bot }: Caller, given: unknown): Found<Chat> {
  const id = integerOf(given);
  if (id === null && typeof given !== 'string')
    return { refusal: refuse(400, 'Bad Request: chat_id is empty') };
  const moved = id === null ? undefined : place.movedTo(id);
  if (moved !== undefined) {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    return { refusal: refuse(400, description, { migrate_to_chat_id: moved }) };
  }
  const chat = id === null ? undefined : place.chat(id);
  if (chat === undefined) return { refusal: refuse(400, 'Bad Request: chat not found') };
  const { status } = place.member(chat, bot.user);
  if (status === 'kicked' && chat.type !== 'private')
    return { refusal: refuse(403, `Forbidden: bot was kicked from the ${chat.type} chat`) };
  if (status === 'left')
    return { refusal: refuse(403, `Forbidden: bot is not a member of the ${chat.type} chat`) };
  return { found: chat };
}

/** Why the bot may not write there; null where it may. */
function muted({ place, bot }: Caller, chat: Chat): Answer | null {
  const member = place.member(chat, bot.user);
  if (chat.type === 'private' && member.status === 'kicked')
    return refuse(403, 'Forbidden: bot was blocked by the user');
  const silent =
    (member.status === 'restricted' && member.can_send_messages !== true) ||
    (member.status === 'member' && chat.permissions?.can_send_messages === false);
  if (silent || (chat.type === 'channel' && member.status === 'member'))
    return refuse(400, 'Bad Request: not enough rights to send text messages to the chat');
  return null;
}

/** Shows the person that the bot is writing; refused where it could not write. */
export function sendChatAction(caller: Caller, given: CallParameters): Answer {
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked.refusal;
  if (given['action'] !== 'typing') return refuse(400, 'Bad Request: wrong parameter action in request');
  const thread = threadOf(caller, looked.found, given['message_thread_id']);
  if ('refusal' in thread) return thread.refusal;
  return muted(caller, looked.found) ?? accept(true);
}

export function sendMessage(caller: Caller, given: CallParameters): Answer {
  const { place, bot, flood } = caller;
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked.refusal;
  const chat = looked.found;
  const text = textOf(given['text'], given['parse_mode']);
  if ('wrong' in text) return refuse(400, text.wrong);
  const keyboard = keyboardOf(given['reply_markup']);
  if ('wrong' in keyboard) return refuse(400, keyboard.wrong);
  const stopped = muted(caller, chat);
  if (stopped !== null) return stopped;
  const thread = threadOf(caller, chat, given['message_thread_id']);
  if ('refusal' in thread) return thread.refusal;
  const replied = replyOf(caller, chat, given['reply_parameters']);
  if ('refusal' in replied) return replied.refusal;
  const waitSeconds = flood.take(`${bot.user.id} ${chat.id}`, place.now());
  if (waitSeconds > 0)
    return refuse(429, `Too Many Requests: retry after ${waitSeconds}`, { retry_after: waitSeconds });
  const message = place.post(bot, {
    chat,
    from: bot.user,
    text: text.value,
    ...thread.found,
    ...replyIn(replied.found, thread.found, place.messages(bot, chat)),
    ...(keyboard.value === null ? {} : { reply_markup: keyboard.value }),
  });
  return accept(structuredClone(message));
}

type Thread = Pick<Message, 'message_thread_id' | 'is_topic_message'>;

function threadOf({ place }: Caller, chat: Chat, given: unknown): Found<Thread> {
  if (given === undefined || given === null) return { found: {} };
  const thread = integerOf(given);
  // The general topic has an id, but no thread that could be sent to.
  const state = thread === null || thread === 1 ? 'none' : place.topicState(chat.id, thread);
  if (thread === null || state === 'none' || chat.is_forum !== true)
    return { refusal: refuse(400, 'Bad Request: message thread not found') };
  if (state === 'closed') return { refusal: refuse(400, 'Bad Request: TOPIC_CLOSED') };
  return { found: { message_thread_id: thread, is_topic_message: true } };
}

function replyOf({ place, bot }: Caller, chat: Chat, given: unknown): Found<Message | null> {
  const reply = recordOf(given);
  if (reply === null) return { found: null };
  const id = integerOf(reply['message_id']);
  if (id === null) return { refusal: refuse(400, 'Bad Request: message identifier is not specified') };
  const replied = place.messages(bot, chat).get(id);
  if (replied === undefined && reply['allow_sending_without_reply'] !== true)
    return { refusal: refuse(400, 'Bad Request: message to be replied not found') };
  return { found: replied ?? null };
}

function replyIn(replied: Message | null, thread: Thread, messages: Map<number, Message>): Partial<Message> {
  const opener = messages.get(thread.message_thread_id ?? -1);
  const shown = replied ?? opener;
  if (shown === undefined) return {};
  const topic = replied?.is_topic_message === true ? replied.message_thread_id : undefined;
  return {
    reply_to_message: shownAsReply(shown),
    ...(topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true as const }),
  };
}

/** A message of this bot that may be edited. */
function ownMessage(caller: Caller, given: CallParameters): Found<Message> {
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked;
  const message = caller.place.messages(caller.bot, looked.found).get(integerOf(given['message_id']) ?? -1);
  if (message === undefined) return { refusal: refuse(400, 'Bad Request: message to edit not found') };
  return message.from?.id === caller.bot.user.id && message.text !== undefined
    ? { found: message }
    : { refusal: refuse(400, "Bad Request: message can't be edited") };
}

const unchanged = refuse(
  400,
  'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
);

function change(caller: Caller, message: Message, text: string, keyboard: Keyboard | null): Answer {
  const before = JSON.stringify(message.reply_markup ?? null);
  if (text === message.text && JSON.stringify(keyboard) === before) return unchanged;
  message.text = text;
  if (keyboard === null) delete message.reply_markup;
  else message.reply_markup = keyboard;
  message.edit_date = Math.floor(caller.place.now() / 1_000);
  return accept(structuredClone(message));
}

export function editMessageText(caller: Caller, given: CallParameters): Answer {
  const own = ownMessage(caller, given);
  if ('refusal' in own) return own.refusal;
  const text = textOf(given['text'], given['parse_mode']);
  if ('wrong' in text) return refuse(400, text.wrong);
  const keyboard = keyboardOf(given['reply_markup']);
  if ('wrong' in keyboard) return refuse(400, keyboard.wrong);
  return change(caller, own.found, text.value, keyboard.value);
}

export function editMessageReplyMarkup(caller: Caller, given: CallParameters): Answer {
  const own = ownMessage(caller, given);
  if ('refusal' in own) return own.refusal;
  const keyboard = keyboardOf(given['reply_markup']);
  if ('wrong' in keyboard) return refuse(400, keyboard.wrong);
  return change(caller, own.found, own.found.text ?? '', keyboard.value);
}

export function deleteMessage(caller: Caller, given: CallParameters): Answer {
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked.refusal;
  const gone = caller.place.messages(caller.bot, looked.found).delete(integerOf(given['message_id']) ?? -1);
  return gone ? accept(true) : refuse(400, 'Bad Request: message to delete not found');
}

const toastUnitsMax = 200;

export function answerCallbackQuery({ bot }: Caller, given: CallParameters): Answer {
  const id = given['callback_query_id'];
  if (typeof id !== 'string' || !bot.callbacks.has(id))
    return refuse(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
  const { text } = given;
  if (typeof text === 'string' && text.length > toastUnitsMax)
    return refuse(400, 'Bad Request: MESSAGE_TOO_LONG');
  bot.callbacks.set(id, typeof text === 'string' && text !== '' ? text : null);
  return accept(true);
}
