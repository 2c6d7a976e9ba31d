/**
 * The daemon's folders: `questions/` and, beside it, `pending/`, `closed/`, `undelivered/` and a place for files on
 * their way out. All 0700; the folder above must be ours alone to write, or anybody could answer (05).
 */
import { chmodSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Placement } from '@x/bridge';
import { makeFolders } from '@x/coms-envelope/node';

export interface Folders {
  /** Holds everything below, and `log.ndjson`. */
  readonly state: string;
  readonly questions: string;
  readonly placed: { readonly [P in Placement]: string };
  /** Files set aside for a moment while they are removed. */
  readonly removing: string;
  /** Records while they are written. */
  readonly writing: string;
  readonly log: string;
  /** The user whose files count; null where the platform has no user ids. */
  readonly uid: number | null;
}

export type FoldersOutcome =
  | { readonly code: 'folders'; readonly folders: Folders }
  | { readonly code: 'refused'; readonly message: string };

const writableByOthers = 0o022;
const ownerOnly = 0o700;
const permissions = 0o777;

const whyNot = (path: string, stats: Stats, uid: number | null): string | null => {
  if (!stats.isDirectory()) return `${path} is not a folder: move it away or choose another --questions-dir`;
  if (uid !== null && stats.uid !== uid)
    return `${path} belongs to user id ${stats.uid}, not to ${uid}: choose a --questions-dir in a folder of your own`;
  return null;
};

const parentProblem = (path: string, uid: number | null): string | null => {
  makeFolders(path);
  const stats = statSync(path);
  const problem = whyNot(path, stats, uid);
  if (problem !== null) return problem;
  return uid !== null && (stats.mode & writableByOthers) !== 0
    ? `${path} is writable by others, who could answer in your name: run chmod go-w ${path}`
    : null;
};

const childProblem = (path: string, uid: number | null): string | null => {
  makeFolders(path);
  const stats = lstatSync(path);
  const problem = whyNot(path, stats, uid);
  if (problem !== null) return problem;
  if (uid !== null && (stats.mode & permissions) !== ownerOnly) chmodSync(path, ownerOnly);
  return null;
};

/**
 * Makes what is missing and refuses what cannot be trusted, saying what to do. Links are refused below the folder that
 * the user names. Never throws.
 */
export const openFolders = (questionsDir: string): FoldersOutcome => {
  const asked = resolve(questionsDir);
  const uid = process.getuid?.() ?? null;
  try {
    const parent = parentProblem(dirname(asked), uid);
    if (parent !== null) return { code: 'refused', message: parent };
    const state = realpathSync(dirname(asked));
    const folders: Folders = {
      state,
      questions: join(state, basename(asked)),
      placed: {
        pending: join(state, 'pending'),
        closed: join(state, 'closed'),
        undelivered: join(state, 'undelivered'),
      },
      removing: join(state, '.removing'),
      writing: join(state, '.writing'),
      log: join(state, 'log.ndjson'),
      uid,
    };
    const { pending, closed, undelivered } = folders.placed;
    const rest = [pending, closed, undelivered, folders.removing, folders.writing];
    if (rest.includes(folders.questions))
      return { code: 'refused', message: `${asked} is a name this daemon needs for records: choose another` };
    for (const path of [folders.questions, ...rest]) {
      const problem = childProblem(path, uid);
      if (problem !== null) return { code: 'refused', message: problem };
    }
    return { code: 'folders', folders };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { code: 'refused', message: `the folder for questions cannot be used: ${why}` };
  }
};
