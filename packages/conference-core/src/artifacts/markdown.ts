/** Blocks of our own Markdown. Foreign text reaches them only through `inert-text.ts`. */
import type { Digest } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneLetter } from '../lane.ts';

/** Hexadecimal digits of a digest that a link shows; the address has all of them. */
const DIGEST_SHOWN = 12;

/** The file name part of a digest. */
function hex(digest: Digest): string {
  return digest.slice(digest.indexOf(':') + 1);
}

/** A digest as far as a person compares it. */
export function shortDigest(digest: Digest): string {
  return hex(digest).slice(0, DIGEST_SHOWN);
}

/** The file of an accepted packet as received, relative to the conference folder (03 Ledger). */
function packetPath(digest: Digest): string {
  return `packets/${hex(digest)}.json`;
}

/**
 * Links to packets, by reference: the text stays legible where nobody renders it, and shows the digest.
 * The addresses stand once, at the end of the file.
 */
export interface PacketLinks {
  /** `[b296e391fb8f]`, a link named by the digest. */
  readonly to: (digest: Digest | null) => string;
  /** `[R5 B m3][b296e391fb8f]`. */
  readonly named: (name: string, digest: Digest | null) => string;
  /** The addresses of the links made so far, in that order. */
  readonly addresses: () => string | null;
}

export function packetLinks(): PacketLinks {
  const made = new Map<string, Digest>();
  const label = (digest: Digest): string => {
    const short = shortDigest(digest);
    const known = made.get(short);
    const own = known === undefined || known === digest ? short : hex(digest);
    made.set(own, digest);
    return own;
  };
  return {
    to: (digest) => (digest === null ? 'none' : `[${label(digest)}]`),
    named: (name, digest) => (digest === null ? name : `[${name}][${label(digest)}]`),
    addresses: () =>
      made.size === 0 ? null : [...made].map(([own, digest]) => `[${own}]: ${packetPath(digest)}`).join('\n'),
  };
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Who a dispatch was for: `A`, `poster`, … */
export function seatName(row: Pick<DispatchRow, 'lane' | 'role'>): string {
  return row.lane === null ? row.role : laneLetter(row.lane);
}

export interface Column {
  readonly title: string;
  readonly align?: 'right';
}

/** A table; cells are Markdown already. Nothing without rows. */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
): string | null {
  if (rows.length === 0) return null;
  const all = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(all.map(({ title }) => title)),
    line(all.map((column) => ('align' in column ? '--:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

export function bullets(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.map((item) => `- ${item}`).join('\n');
}

/** A heading with what stands under it, or with the one sentence that says why nothing does. */
export function section(title: string, blocks: readonly (string | null)[], otherwise: string): string {
  const there = blocks.filter((block) => block !== null);
  return [`## ${title}`, ...(there.length === 0 ? [otherwise] : there)].join('\n\n');
}

/** A part of a section; empty, it says `None.` */
export function subsection(title: string, blocks: readonly (string | null)[]): string {
  const there = blocks.filter((block) => block !== null);
  return [`### ${title}`, ...(there.length === 0 ? ['None.'] : there)].join('\n\n');
}

export function markdownFile(blocks: readonly (string | null)[]): string {
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`;
}

/** `1 lane`, `2 lanes`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
