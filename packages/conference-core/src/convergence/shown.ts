/**
 * Values as a decision record shows them: exact, on one line, and harmless on a terminal.
 *
 * Measurements are a child's text. Control and bidirectional characters in them are escaped, and what is too long to
 * read is cut with a mark that says how long it was.
 */
import { cutText } from '../plan/quantity.ts';

const numberShownMax = 48;
/** How much of a child's text is repeated, in code points. */
export const textShownMax = 64;

/** A number as received; beyond 48 characters its head and its length. */
export function shownNumber(number: string): string {
  return number.length <= numberShownMax
    ? number
    : `${number.slice(0, numberShownMax)}… (${number.length} characters)`;
}

/** Every control and formatting character as an escape. */
function visible(text: string): string {
  const escape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escape);
}

/** A name, cut, with every invisible character escaped. */
export function shownName(name: string): string {
  return visible(cutText(name, textShownMax));
}

/** Foreign text in quotes, cut, with every invisible character escaped. */
export function shownText(text: string): string {
  return visible(JSON.stringify(cutText(text, textShownMax)));
}

/** `1 lane`, `2 lanes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
