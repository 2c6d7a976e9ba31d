/** How a string is looked at by text rules: one spelling for what reads the same. The packet itself is not changed. */

// Invisible characters that split a word without changing how it reads.
const INVISIBLE = /\p{Cf}/gu;
const SINGLE_QUOTES = /[‘’‚‛`´′]/gu;
const DOUBLE_QUOTES = /[“”„‟«»″]/gu;

/** Compatibility forms unified, invisible characters gone, quotes straight, white space one space. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(/\s+/gu, ' ')
    .trim();
}
