/**
 * Where questions go and who is heard, as the command line names them: `--to telegram:<chat>[:<topic>]` and
 * `--allow-user ID` (05 The daemon). Only numbers: a user name can be taken by somebody else tomorrow.
 */
import type { Target } from './ports.ts';

export type Parsed<Value> =
  | { readonly code: 'value'; readonly value: Value }
  | { readonly code: 'refused'; readonly message: string };

const findIt = 'bridge-daemon telegram-check shows the ids of those who write to the bot';

const refused = (message: string): { readonly code: 'refused'; readonly message: string } => ({
  code: 'refused',
  message,
});

/** Takes the value of `--to`. Topic 1 is a forum's general topic, which has no thread to send to: null, as without one. */
export const parseTarget = (to: string): Parsed<Target> => {
  const found = `--to ${JSON.stringify(to)}`;
  const form = 'write --to telegram:<chat> or --to telegram:<chat>:<topic>, both as numbers';
  if (to === 'telegram' || to === 'telegram:')
    return refused(`--to names no chat, and questions must not go to everybody: ${form}; ${findIt}`);
  const [scheme, chatText = '', topicText, ...rest] = to.split(':');
  if (scheme !== 'telegram' || rest.length > 0) return refused(`${found} is no Telegram chat: ${form}`);
  if (/^@?[A-Za-z]\w*$/.test(chatText))
    return refused(`${found} names a chat by a name, which can change hands: ${form}; ${findIt}`);
  const chat = /^-?\d{1,16}$/.test(chatText) ? Number(chatText) : 0;
  if (chat === 0 || !Number.isSafeInteger(chat))
    return refused(`${found} holds no chat id: ${form}; ${findIt}`);
  if (topicText === undefined) return { code: 'value', value: { chat, topic: null } };
  const topic = /^\d{1,10}$/.test(topicText) ? Number(topicText) : 0;
  if (topic === 0)
    return refused(
      `${found} holds no topic id: it is the number after the chat’s in a link to the topic, or leave it out`,
    );
  return { code: 'value', value: { chat, topic: topic === 1 ? null : topic } };
};

/** Takes the values of `--allow-user`; an empty list is refused, for it must not mean everybody. */
export const parseAllowed = (users: readonly string[]): Parsed<ReadonlySet<number>> => {
  if (users.length === 0)
    return refused(
      `--allow-user is missing, and an empty list is not everybody: name who may answer; ${findIt}`,
    );
  const ids = new Set<number>();
  for (const user of users) {
    const id = /^\d{1,16}$/.test(user) ? Number(user) : 0;
    if (id === 0 || !Number.isSafeInteger(id))
      return refused(
        `--allow-user ${JSON.stringify(user)} is no user id: write the number, as names change hands; ${findIt}`,
      );
    ids.add(id);
  }
  return { code: 'value', value: ids };
};

const defaultApiRoot = 'https://api.telegram.org';

/** Takes `TELEGRAM_API_ROOT`; gives the address without a slash at its end. Empty counts as not there. */
export const parseApiRoot = (text: string | undefined): Parsed<string> => {
  if (text === undefined || text === '') return { code: 'value', value: defaultApiRoot };
  const form = 'write an address such as http://127.0.0.1:8081';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return refused(`TELEGRAM_API_ROOT is no http or https address: ${form}`);
  // The value is not shown: what it holds may be a secret.
  if (url.username !== '' || url.password !== '')
    return refused(`TELEGRAM_API_ROOT holds a user name or password, which no request may carry: ${form}`);
  if (url.search !== '' || url.hash !== '')
    return refused(`TELEGRAM_API_ROOT has something after its path: ${form}`);
  return { code: 'value', value: (url.origin + url.pathname).replace(/\/+$/, '') };
};
