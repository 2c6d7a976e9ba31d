/**
 * Takes a Markdown document apart into the pieces that name something in the repository.
 *
 * Boundary: text in, pieces with their line numbers out; judges nothing.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Nodes } from 'mdast';

/** `<!-- example: examples/first-steps.ts -->`, or with a region of the file: `…ts#opening`. */
export type ExampleMark = {
  readonly file: string;
  readonly region: string | undefined;
  readonly line: number;
  /** The fenced block that directly follows; undefined where something else does. */
  readonly block: FencedBlock | undefined;
};

export type FencedBlock = {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence. */
  readonly line: number;
  /** Of the whole block in the document, fences included, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
};

export type MarkdownParts = {
  readonly links: readonly { readonly target: string; readonly line: number }[];
  readonly codeSpans: readonly { readonly text: string; readonly line: number }[];
  readonly blocks: readonly FencedBlock[];
  readonly examples: readonly ExampleMark[];
  /** Anchors of the headings, as code forges make them. */
  readonly anchors: ReadonlySet<string>;
};

const examplePattern = /^<!--\s*example:\s*(\S+?)(?:#(\S+))?\s*-->$/;

export const markdownParts = (text: string): MarkdownParts => {
  const links: { target: string; line: number }[] = [];
  const codeSpans: { text: string; line: number }[] = [];
  const blocks: FencedBlock[] = [];
  const examples: ExampleMark[] = [];
  const anchors = new Set<string>();
  const visit = (node: Nodes): void => {
    const line = node.position?.start.line ?? 0;
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ target: node.url, line });
    else if (node.type === 'inlineCode') codeSpans.push({ text: node.value, line });
    else if (node.type === 'code') blocks.push(fencedBlock(node));
    else if (node.type === 'heading') anchors.add(anchorOf(plainText(node), anchors));
    if (!('children' in node)) return;
    const { children } = node;
    children.forEach((child, index) => {
      const mark = child.type === 'html' ? examplePattern.exec(child.value.trim()) : null;
      if (mark !== null) {
        const next = children[index + 1];
        examples.push({
          file: mark[1] ?? '',
          region: mark[2],
          line: child.position?.start.line ?? 0,
          block: next?.type === 'code' ? fencedBlock(next) : undefined,
        });
      }
      visit(child);
    });
  };
  visit(fromMarkdown(text));
  return { links, codeSpans, blocks, examples, anchors };
};

const fencedBlock = (node: Extract<Nodes, { type: 'code' }>): FencedBlock => ({
  language: (node.lang ?? '').toLowerCase(),
  text: node.value,
  line: node.position?.start.line ?? 0,
  start: node.position?.start.offset ?? 0,
  end: node.position?.end.offset ?? 0,
});

const plainText = (node: Nodes): string => {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(plainText).join('') : '';
};

const anchorOf = (heading: string, taken: ReadonlySet<string>): string => {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  if (!taken.has(anchor)) return anchor;
  let number = 1;
  while (taken.has(`${anchor}-${number}`)) number += 1;
  return `${anchor}-${number}`;
};
