/**
 * The comments that mark what the root wrote into a conference.md. Child text between them cannot hold one, since `<` is
 * escaped in it. Each names its conference: what another conference left in the file is not ours to change.
 */
import type { RootContent } from 'mdast';

const ID = '[0-9A-HJKMNP-TV-Z]{26}';
const KNOWLEDGE_START = new RegExp(`^<!-- conference (${ID}): validated findings[^>]*-->$`);
const KNOWLEDGE_END = new RegExp(`^<!-- conference (${ID}): end of validated findings -->$`);
const LOG_END = new RegExp(`^<!-- conference (${ID}): end of its log[^>]*-->$`);

export function knowledgeStart(id: string): string {
  return `<!-- conference ${id}: validated findings, made anew after each round: write above or below them -->`;
}

export function knowledgeEnd(id: string): string {
  return `<!-- conference ${id}: end of validated findings -->`;
}

export function logEnd(id: string): string {
  return `<!-- conference ${id}: end of its log, made anew after each round -->`;
}

/** The conference that a marker names, or null for any other node. */
function named(node: RootContent | undefined, marker: RegExp): string | null {
  return node?.type === 'html' ? (marker.exec(node.value.trim())?.[1] ?? null) : null;
}

export function logEndOf(node: RootContent | undefined): string | null {
  return named(node, LOG_END);
}

/** Indexes of the first and last node of a block of findings. */
export interface KnowledgeBlock {
  readonly conference: string;
  readonly first: number;
  readonly last: number;
}

/** The blocks among some nodes. A start without its end is nobody's block: what follows it is the user's. */
export function knowledgeBlocks(nodes: readonly RootContent[]): KnowledgeBlock[] {
  const blocks: KnowledgeBlock[] = [];
  let first = 0;
  let open: string | null = null;
  for (const [index, node] of nodes.entries()) {
    const started = named(node, KNOWLEDGE_START);
    if (started !== null) {
      open = started;
      first = index;
      continue;
    }
    const ended = named(node, KNOWLEDGE_END);
    if (ended !== null && ended === open) {
      blocks.push({ conference: ended, first, last: index });
      open = null;
    }
  }
  return blocks;
}

/** What the user wrote: everything but the blocks of findings. */
export function withoutKnowledge(nodes: readonly RootContent[]): RootContent[] {
  const blocks = knowledgeBlocks(nodes);
  return nodes.filter((_, index) => !blocks.some(({ first, last }) => index >= first && index <= last));
}
