/**
 * A child's text as data, wherever it is shown (03 Artifacts).
 *
 * T1 No control, format, bidirectional or zero-width character is left; each is replaced by its code in sight.
 * T2 What comes out is one line of plain Markdown text: no table, fence, heading, list, quote, HTML, link, image,
 *    mention or formula begins or ends in it, and nothing around it is changed by it.
 * T3 The length is bounded in code points, and a cut is said.
 *
 * The ranges stand here literally: property classes follow the Unicode version of the engine, and the same packets
 * must give the same bytes on any machine.
 */

/** Code points of a text that a table or list shows. */
export const INLINE_POINTS_MAX = 600;
/** Code points of a cell of the results table: a claim at the default limits is never cut. */
export const TSV_POINTS_MAX = 4_096;
/** Lines of a quotation. */
export const QUOTE_LINES_MAX = 60;

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
/** What reads as a space and would break a line, a cell or the width of it. */
const SPACE = /\r\n|[\t\n\r\v\f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const FORMAT =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
/** Drawn as nothing, though no format characters by name; and halves of characters. */
const UNSEEN = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0\\ud800-\\udfff';
/** A selector after the sign it belongs to only chooses how that sign is drawn. */
const SELECTOR =
  '(?<![\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}])[\\ufe0e\\ufe0f](?!\\u20e3)|[\\ufe00-\\ufe0d]';
const UNSAFE = new RegExp(`[${CONTROL}${FORMAT}${UNSEEN}]|${SELECTOR}`, 'gu');

/** Most text is this, and needs no other look. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Every character that hides, reorders or steers, as its code: `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(UNSAFE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** One line of visible text: what breaks a line or a cell is a space. */
function oneLine(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : visibleText(text.replace(SPACE, ' '));
}

/** At most `pointsMax` code points, with the number of those that are not shown. No character is cut in half. */
function cut(text: string, pointsMax: number): string {
  if (text.length <= pointsMax) return text;
  const points = Array.from(text);
  if (points.length <= pointsMax) return text;
  const shown = points.slice(0, pointsMax).join('').trimEnd();
  return `${shown}… (${points.length - pointsMax} more characters)`;
}

/** Foreign text as Markdown within a line, a list item or a table cell. Never empty. */
export function inline(text: string, pointsMax: number = INLINE_POINTS_MAX): string {
  const line = cut(oneLine(text).trim(), pointsMax);
  const words = line.split(' ').filter((word) => word !== '');
  if (words.length === 0) return '(empty)';
  return words
    .map((word, index) => {
      if (LIVE.test(word)) return codeSpan(word);
      const escaped = escapeWord(word, index === words.length - 1);
      return index === 0 ? neutralStart(word, escaped) : escaped;
    })
    .join(' ');
}

/** Renderers make links and mentions of these wherever they stand in text, escaped or not; in code they do not. */
const LIVE = /:\/\/|www\.|@|^\W*(?:mailto|xmpp):./i;

/** One word as code. What could end the span, the cell or become a tag is written as a URL writes it. */
function codeSpan(word: string): string {
  const safe = word.replace(
    /[`\\|<>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `\`${safe}\``;
}

function escapeWord(word: string, isLast: boolean): string {
  return word.replace(/[\\`*_[\]|~$<>&]/g, (character, at: number) => {
    const [before = '', after = ''] = [word[at - 1], word[at + 1]];
    switch (character) {
      case '_':
        // Within a word it means nothing, and names of metrics stay legible.
        return isWordCharacter(before) && isWordCharacter(after) ? '_' : '\\_';
      case '<':
        // A comparison or an arrow is no tag.
        return /[=0-9-]/.test(after) || (after === '' && !isLast) ? '<' : '&lt;';
      case '>':
        return before === '' || /[-=]/.test(before) ? '>' : '&gt;';
      case '&':
        return after === '#' || isWordCharacter(after) ? '&amp;' : '&';
      default:
        return `\\${character}`;
    }
  });
}

function isWordCharacter(character: string): boolean {
  return /^[A-Za-z0-9]$/.test(character);
}

/** What opens a block at the start of a line: heading, list, rule, underline, row of a table. */
function neutralStart(word: string, escaped: string): string {
  if (/^(?:>.*|#{1,6}|\++|=+|:?-+:?)$/u.test(word)) return `\\${escaped}`;
  if (/^\d{1,9}[.)]$/.test(word)) return `${escaped.slice(0, -1)}\\${escaped.slice(-1)}`;
  return escaped;
}

/** Foreign text of several lines as a quotation. */
export function quote(text: string, pointsMax: number = TSV_POINTS_MAX): string {
  const lines = text
    .split(LINE_BREAK)
    .map((line) => line.trim())
    .filter((line, index, all) => line !== '' || (all[index - 1] ?? '') !== '');
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return '> (empty)';
  const shown = lines
    .slice(0, QUOTE_LINES_MAX)
    .map((line) => (line === '' ? '>' : `> ${inline(line, pointsMax)}`));
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? ['>', `> … (${rest} more lines)`] : [])].join('\n');
}

/**
 * Foreign text as a cell of a tab-separated table: a tab or newline becomes a space (03 Artifacts). A cell that a
 * spreadsheet would take for a formula or for an opened quotation gets an apostrophe in front, which is its own
 * sign for plain text.
 */
export function tsvCell(text: string): string {
  const cell = cut(oneLine(text), TSV_POINTS_MAX).trim();
  if (cell === '') return '-';
  return /^[=@"]|^[+-].*[(|!]/u.test(cell) ? `'${cell}` : cell;
}
