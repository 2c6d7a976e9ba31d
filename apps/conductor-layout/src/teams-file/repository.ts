/** Which repository a command is about, and where its teams file is (06 Teams file). */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where a repository keeps its teams, relative to its root. */
export const TEAMS_FILE = join('.pi', 'agents', 'peers.yaml');

/**
 * The nearest teams file, from a folder upwards; null where there is none up to the root.
 *
 * @param from absolute path
 */
export function findTeamsFile(from: string): string | null {
  const folder = nearest(from, (candidate) => existsSync(join(candidate, TEAMS_FILE)));
  return folder === null ? null : join(folder, TEAMS_FILE);
}

/**
 * The checkout: the nearest folder, from one upwards, with a `.git` or a teams file of its own; else the folder itself.
 * Both marks count, so that a teams file in a person's home folder does not make that the repository.
 *
 * @param from absolute path
 */
export function findCheckout(from: string): string {
  const isCheckout = (folder: string): boolean =>
    existsSync(join(folder, '.git')) || existsSync(join(folder, TEAMS_FILE));
  return nearest(from, isCheckout) ?? resolve(from);
}

function nearest(from: string, holds: (folder: string) => boolean): string | null {
  // Bounded by the path's own length: each step takes one segment off.
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (holds(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}
