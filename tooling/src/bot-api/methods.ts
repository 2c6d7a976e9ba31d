/**
 * The Bot API methods that the bridge uses. The real server ignores a parameter that it does not know; this one refuses
 * it, so that a typo does not go unnoticed. getUpdates is not here: it waits, and polls.ts does that.
 */
import { accept, integerOf, refuse, type Answer, type CallParameters } from './answer.ts';
import {
  answerCallbackQuery,
  chatOf,
  deleteMessage,
  editMessageReplyMarkup,
  editMessageText,
  sendChatAction,
  sendMessage,
  type Caller,
} from './message-methods.ts';

export type { Answer, CallParameters } from './answer.ts';
export type { Caller } from './message-methods.ts';

interface Method {
  /** Parameters it takes, as one line of words. */
  readonly takes: string;
  readonly run: (caller: Caller, given: CallParameters) => Answer;
}

const content = 'text parse_mode entities link_preview_options reply_markup business_connection_id chat_id';
const commandScope = 'scope language_code';

const methods: Readonly<Record<string, Method>> = {
  getMe: {
    takes: '',
    run: ({ bot }) =>
      accept({
        ...bot.user,
        can_join_groups: true,
        can_read_all_group_messages: bot.readsAll,
        supports_inline_queries: false,
        can_connect_to_business: false,
        has_main_web_app: false,
      }),
  },
  getChat: { takes: 'chat_id', run: getChat },
  getChatMember: { takes: 'chat_id user_id', run: getChatMember },
  getWebhookInfo: {
    takes: '',
    run: ({ bot }) =>
      accept({
        url: bot.webhook,
        has_custom_certificate: false,
        pending_update_count: bot.queue.pending.length,
      }),
  },
  setWebhook: {
    takes: 'url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token',
    run: setWebhook,
  },
  deleteWebhook: {
    takes: 'drop_pending_updates',
    run: (caller, given) => setWebhook(caller, { ...given, url: '' }),
  },
  setMyCommands: { takes: `commands ${commandScope}`, run: () => accept(true) },
  deleteMyCommands: { takes: commandScope, run: () => accept(true) },
  getMyCommands: { takes: commandScope, run: () => accept([]) },
  sendChatAction: {
    takes: 'chat_id message_thread_id action business_connection_id',
    run: sendChatAction,
  },
  sendMessage: {
    takes: `${content} message_thread_id direct_messages_topic_id disable_notification protect_content allow_paid_broadcast message_effect_id suggested_post_parameters reply_parameters`,
    run: sendMessage,
  },
  editMessageText: { takes: `${content} message_id inline_message_id`, run: editMessageText },
  editMessageReplyMarkup: {
    takes: 'business_connection_id chat_id message_id inline_message_id reply_markup',
    run: editMessageReplyMarkup,
  },
  deleteMessage: { takes: 'chat_id message_id', run: deleteMessage },
  answerCallbackQuery: {
    takes: 'callback_query_id text show_alert url cache_time',
    run: answerCallbackQuery,
  },
};

/** Names are taken whatever their case, as the real server does. */
const byLowerCase = new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));

export function callMethod(caller: Caller, name: string, given: CallParameters): Answer {
  const method = byLowerCase.get(name.toLowerCase());
  if (method === undefined) return refuse(404, 'Not Found: method not found');
  const unknown = unknownParameter(method.takes, given);
  return unknown === null ? method.run(caller, given) : refuse(400, unknownWords(unknown, name));
}

export const unknownWords = (parameter: string, method: string): string =>
  `Bad Request: the test server knows no parameter ${parameter} of ${method}`;

export function unknownParameter(takes: string, given: CallParameters): string | null {
  const known = takes.split(' ');
  return Object.keys(given).find((name) => !known.includes(name)) ?? null;
}

function getChat(caller: Caller, given: CallParameters): Answer {
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked.refusal;
  return accept({ ...looked.found, accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: {} });
}

function getChatMember(caller: Caller, given: CallParameters): Answer {
  const looked = chatOf(caller, given['chat_id']);
  if ('refusal' in looked) return looked.refusal;
  const id = integerOf(given['user_id']);
  if (id === null || id <= 0) return refuse(400, 'Bad Request: invalid user_id specified');
  const user = caller.place.knownUser(id);
  return user === undefined
    ? refuse(400, 'Bad Request: PARTICIPANT_ID_INVALID')
    : accept(caller.place.member(looked.found, user));
}

function setWebhook({ bot }: Caller, given: CallParameters): Answer {
  const { url, drop_pending_updates: drop } = given;
  if (typeof url !== 'string' || (url !== '' && !url.startsWith('https://')))
    return refuse(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook');
  bot.webhook = url;
  if (drop === true || drop === 'true') bot.queue.confirm(Number.MAX_SAFE_INTEGER);
  return accept(true);
}
