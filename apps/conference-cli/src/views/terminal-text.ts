/** Text of others on a terminal: no escapes, no control or bidirectional characters, no line breaks (LEDG-12). */

// Control (C0, DEL, C1), format characters (bidirectional, zero-width, tags), line and paragraph separators, surrogates.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What stands where such a character was. */
const MARK = '\uFFFD';

export function terminalText(text: string): string {
  return text.replace(/\r?\n|\t/g, ' ').replace(UNSAFE, MARK);
}
