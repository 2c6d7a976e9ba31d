/**
 * The entries of a section: bullets `- **Key:** value` in all the forms that people write, tables of keys and values, and
 * plain list entries, each with its line (03 conference.md).
 *
 * What a key means is not known here, only which ones the section has: `Count: 4` is a key where Count is one, and an
 * entry of its own where it is none.
 */
import type { ListItem, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { linesOf, oneLine, sameKey, titleText, valueText } from './words.ts';

export interface Bullet {
  /** As `sameKey` gives it: bold with a colon, or one that the section has; else empty. */
  readonly key: string;
  readonly value: string;
  /** Key and value as one text. */
  readonly whole: string;
  readonly line: number;
  /** Entries of lists below it, and further paragraphs. */
  readonly nested: readonly Bullet[];
}

/** Where entries are read from: the whole text, and the keys that its section has. */
export interface EntrySource {
  readonly text: string;
  readonly isKey: (key: string) => boolean;
}

/** Lists within lists that are followed; deeper ones are left alone. */
const NESTING_MAX = 16;

export function bulletsOf(nodes: readonly RootContent[], source: EntrySource, depth = 0): Bullet[] {
  if (depth > NESTING_MAX) return [];
  return nodes.flatMap((node): Bullet[] => {
    if (node.type === 'list') return node.children.flatMap((item) => itemBullets(item, source, depth));
    if (node.type !== 'paragraph') return [];
    return depth === 0
      ? (tableBullets(node, source) ?? proseBullets(node, source))
      : lineBullets(node, source);
  });
}

function lineOf(node: { readonly position?: Paragraph['position'] }): number {
  return node.position?.start.line ?? 0;
}

/** The first paragraph of an item is the entry; all else in it is nested in its last line's entry. */
function itemBullets(item: ListItem, source: EntrySource, depth: number): Bullet[] {
  const [first, ...rest] = item.children;
  if (first === undefined) return [];
  if (first.type !== 'paragraph') return bulletsOf(item.children, source, depth + 1);
  const own = lineBullets(first, source);
  const nested = bulletsOf(rest, source, depth + 1);
  const last = own.pop();
  return last === undefined ? nested : [...own, { ...last, nested }];
}

/** Lines of a paragraph: one that starts with a key starts an entry, any other goes on with the one before. */
function lineBullets(paragraph: Paragraph, source: EntrySource): Bullet[] {
  const entries: { line: number; nodes: PhrasingContent[] }[] = [];
  for (const [index, nodes] of linesOf(paragraph.children).entries()) {
    const last = entries.at(-1);
    if (last === undefined || keyedParts(nodes) !== null) {
      entries.push({ line: lineOf(paragraph) + index, nodes });
    } else last.nodes.push({ type: 'text', value: ' ' }, ...nodes);
  }
  return entries.flatMap(({ line, nodes }) => entryOf(nodes, line, source));
}

/** Signs that people type for a bullet and Markdown does not know, or with a space that does not break behind them. */
const SIGN = /^[ \t]*[-*+•‣▪·–—][ \t\u00a0]+/;

/** A paragraph outside of lists: lines with keys or with signs of their own are entries, the rest is prose. */
function proseBullets(paragraph: Paragraph, source: EntrySource): Bullet[] {
  const entries: { line: number; nodes: PhrasingContent[] }[] = [];
  for (const [index, nodes] of linesOf(paragraph.children).entries()) {
    const bare = withoutSign(nodes);
    const startsKey = keyedParts(bare) !== null || source.isKey(plainParts(bare)?.key ?? '');
    if (bare !== nodes || startsKey) entries.push({ line: lineOf(paragraph) + index, nodes: bare });
    else entries.at(-1)?.nodes.push({ type: 'text', value: ' ' }, ...nodes);
  }
  return entries.flatMap(({ line, nodes }) => entryOf(nodes, line, source));
}

function withoutSign(nodes: PhrasingContent[]): PhrasingContent[] {
  const [first, ...others] = nodes;
  const sign = first?.type === 'text' ? SIGN.exec(first.value) : null;
  if (first?.type !== 'text' || sign === null) return nodes;
  return [{ type: 'text', value: first.value.slice(sign[0].length) }, ...others];
}

function entryOf(nodes: readonly PhrasingContent[], line: number, source: EntrySource): Bullet[] {
  const whole = withoutTask(valueText(nodes));
  if (whole === '') return [];
  const plain = plainParts(nodes);
  const parts = keyedParts(nodes) ?? (plain !== null && source.isKey(plain.key) ? plain : null);
  const value = parts === null ? whole : valueText(parts.rest);
  return [{ key: parts?.key ?? '', value, whole, line, nested: [] }];
}

/** `[ ] entry` and `[x] entry` of task lists. */
function withoutTask(text: string): string {
  return text.replace(/^\[[ xX]\]\s+/, '');
}

interface Parts {
  readonly key: string;
  readonly rest: readonly PhrasingContent[];
}

const COLON = /^\s*[:：]\s*/;

/** `**Key:** value`, `**Key**: value`, `**Key: value**`. */
function keyedParts(nodes: readonly PhrasingContent[]): Parts | null {
  const solid = nodes.findIndex((node) => node.type !== 'text' || node.value.trim() !== '');
  const first = nodes[solid];
  if (first?.type !== 'strong') return null;
  const rest = nodes.slice(solid + 1);
  const label = titleText(first.children);
  if (/[:：]$/.test(label)) return { key: sameKey(label), rest };
  const [next, ...others] = rest;
  if (next?.type === 'text' && COLON.test(next.value)) {
    return {
      key: sameKey(label),
      rest: [{ type: 'text', value: next.value.replace(COLON, '') }, ...others],
    };
  }
  const inside = /^([^:：]{1,60})[:：]\s+(.+)$/.exec(label);
  if (inside === null || rest.some((node) => node.type !== 'text' || node.value.trim() !== '')) return null;
  return { key: sameKey(inside[1] ?? ''), rest: [{ type: 'text', value: inside[2] ?? '' }] };
}

/** `Key: value`, `` `key`: value ``, `*Key:* value`: a key only where it is known. */
function plainParts(nodes: readonly PhrasingContent[]): Parts | null {
  const [first, next, ...others] = nodes;
  if (first?.type === 'text') {
    const found = /^\s*([\p{L}][^:：]{0,60}?)\s*[:：]\s*/u.exec(first.value);
    if (found === null) return null;
    const rest: PhrasingContent = { type: 'text', value: first.value.slice(found[0].length) };
    return { key: sameKey(found[1] ?? ''), rest: [rest, ...nodes.slice(1)] };
  }
  if (first?.type !== 'inlineCode' && first?.type !== 'emphasis') return null;
  const label = titleText([first]);
  if (/[:：]$/.test(label)) return { key: sameKey(label), rest: nodes.slice(1) };
  if (next?.type !== 'text' || !COLON.test(next.value)) return null;
  const rest: PhrasingContent = { type: 'text', value: next.value.replace(COLON, '') };
  return { key: sameKey(label), rest: [rest, ...others] };
}

/** The line under a table's heading. */
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$|^\s*\|\s*:?-+:?\s*\|\s*$/;

export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Where the line starts in the text, and ends without what ends a line. */
  readonly start: number;
  readonly end: number;
}

