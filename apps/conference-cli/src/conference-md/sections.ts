/**
 * conference.md as sections: level-2 headings, bullets `- **Key:** value`, lists and prose, each with the place it
 * stands at (03 conference.md). Reading only; offsets are UTF-16 units of the text without its BOM.
 */
import type { Heading, List, ListItem, Paragraph, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A bullet with a key, `key` in lower case; or a plain entry of a list, with an empty key. */
export interface Bullet {
  readonly key: string;
  readonly text: string;
  readonly line: number;
}

export interface Section {
  /** In lower case. */
  readonly title: string;
  readonly line: number;
  readonly bullets: readonly Bullet[];
  /** Prose and lists as written, comments taken out, trimmed. */
  readonly body: string;
  /** Level-3 sections within, each with its body. */
  readonly parts: readonly { readonly title: string; readonly body: string; readonly line: number }[];
}

/** Bytes of a conference.md that are read. */
export const CONFERENCE_MD_BYTES_MAX = 1_048_576;

/** The sections in order. What stands after a `---` line is the log that the root maintains, and is not read. */
export function readSections(markdown: string): Section[] {
  const text = markdown.startsWith('\uFEFF') ? markdown.slice(1) : markdown;
  const tree: Root = fromMarkdown(text);
  const sections: Section[] = [];
  let open: { heading: Heading; nodes: RootContent[] } | null = null;
  for (const node of tree.children) {
    if (node.type === 'thematicBreak') break;
    if (node.type === 'heading' && node.depth <= 2) {
      if (open !== null) sections.push(sectionOf(text, open));
      open = node.depth === 2 ? { heading: node, nodes: [] } : null;
    } else open?.nodes.push(node);
  }
  if (open !== null) sections.push(sectionOf(text, open));
  return sections;
}

function sectionOf(text: string, { heading, nodes }: { heading: Heading; nodes: RootContent[] }): Section {
  const firstPart = nodes.findIndex((node) => node.type === 'heading');
  const own = firstPart < 0 ? nodes : nodes.slice(0, firstPart);
  return {
    title: plain(text, heading).toLowerCase(),
    line: lineOf(heading),
    bullets: own.flatMap((node) => (node.type === 'list' ? bulletsOf(text, node) : [])),
    body: bodyOf(text, own),
    parts: partsOf(text, firstPart < 0 ? [] : nodes.slice(firstPart)),
  };
}

function partsOf(text: string, nodes: readonly RootContent[]): Section['parts'] {
  const parts: { title: string; body: string; line: number }[] = [];
  let open: { heading: Heading; nodes: RootContent[] } | null = null;
  const close = (): void => {
    if (open === null) return;
    parts.push({
      title: plain(text, open.heading),
      body: bodyOf(text, open.nodes),
      line: lineOf(open.heading),
    });
  };
  for (const node of nodes) {
    if (node.type === 'heading') {
      close();
      open = { heading: node, nodes: [] };
    } else open?.nodes.push(node);
  }
  close();
  return parts;
}

function bulletsOf(text: string, list: List): Bullet[] {
  return list.children.flatMap((item) => bulletOf(text, item));
}

const KEYED = /^(?:\*\*([^*]+?):?\*\*:?|([A-Za-z][A-Za-z _/'’-]*?):)\s*([\s\S]*)$/;

function bulletOf(text: string, item: ListItem): Bullet[] {
  const [first] = item.children;
  if (first === undefined || first.type !== 'paragraph') return [];
  const source = stripComments(slice(text, first)).trim();
  const match = source.startsWith('**') ? KEYED.exec(source) : null;
  if (match === null) return source === '' ? [] : [{ key: '', text: oneLine(source), line: lineOf(item) }];
  const key = (match[1] ?? match[2] ?? '').trim().toLowerCase();
  return [{ key, text: oneLine(match[3] ?? ''), line: lineOf(item) }];
}

function bodyOf(text: string, nodes: readonly RootContent[]): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  const from = first?.position?.start.offset;
  const to = last?.position?.end.offset;
  if (from === undefined || to === undefined) return '';
  return stripComments(text.slice(from, to)).trim();
}

function stripComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

function plain(text: string, node: Heading | Paragraph): string {
  const [first] = node.children;
  const last = node.children.at(-1);
  const from = first?.position?.start.offset;
  const to = last?.position?.end.offset;
  return from === undefined || to === undefined ? '' : stripComments(text.slice(from, to)).trim();
}

function slice(text: string, node: Paragraph): string {
  const { position } = node;
  return position === undefined ? '' : text.slice(position.start.offset, position.end.offset);
}

function lineOf(node: Heading | ListItem): number {
  return node.position?.start.line ?? 0;
}
