/**
 * conference.md as sections: headings, entries, prose, each with the line it stands at (03 conference.md). Reading only;
 * what the root itself wrote into the file, and comments, are not there for a reader.
 */
import type { Nodes, RootContent } from 'mdast';
import { bulletsOf, type Bullet } from './bullets.ts';
import { knowledgeBlocks, withoutKnowledge } from './markers.ts';
import { closerOf, outlineOf, spanOf, type Outline } from './outline.ts';
import { titleText, withoutComments } from './words.ts';

/** A level-3 section, or a deeper one, within a section. */
export interface Part {
  readonly title: string;
  readonly body: string;
  readonly line: number;
  readonly bullets: readonly Bullet[];
}

export interface Section {
  /** As `sameTitle` gives it. */
  readonly title: string;
  readonly line: number;
  /** Entries of its own text; its parts have theirs. */
  readonly bullets: readonly Bullet[];
  /** Own prose and lists as written, without comments, trimmed. */
  readonly body: string;
  readonly parts: readonly Part[];
  /** Parts with their headings below the body: all that a person reads. */
  readonly text: string;
}

/** Bytes of a conference.md that a plan is read from: parsing Markdown takes its time. */
export const CONFERENCE_MD_BYTES_MAX = 262_144;
/** Bytes of one that is written back: a plan's file and all that the root adds to it fit. */
export const MERGED_BYTES_MAX = 2 * CONFERENCE_MD_BYTES_MAX;

/** The sections in order, without the log. `keysOf`: the keys that a section of this title has. */
export function readSections(markdown: string, keysOf: (title: string) => ReadonlySet<string>): Section[] {
  const outline = outlineOf(markdown);
  return outline.sections.map(({ title, heading, nodes }) => {
    const keys = keysOf(title);
    const read = withoutKnowledge(nodes);
    const entries = { text: outline.text, isKey: (key: string) => keys.has(key) };
    const source = { outline, ours: knowledgeBlocks(nodes).map((block) => blockSpan(nodes, block)) };
    const [own = [], ...parts] = byHeading(read);
    return {
      title,
      line: heading.position?.start.line ?? 0,
      bullets: bulletsOf(own, entries),
      body: bodyOf(source, own),
      parts: parts.flatMap(([head, ...below]): Part[] =>
        head?.type === 'heading'
          ? [
              {
                title: titleText(head.children),
                body: bodyOf(source, below),
                line: head.position?.start.line ?? 0,
                bullets: bulletsOf(below, entries),
              },
            ]
          : [],
      ),
      text: bodyOf(source, read),
    };
  });
}

/** What stands before the first heading, then each heading with what stands below it. */
function byHeading(nodes: readonly RootContent[]): RootContent[][] {
  const groups: RootContent[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'heading') groups.push([node]);
    else groups.at(-1)?.push(node);
  }
  return groups;
}

type Span = ReturnType<typeof spanOf>;

function blockSpan(nodes: readonly RootContent[], { first, last }: { first: number; last: number }): Span {
  const [from, to] = [nodes[first], nodes[last]];
  return from === undefined || to === undefined
    ? { start: 0, end: 0 }
    : { start: spanOf(from).start, end: spanOf(to).end };
}

/**
 * The source of some nodes, from the first to the last, without comments and what is ours. What the last one leaves open
 * is closed, as it will be once something stands below it: a text that was quoted does not change because the root wrote
 * its log under it.
 */
function bodyOf(
  { outline: { text, newline }, ours }: { readonly outline: Outline; readonly ours: readonly Span[] },
  nodes: readonly RootContent[],
): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return '';
  const { end } = spanOf(last);
  let at = spanOf(first).start;
  const cuts = [
    ...ours.filter(({ start }) => start >= at && start < end).map((span) => ({ ...span, left: '' })),
    ...nodes.flatMap(commentsOf).map((node) => ({ ...spanOf(node), left: withoutComments(node.value) })),
  ].toSorted((one, other) => one.start - other.start);
  const pieces: string[] = [];
  for (const cut of cuts) {
    pieces.push(text.slice(at, cut.start), cut.left);
    at = cut.end;
  }
  pieces.push(text.slice(at, end));
  const closer = closerOf(text, last);
  const body = pieces.join('').trim();
  return closer === null || closer === '-->' ? body : `${body}${newline}${closer}`;
}

/** Pieces of HTML with a comment in them, in order of place. */
function commentsOf(node: Nodes): Extract<RootContent, { type: 'html' }>[] {
  if (node.type === 'html') return node.value.includes('<!--') ? [node] : [];
  return 'children' in node ? node.children.flatMap(commentsOf) : [];
}
