/**
 * What the real server refuses in the content of a message, and what it makes of it: white space at both ends is gone,
 * and with `parse_mode` HTML a text is counted without its tags.
 */
import { recordOf } from './answer.ts';
import { textUnitsMax, type Button, type Keyboard } from './objects.ts';

const callbackBytesMax = 64;
const buttonsMax = 100;
const buttonsPerRowMax = 8;

export type Content<Value> = { readonly value: Value } | { readonly wrong: string };

/** The text as it will stand in the message. */
export function textOf(given: unknown, parseMode: unknown): Content<string> {
  if (given === undefined || given === null || given === '')
    return { wrong: 'Bad Request: message text is empty' };
  if (typeof given !== 'string') return { wrong: 'Bad Request: text must be a string' };
  if (!given.isWellFormed()) return { wrong: 'Bad Request: strings must be encoded in UTF-8' };
  const parsed = parsedText(given, parseMode);
  if ('wrong' in parsed) return parsed;
  const text = parsed.value.trim();
  if (text === '') return { wrong: 'Bad Request: message text is empty' };
  return text.length > textUnitsMax ? { wrong: 'Bad Request: message is too long' } : { value: text };
}

const htmlTags = /^\/?(?:b|strong|i|em|u|ins|s|strike|del|a|code|pre|blockquote|tg-spoiler)(?:\s[^<>]*)?$/;
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

function parsedText(text: string, parseMode: unknown): Content<string> {
  if (parseMode === undefined || parseMode === null || parseMode === '') return { value: text };
  if (parseMode !== 'HTML')
    return { wrong: `Bad Request: the test server reads HTML alone, and no ${JSON.stringify(parseMode)}` };
  const bad = [...text.matchAll(/<([^<>]*)>?/g)].find(
    ([whole, tag = '']) => !whole.endsWith('>') || !htmlTags.test(tag),
  );
  if (bad !== undefined)
    return {
      wrong: `Bad Request: can't parse entities: Unsupported start tag "${bad[1] ?? ''}" at byte offset ${Buffer.byteLength(text.slice(0, bad.index))}`,
    };
  const plain = text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:lt|gt|amp|quot);/g, (one) => entities[one] ?? one);
  return { value: plain };
}

/** The buttons, or null for none. */
export function keyboardOf(given: unknown): Content<Keyboard | null> {
  if (given === undefined || given === null) return { value: null };
  const markup = recordOf(given);
  if (markup === null) return { wrong: "Bad Request: can't parse reply keyboard markup JSON object" };
  const rows = markup['inline_keyboard'];
  // Keyboards of the other kinds are for people's programs to show; the server keeps none of them.
  if (rows === undefined) return { value: null };
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row)))
    return {
      wrong: 'Bad Request: field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
    };
  const buttons = rows.map((row: readonly unknown[]) => row.map(buttonOf)).filter((row) => row.length > 0);
  const wrong = buttons.flat().find((button) => typeof button === 'string');
  if (wrong !== undefined) return { wrong };
  const inline_keyboard = buttons.map((row) => row.filter((button) => typeof button !== 'string'));
  if (
    inline_keyboard.flat().length > buttonsMax ||
    inline_keyboard.some((row) => row.length > buttonsPerRowMax)
  )
    return { wrong: 'Bad Request: reply markup is too long' };
  return { value: inline_keyboard.length === 0 ? null : { inline_keyboard } };
}

function buttonOf(given: unknown): Button | string {
  const button = recordOf(given);
  if (button === null)
    return "Bad Request: can't parse inline keyboard button: InlineKeyboardButton must be an Object";
  const { text, callback_data, url } = button;
  if (typeof text !== 'string' || text.trim() === '' || !text.isWellFormed())
    return "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
  if (typeof callback_data === 'string') {
    const bytes = Buffer.byteLength(callback_data);
    return bytes < 1 || bytes > callbackBytesMax
      ? 'Bad Request: BUTTON_DATA_INVALID'
      : { text, callback_data };
  }
  if (typeof url === 'string')
    return URL.canParse(url) ? { text, url } : 'Bad Request: inline keyboard button URL is invalid';
  return "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
}
