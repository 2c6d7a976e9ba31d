/**
 * Foreign text made harmless for a terminal: what a file, a folder name or a server says is shown, never obeyed.
 *
 * I1  No control, format or line-separating character passes: no escape sequence, no bidirectional override.
 */

/** Longer values are cut in messages: they are there to be recognised, not to be read whole. */
const SHOWN_CHARS_MAX = 80;

/** A value in quotes, as an error names it. */
export function quoted(text: string): string {
  return JSON.stringify(cut(text)).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeOf);
}

/** A line of foreign prose, as an error of a server or the system. */
export function oneLine(text: string): string {
  return cut(text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim(), 400);
}

function cut(text: string, charsMax: number = SHOWN_CHARS_MAX): string {
  const chars = Array.from(text.slice(0, charsMax * 2 + 2));
  return chars.length > charsMax ? `${chars.slice(0, charsMax).join('')}…` : text;
}

function escapeOf(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
