/**
 * The Bot API methods that the bridge uses, with what the real server refuses: text over 4096 UTF-16 units, empty text,
 * callback_data over 64 bytes, unknown chats and messages, edits that change nothing.
 */
import type { ErrorParameters } from './faults.ts';
import type { Button, Message, World } from './world.ts';

export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: ErrorParameters;
    };

export type CallParameters = Readonly<Record<string, unknown>>;

const TEXT_UNITS_MAX = 4_096;
const CALLBACK_BYTES_MAX = 64;
const BUTTONS_MAX = 100;

/** Parameters each method takes; another one is refused where a typo would otherwise go unnoticed. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  getMe: [],
  getChat: ['chat_id'],
  getChatMember: ['chat_id', 'user_id'],
  getWebhookInfo: [],
  deleteWebhook: ['drop_pending_updates'],
  setMyCommands: ['commands', 'scope', 'language_code'],
  sendMessage: [
    'chat_id',
    'message_thread_id',
    'text',
    'parse_mode',
    'entities',
    'link_preview_options',
    'disable_notification',
    'protect_content',
    'reply_parameters',
    'reply_markup',
  ],
  editMessageText: [
    'chat_id',
    'message_id',
    'text',
    'parse_mode',
    'entities',
    'link_preview_options',
    'reply_markup',
  ],
  editMessageReplyMarkup: ['chat_id', 'message_id', 'reply_markup'],
  answerCallbackQuery: ['callback_query_id', 'text', 'show_alert', 'url', 'cache_time'],
};

export function callMethod(world: World, method: string, given: CallParameters): Answer {
  const known = KNOWN[method];
  if (known === undefined) return refuse(404, 'Not Found: method not found');
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return refuse(400, `Bad Request: the test server knows no parameter ${unknown} of ${method}`);
  switch (method) {
    case 'getMe':
      return {
        ok: true,
        result: { ...world.bot, can_join_groups: true, can_read_all_group_messages: false },
      };
    case 'getChat': {
      const chat = world.chat(Number(given['chat_id']));
      return chat === undefined ? refuse(400, 'Bad Request: chat not found') : { ok: true, result: chat };
    }
    case 'getChatMember': {
      const chat = world.chat(Number(given['chat_id']));
      if (chat === undefined) return refuse(400, 'Bad Request: chat not found');
      return { ok: true, result: { status: 'administrator', user: world.bot } };
    }
    case 'getWebhookInfo':
      return {
        ok: true,
        result: { url: '', has_custom_certificate: false, pending_update_count: world.updates.length },
      };
    case 'deleteWebhook':
      if (given['drop_pending_updates'] === true) world.confirm(Number.MAX_SAFE_INTEGER);
      return { ok: true, result: true };
    case 'sendMessage':
      return sendMessage(world, given);
    case 'editMessageText':
      return editMessageText(world, given);
    case 'editMessageReplyMarkup':
      return editMarkup(world, given);
    default:
      return { ok: true, result: true };
  }
}

function refuse(error_code: number, description: string, parameters?: ErrorParameters): Answer {
  return { ok: false, error_code, description, ...(parameters === undefined ? {} : { parameters }) };
}

function sendMessage(world: World, given: CallParameters): Answer {
  const chat = world.chat(Number(given['chat_id']));
  if (chat === undefined) return refuse(400, 'Bad Request: chat not found');
  const text = given['text'];
  const wrong = wrongText(text) ?? wrongMarkup(given['reply_markup']);
  if (wrong !== null) return refuse(400, wrong);
  const thread = given['message_thread_id'];
  // The general topic has no thread id that could be sent to.
  if (thread === 1) return refuse(400, 'Bad Request: message thread not found');
  const replied = replyOf(world, chat.id, given['reply_parameters']);
  if (replied === 'missing') return refuse(400, 'Bad Request: message to be replied not found');
  const markup = markupOf(given['reply_markup']);
  const message = world.post({
    chat,
    from: world.bot,
    text: String(text).trim(),
    ...(typeof thread === 'number' ? { message_thread_id: thread, is_topic_message: true as const } : {}),
    ...(replied === null ? {} : { reply_to_message: replied }),
    ...(markup === null ? {} : { reply_markup: markup }),
  });
  return { ok: true, result: message };
}

function replyOf(world: World, chat: number, given: unknown): Message | null | 'missing' {
  if (typeof given !== 'object' || given === null || !('message_id' in given)) return null;
  const replied = world.message(chat, Number(given.message_id));
  if (replied !== undefined) return replied;
  return 'allow_sending_without_reply' in given && given.allow_sending_without_reply === true
    ? null
    : 'missing';
}

function editMessageText(world: World, given: CallParameters): Answer {
  const message = ownMessage(world, given);
  if (typeof message === 'string') return refuse(400, message);
  const wrong = wrongText(given['text']) ?? wrongMarkup(given['reply_markup']);
  if (wrong !== null) return refuse(400, wrong);
  const text = String(given['text']).trim();
  const markup = markupOf(given['reply_markup']);
  if (text === message.text && JSON.stringify(markup) === JSON.stringify(message.reply_markup ?? null)) {
    return refuse(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
    );
  }
  message.text = text;
  setMarkup(message, markup);
  message.edit_date = Math.floor(Date.now() / 1_000);
  return { ok: true, result: message };
}

function editMarkup(world: World, given: CallParameters): Answer {
  const message = ownMessage(world, given);
  if (typeof message === 'string') return refuse(400, message);
  const wrong = wrongMarkup(given['reply_markup']);
  if (wrong !== null) return refuse(400, wrong);
  setMarkup(message, markupOf(given['reply_markup']));
  return { ok: true, result: message };
}

function ownMessage(world: World, given: CallParameters): Message | string {
  const message = world.message(Number(given['chat_id']), Number(given['message_id']));
  if (message === undefined) return 'Bad Request: message to edit not found';
  return message.from.id === world.bot.id ? message : "Bad Request: message can't be edited";
}

function setMarkup(message: Message, markup: Message['reply_markup'] | null): void {
  if (markup === null || markup === undefined) delete message.reply_markup;
  else message.reply_markup = markup;
}

function wrongText(text: unknown): string | null {
  if (typeof text !== 'string' || text.trim() === '') return 'Bad Request: message text is empty';
  if (!text.isWellFormed()) return 'Bad Request: strings must be encoded in UTF-8';
  return text.length > TEXT_UNITS_MAX ? 'Bad Request: message is too long' : null;
}

function wrongMarkup(markup: unknown): string | null {
  const keyboard = markupOf(markup);
  if (keyboard === null) return null;
  const buttons = keyboard.inline_keyboard.flat();
  if (buttons.length > BUTTONS_MAX) return 'Bad Request: reply markup is too long';
  for (const { text, callback_data, url } of buttons) {
    if (text.trim() === '') return 'Bad Request: text buttons are unallowed in the inline keyboard';
    if (callback_data === undefined && url === undefined)
      return 'Bad Request: text buttons are unallowed in the inline keyboard';
    const bytes = Buffer.byteLength(callback_data ?? 'x');
    if (bytes < 1 || bytes > CALLBACK_BYTES_MAX) return 'Bad Request: BUTTON_DATA_INVALID';
  }
  return null;
}

function markupOf(given: unknown): { readonly inline_keyboard: readonly (readonly Button[])[] } | null {
  if (typeof given !== 'object' || given === null || !('inline_keyboard' in given)) return null;
  const { inline_keyboard } = given;
  if (!Array.isArray(inline_keyboard)) return null;
  const rows = inline_keyboard.map((row: unknown) => (Array.isArray(row) ? row.flatMap(buttonOf) : []));
  return rows.flat().length === 0 ? null : { inline_keyboard: rows };
}

function buttonOf(given: unknown): Button[] {
  if (typeof given !== 'object' || given === null) return [];
  const text = 'text' in given && typeof given.text === 'string' ? given.text : '';
  const data =
    'callback_data' in given && typeof given.callback_data === 'string'
      ? { callback_data: given.callback_data }
      : {};
  const url = 'url' in given && typeof given.url === 'string' ? { url: given.url } : {};
  return [{ text, ...data, ...url }];
}
