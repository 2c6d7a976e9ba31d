/** A conference folder kept at a moment of its life, to be gone on from in more than one way; and interruptions made by hand. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerOf, readLines, type Line } from './ledger-file.ts';

export interface Stage {
  readonly restore: () => void;
}

/** In the same place: the grant names it. */
export function keep(folder: string, copy: string): Stage {
  cpSync(folder, copy, { recursive: true });
  return {
    restore: () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      cpSync(copy, folder, { recursive: true });
    },
  };
}

/**
 * What a kill leaves before a record was appended: the ledger up to it, and of the files only those named. Files that a
 * later record names are taken away.
 */
export function cutBefore(
  folder: string,
  isIt: (line: Line) => boolean,
  keeping: readonly string[] = [],
): void {
  const lines = readLines(folder);
  const at = lines.findIndex(isIt);
  if (at < 0) throw new Error('no such record');
  const texts = readFileSync(ledgerOf(folder), 'utf8').split('\n');
  writeFileSync(ledgerOf(folder), `${texts.slice(0, at).join('\n')}\n`);
  const written = (some: readonly Line[]): Set<string> =>
    new Set(
      some.flatMap(({ event, payload }) => (event === 'artifact.written' ? [String(payload['path'])] : [])),
    );
  const before = written(lines.slice(0, at));
  for (const path of written(lines.slice(at))) {
    if (!before.has(path) && !keeping.includes(path) && path !== 'conference.md')
      rmSync(join(folder, path), { force: true });
  }
}

export const wrote =
  (path: string) =>
  ({ event, payload }: Line): boolean =>
    event === 'artifact.written' && payload['path'] === path;
export const named =
  (name: string) =>
  ({ event }: Line): boolean =>
    event === name;
