/**
 * Decides whether a word in a document names a path of the repository, and which.
 *
 * Boundary: words in, paths out. Most words with a slash in these documents are something else (`packets/` of a
 * conference folder, `text/html`), so a word counts only when it begins as paths of the repository do.
 */
import { dirname, join } from 'node:path/posix';

/** Folders at the repository's root that a document names from anywhere. */
const rootFolders = new Set(['packages', 'apps', 'tooling', '.ci', '.changeset']);

/** Folders of a package that its own documents name from within. */
const ownFolders = new Set(['src', 'test', 'bench', 'examples', 'skills', 'docs']);

/** What a build, an install or a run makes need not be there. */
const madeFolders = new Set(['dist', 'node_modules', 'demo-out', '.turbo', 'coverage']);

/** The path relative to the repository's root; undefined where the word names no path in it. */
export const namedPath = (word: string, document: string): string | undefined => {
  const bare = word.replace(/(:\d+)+$/, '').replace(/#.*$/, '');
  if (!bare.includes('/') || /[\s<>$|=()"'`\\;&…]|:\/\//.test(bare)) return undefined;
  const segments = bare.split('/').filter((segment) => segment !== '');
  const [first = ''] = segments;
  if (segments.some((segment) => madeFolders.has(segment))) return undefined;
  if (bare.startsWith('./') || bare.startsWith('../')) return inside(join(dirname(document), bare));
  if (bare.startsWith('/')) return undefined;
  if (rootFolders.has(first)) return bare;
  const folder = dirname(document);
  return ownFolders.has(first) && folder !== '.' ? join(folder, bare) : undefined;
};

/** A path that leaves the repository is the reader's own. */
const inside = (path: string): string | undefined => (path.startsWith('..') ? undefined : path);
