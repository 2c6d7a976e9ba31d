/**
 * Values as a decision record shows them: exact, on one line, and harmless on a terminal.
 *
 * Measurements are a child's text. Control and bidirectional characters in them are escaped, and what is too long to
 * read is cut with a mark that says how long it was.
 */

const numberShownMax = 48;
const textShownMax = 64;

/** A number as received; beyond 48 characters its head and its length. */
export function shownNumber(number: string): string {
  return number.length <= numberShownMax
    ? number
    : `${number.slice(0, numberShownMax)}… (${number.length} characters)`;
}

/** The text cut to 64 code points. */
export function cutText(text: string): string {
  const points = Array.from(text.slice(0, textShownMax * 2));
  return points.length > textShownMax || text.length > textShownMax * 2
    ? `${points.slice(0, textShownMax).join('')}…`
    : text;
}

/** Foreign text in quotes, cut, with every invisible character escaped. */
export function shownText(text: string): string {
  return JSON.stringify(cutText(text)).replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** `1 lane`, `2 lanes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