/** The rows of the table in a paragraph, its heading first, and without the rule below that; null when there is none. */
export function tableRows(paragraph: Paragraph, text: string): TableRow[] | null {
  const start = paragraph.position?.start.offset ?? 0;
  const source = text.slice(start, paragraph.position?.end.offset ?? start);
  const lines: TableRow[] = [];
  let rule = -1;
  for (const { 0: found, index } of source.matchAll(/[^\r\n]+/g)) {
    if (rule < 0 && TABLE_RULE.test(found)) rule = lines.length;
    const at = start + index;
    lines.push({ line: lineOf(paragraph) + lines.length, cells: [found], start: at, end: at + found.length });
  }
  if (rule < 1) return null;
  return lines.flatMap((row, index) =>
    index < rule - 1 || index === rule ? [] : [{ ...row, cells: cellsOf(row.cells[0] ?? '') }],
  );
}

/** Columns of a table that are read. */
const COLUMNS_MAX = 8;

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/, COLUMNS_MAX).map((cell) => {
    const [node] = fromMarkdown(cell.trim().replaceAll('\\|', '|')).children;
    return node?.type === 'paragraph' ? valueText(node.children) : oneLine(cell);
  });
}

/** Titles of columns: what stands beside a key in a table's heading is then no value. */
const VALUE_TITLES = new Set(['value', 'values', 'setting', 'entry', 'description', 'content']);

/** A table of keys: one a row with its value, or one a column. What stands behind a value is a remark on it. */
function tableBullets(paragraph: Paragraph, source: EntrySource): Bullet[] | null {
  const rows = tableRows(paragraph, source.text);
  if (rows === null) return null;
  const [heading, ...body] = rows;
  const titles = heading?.cells ?? [];
  if (titles.length > 1 && titles.every((title) => source.isKey(sameKey(title)))) {
    return body.flatMap(({ line, cells }) =>
      titles.map((title, index) => cellBullet(title, [cells[index] ?? ''], line)),
    );
  }
  const all = VALUE_TITLES.has(sameKey(titles[1] ?? '')) ? body : rows;
  return all.map(({ line, cells: [key = '', ...values] }) => cellBullet(key, values, line));
}

function cellBullet(key: string, values: readonly string[], line: number): Bullet {
  const given = values.filter((value) => value !== '');
  const value = given.join(' — ');
  return { key: sameKey(key), value, whole: [key, ...given].join(': '), line, nested: [] };
}
