/**
 * A conference.md as its top-level nodes with their places: level-2 sections, and the log at the end (03 conference.md).
 *
 * M1 Offsets are UTF-16 units of the text without its BOM.
 * M2 The log is the section `Conference Log`; with a `---` directly before it everything from there on belongs to it and is
 *    not read. Any other `---` only parts sections.
 * M3 `text`, then `---` on the next line, then the log's heading: people mean a rule there, though Markdown makes a heading
 *    of it.
 */
import type { Heading, RootContent, ThematicBreak } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { withoutComments, sameTitle, titleText } from './words.ts';

export interface OutlineSection {
  /** As `sameTitle` gives it. */
  readonly title: string;
  readonly heading: Heading;
  /** Without rules at its end, which only part it from the next one. */
  readonly nodes: readonly RootContent[];
}

export interface Outline {
  /** Without the BOM. */
  readonly text: string;
  /** What ends a line in this file. */
  readonly newline: string;
  readonly sections: readonly OutlineSection[];
  readonly log: OutlineSection | null;
  /** The rule before the log, or the one that ends the file where there is no log yet. */
  readonly rule: ThematicBreak | null;
  /** All top-level nodes. */
  readonly nodes: readonly RootContent[];
}

const LOG_TITLE = 'conference log';

/** Every byte order mark at the start: the parser would drop one more, and shift all places by it. */
export function bomOf(markdown: string): string {
  return /^\uFEFF*/.exec(markdown)?.[0] ?? '';
}

export function outlineOf(markdown: string): Outline {
  const text = markdown.slice(bomOf(markdown).length);
  const nodes = withRules(text, fromMarkdown(text).children);
  const logAt = logIndex(nodes);
  const ruleAt = logAt === null ? lastRule(nodes) : ruleBefore(nodes, logAt);
  const heading = logAt === null ? undefined : nodes[logAt];
  const read = logAt !== null && ruleAt !== null ? nodes.slice(0, ruleAt) : nodes;
  const rule = ruleAt === null ? undefined : nodes[ruleAt];
  return {
    text,
    newline: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    sections: sectionsOf(read).filter(({ title }) => title !== LOG_TITLE),
    log:
      heading?.type === 'heading'
        ? { title: LOG_TITLE, heading, nodes: untilHeading(nodes, (logAt ?? 0) + 1) }
        : null,
    rule: rule?.type === 'thematicBreak' ? rule : null,
    nodes,
  };
}

/** Where a node starts and ends. @throws never for what the parser makes: each of its nodes has a place */
export function spanOf(node: RootContent | Heading): { readonly start: number; readonly end: number } {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) throw new Error(`a ${node.type} without a place`);
  return { start, end };
}

function isTitle(node: RootContent | undefined, title: string): node is Heading {
  return node?.type === 'heading' && node.depth === 2 && sameTitle(titleText(node.children)) === title;
}

/** The log's heading: the first with a rule before it, else the first. */
function logIndex(nodes: readonly RootContent[]): number | null {
  const all = nodes.flatMap((node, index) => (isTitle(node, LOG_TITLE) ? [index] : []));
  return all.find((index) => ruleBefore(nodes, index) !== null) ?? all[0] ?? null;
}

/** Comments may stand between the two. */
function ruleBefore(nodes: readonly RootContent[], at: number): number | null {
  for (let index = at - 1; index >= 0; index -= 1) {
    const node = nodes[index];
    if (node?.type === 'thematicBreak') return index;
    if (node?.type !== 'html' || withoutComments(node.value).trim() !== '') return null;
  }
  return null;
}

function lastRule(nodes: readonly RootContent[]): number | null {
  return nodes.at(-1)?.type === 'thematicBreak' ? nodes.length - 1 : null;
}

/** M3: the heading that was meant as a paragraph and a rule becomes these two. */
function withRules(text: string, nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap((node, index): RootContent[] => {
    if (node.type !== 'heading' || node.depth !== 2 || !isTitle(nodes[index + 1], LOG_TITLE)) return [node];
    const { start, end } = spanOf(node);
    const source = text.slice(start, end);
    const underline = /(?:\r\n|\n|\r)[ \t]*(-{3,})[ \t]*$/.exec(source);
    if (underline === null || node.position === undefined) return [node];
    const ruleStart = end - (underline[1]?.length ?? 0) - (/[ \t]*$/.exec(source)?.[0].length ?? 0);
    const between = { ...node.position.end, offset: start + underline.index };
    return [
      { type: 'paragraph', children: node.children, position: { start: node.position.start, end: between } },
      {
        type: 'thematicBreak',
        position: { start: { ...node.position.end, offset: ruleStart }, end: node.position.end },
      },
    ];
  });
}

function sectionsOf(nodes: readonly RootContent[]): OutlineSection[] {
  return nodes.flatMap((node, index): OutlineSection[] => {
    if (node.type !== 'heading' || node.depth !== 2) return [];
    return [
      { title: sameTitle(titleText(node.children)), heading: node, nodes: untilHeading(nodes, index + 1) },
    ];
  });
}

function untilHeading(nodes: readonly RootContent[], from: number): RootContent[] {
  const own: RootContent[] = [];
  for (let index = from; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined || (node.type === 'heading' && node.depth <= 2)) break;
    own.push(node);
  }
  while (own.at(-1)?.type === 'thematicBreak') own.pop();
  return own;
}

const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
/** HTML that runs on until something ends it, in the order in which Markdown tries them. */
const OPEN_HTML: readonly { readonly opens: RegExp; readonly ends: RegExp; readonly closer: string }[] = [
  { opens: /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, ends: RAW_END, closer: '</pre>' },
  { opens: /^<!--/, ends: /-->/, closer: '-->' },
  { opens: /^<\?/, ends: /\?>/, closer: '?>' },
  { opens: /^<!\[CDATA\[/, ends: /\]\]>/, closer: ']]>' },
  { opens: /^<![A-Za-z]/, ends: />/, closer: '>' },
];

/** The line that closes a fence or a piece of HTML that runs to the end of the file; null for anything that is closed. */
export function closerOf(text: string, node: RootContent): string | null {
  const { start, end } = spanOf(node);
  const source = text.slice(start, end);
  if (node.type === 'html') {
    const open = OPEN_HTML.find(({ opens }) => opens.test(source));
    return open === undefined || open.ends.test(source) ? null : open.closer;
  }
  if (node.type !== 'code') return null;
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1];
  if (fence === undefined) return null;
  const [, ...lines] = source.trimEnd().split(/\r\n|\n|\r/);
  const last = lines.at(-1)?.trim() ?? '';
  const isClosed = last.length >= fence.length && last === (fence[0] ?? '').repeat(last.length);
  return isClosed ? null : fence;
}
