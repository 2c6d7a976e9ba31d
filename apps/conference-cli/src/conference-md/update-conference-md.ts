/**
 * Writes into a conference.md what the root maintains there (03 conference.md): the Conference Log, and the validated
 * findings in Shared Knowledge.
 *
 * W1 Every other byte stays as it is: BOM, line ends, a missing final newline, headings and bullets that nobody knows.
 * W2 Only our own table and our own block are replaced, each known by the marker that names this conference. A table that
 *    a template left empty is filled in; one with rows of somebody else is kept, and ours stands below it.
 * W3 Written twice is written once, and a reader finds the same values and quoted texts as before.
 */
import type { ConferenceMdUpdate } from '@x/conference-core';
import { tableRows, type TableRow } from './bullets.ts';
import { knowledgeBlocks, knowledgeEnd, knowledgeStart, logEnd, logEndOf } from './markers.ts';
import { bomOf, closerOf, outlineOf, spanOf, type Outline, type OutlineSection } from './outline.ts';
import { sameTitle } from './words.ts';

export const LOG_COLUMNS = ['Round', 'Researcher', 'Best Metric', 'Key Finding', 'Status'] as const;
const KNOWLEDGE_TITLE = 'shared knowledge';

/** The file's new text. Pure; takes any text, and gives it back unchanged where nothing changed. */
export function updateConferenceMd(text: string, update: ConferenceMdUpdate): string {
  const known = writeKnowledge(outlineOf(text), update);
  return bomOf(text) + writeLog(outlineOf(known), update);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function applied({ text, newline }: Outline, { start, end, lines }: Edit): string {
  return text.slice(0, start) + lines.join(newline) + text.slice(end);
}

function writeKnowledge(outline: Outline, { conference_id, knowledge }: ConferenceMdUpdate): string {
  const items = knowledge.length === 0 ? ['Nothing is validated yet.'] : knowledge.map((item) => `- ${item}`);
  const block = [knowledgeStart(conference_id), '', ...items, '', knowledgeEnd(conference_id)];
  const sections = outline.sections.filter(({ title }) => title === KNOWLEDGE_TITLE);
  for (const { nodes } of sections) {
    const own = knowledgeBlocks(nodes).find(({ conference }) => conference === conference_id);
    const [first, last] = own === undefined ? [] : [nodes[own.first], nodes[own.last]];
    if (first === undefined || last === undefined) continue;
    return applied(outline, { start: spanOf(first).start, end: spanOf(last).end, lines: block });
  }
  const section = sections.at(-1);
  if (section !== undefined) return applied(outline, below(outline, sectionEnd(section), block));
  const created = ['## Shared Knowledge', '', ...block];
  const { rule, log } = outline;
  const before = rule ?? log?.heading ?? null;
  return applied(
    outline,
    below(outline, before === null ? outline.text.length : spanOf(before).start, created),
  );
}

function writeLog(outline: Outline, update: ConferenceMdUpdate): string {
  const { log, text } = outline;
  const block = [...tableLines(update), '', logEnd(update.conference_id)];
  if (log === null) {
    const rule = outline.rule === null ? ['---', ''] : [];
    return applied(outline, below(outline, text.length, [...rule, '## Conference Log', '', ...block]));
  }
  const place = ownTable(outline, log, update.conference_id) ?? emptyTable(outline, log);
  if (place !== null) return applied(outline, { ...place, lines: block });
  return applied(outline, below(outline, sectionEnd(log), block));
}

function tableLines({ log }: ConferenceMdUpdate): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(LOG_COLUMNS), line(LOG_COLUMNS.map(() => '---')), ...log.map(line)];
}

function sectionEnd({ heading, nodes }: OutlineSection): number {
  return spanOf(nodes.at(-1) ?? heading).end;
}

/** A blank line at the start of what follows. */
const BLANK_LINE = /^(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)/;

/**
 * New lines below what stands before a place, with a blank line before them, and one behind where text follows at once.
 * What runs on to the end of the file unclosed is closed first, else the lines would be part of it.
 */
function below({ text, nodes }: Outline, place: number, lines: readonly string[]): Edit {
  const solid = text.slice(0, place).trimEnd().length;
  if (solid === 0) return { start: 0, end: 0, lines: text === '' ? lines : [...lines, '', ''] };
  const end = solid + (/^[^\S\r\n]*/.exec(text.slice(solid))?.[0].length ?? 0);
  const last = nodes.at(-1);
  const closer = last === undefined || spanOf(last).start >= end ? null : closerOf(text, last);
  const rest = text.slice(end);
  const isTight = rest.trim() !== '' && !BLANK_LINE.test(rest);
  const lead = closer === null ? ['', ''] : ['', closer, ''];
  return { start: end, end, lines: [...lead, ...lines, ...(isTight ? [''] : [])] };
}

type Place = Pick<Edit, 'start' | 'end'>;

/** From the heading of our table to the marker below it. Without a table above it the marker alone. */
function ownTable({ text }: Outline, { nodes }: OutlineSection, conference: string): Place | null {
  const at = nodes.findIndex((node) => logEndOf(node) === conference);
  const marker = nodes[at];
  if (marker === undefined) return null;
  const { start, end } = spanOf(marker);
  const [heading] = logTable(text, nodes[at - 1]) ?? [];
  return { start: heading?.start ?? start, end };
}

/** A table that nobody filled in yet. */
function emptyTable({ text }: Outline, { nodes }: OutlineSection): Place | null {
  for (const node of nodes) {
    const [heading, ...rows] = logTable(text, node) ?? [];
    if (heading !== undefined && rows.every(({ cells }) => cells.every(isEmptyCell))) {
      return { start: heading.start, end: spanOf(node).end };
    }
  }
  return null;
}

/** The rows of a table with our columns, heading first. */
function logTable(text: string, node: OutlineSection['nodes'][number] | undefined): TableRow[] | null {
  if (node?.type !== 'paragraph') return null;
  const rows = tableRows(node, text);
  const cells = rows?.[0]?.cells ?? [];
  const isOurs =
    cells.length === LOG_COLUMNS.length &&
    LOG_COLUMNS.every((column, index) => sameTitle(cells[index] ?? '') === sameTitle(column));
  return isOurs ? rows : null;
}

function isEmptyCell(cell: string): boolean {
  return /^(?:[-–—.…]*|_.*_|\{[^{}]*\}|tbd|n\/a)$/i.test(cell);
}
