/** Buttons under a question: one an option, each a row of its own (05 The daemon). */
import { createHash } from 'node:crypto';
import { cutTo, english, wellFormed, type Qid, type QuestionOption, type Texts } from '@x/bridge';
import { telegramLimits } from './telegram-limits.ts';

export interface Keyboard {
  readonly inline_keyboard: { readonly text: string; readonly callback_data: string }[][];
}

const tokenLength = 16;

/**
 * What a button sends back: opaque, within the 64 bytes that Telegram takes, and the same whenever it is made, so that a
 * button under a copy that nobody knows of works too. `index` counts from 0.
 */
export const optionToken = (qid: Qid, index: number): string =>
  createHash('sha256').update(`option ${qid} ${index}`).digest('base64url').slice(0, tokenLength);

/** Null without options, and where there are more than Telegram takes buttons: then the numbers in the text must do. */
export const keyboardOf = (
  qid: Qid,
  options: readonly QuestionOption[],
  texts: Texts = english,
): Keyboard | null => {
  if (options.length === 0 || options.length > telegramLimits.buttons) return null;
  const units = Math.min(
    telegramLimits.buttonUnits,
    Math.floor(telegramLimits.keyboardUnits / options.length),
  );
  const row = ({ title }: QuestionOption, index: number): Keyboard['inline_keyboard'][number] => {
    const label = texts.optionNumber(index + 1) + wellFormed(title).replaceAll(/\s+/g, ' ');
    return [{ text: cutTo(label, units, texts.cutMark), callback_data: optionToken(qid, index) }];
  };
  return { inline_keyboard: options.map(row) };
};
