/**
 * The text of a journal file: a head that names its number and the start of the machine, then a line an entry,
 * `<checksum> <key> <text>`, each chained to the one before.
 */
import { createHash } from 'node:crypto';

/** Of a line: of the line before it, and of all that follows its own checksum. */
export const sumOf = (before: string, rest: string): string =>
  createHash('sha256').update(`${before}\n${rest}`).digest('hex').slice(0, 16);

export const headOf = (number: number, boot: string): string => JSON.stringify({ journal: 1, number, boot });

export interface Chapter {
  readonly boot: string;
  readonly entries: { readonly key: string; readonly text: string }[];
}

const headPattern = /^\{"journal":1,"number":(\d+),"boot":"([^"\\]*)"\}$/;

/** The entries of one file up to the first that is not whole. */
export const readChapter = (content: string, number: number): Chapter => {
  const lines = content.split('\n');
  // What follows the last line feed is no line.
  lines.pop();
  const head = lines[0] ?? '';
  const [, writtenAs, boot = ''] = headPattern.exec(head) ?? [];
  const entries: { key: string; text: string }[] = [];
  if (Number(writtenAs) !== number) return { boot, entries };
  let sum = sumOf('', head);
  for (const line of lines.slice(1)) {
    const rest = line.slice(17);
    if (line[16] !== ' ' || line.slice(0, 16) !== sumOf(sum, rest)) break;
    sum = line.slice(0, 16);
    const space = rest.indexOf(' ');
    entries.push({ key: rest.slice(0, space), text: rest.slice(space + 1) });
  }
  return { boot, entries };
};
