/** The name of the workspace: which checkout, which kind of layout, which team, which project (06 Layout). */
import { basename } from 'node:path/posix';

/** The project that stands for "none": it is not written into labels and commands. */
export const DEFAULT_PROJECT = 'default';

/** What stands for a checkout whose folder name leaves nothing to show. */
const NAMELESS_CHECKOUT = 'repo';

/**
 * The tag that tells one checkout of a repository from another (source 004 "Hermes as conductor").
 *
 * @param checkout absolute path of the checkout folder
 * @returns the last dot-segment of its name in `[A-Za-z0-9_-]`, `repo` where nothing is left: never empty
 */
export function worktreeTag(checkout: string): string {
  const lastSegment = basename(checkout).split('.').at(-1) ?? '';
  // The `u` flag makes one dash of an emoji, not two of its halves.
  const tag = lastSegment.replace(/[^A-Za-z0-9_-]/gu, '-').replace(/^-+|-+$/g, '');
  return tag === '' ? NAMELESS_CHECKOUT : tag;
}

export interface LabelParts {
  readonly checkout: string;
  readonly mode: 'conductor' | 'peers';
  readonly team: string;
  readonly project: string;
}

/** `<worktree-tag>-<mode>-<team>`, and `--project.<project>` for a project other than `default`. */
export function workspaceLabel({ checkout, mode, team, project }: LabelParts): string {
  const label = `${worktreeTag(checkout)}-${mode}-${team}`;
  return project === DEFAULT_PROJECT ? label : `${label}--project.${project}`;
}
