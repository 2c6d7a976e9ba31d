/**
 * What a document may name: the repository's files, scripts and recipes, asked without touching the disk.
 *
 * Boundary: the shape alone; read-repository.ts fills it, tests make it up.
 */
export type RepositoryFacts = {
  /** Every file, relative to the root, with forward slashes. */
  readonly files: ReadonlySet<string>;
  readonly readFile: (path: string) => string | undefined;
  /** Scripts of the root's package.json. */
  readonly scripts: ReadonlySet<string>;
  /** Scripts of each workspace package, by its name. */
  readonly packageScripts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Libraries that some package.json depends on, from the catalog or by a version of its own. */
  readonly pinnedLibraries: ReadonlySet<string>;
  /** Recipes of the justfile; undefined where there is none. */
  readonly recipes: ReadonlySet<string> | undefined;
};

export type Finding = { readonly document: string; readonly line: number; readonly text: string };

/** True for a file, for a folder that holds one, and for a pattern with `*` that some file matches. */
export const pathExists = ({ files }: RepositoryFacts, path: string): boolean => {
  const wanted = path.replace(/\/$/, '');
  if (wanted === '' || wanted === '.') return true;
  if (wanted.includes('*')) {
    const pattern = globPattern(wanted);
    return [...files].some((file) => pattern.test(file));
  }
  if (files.has(wanted)) return true;
  for (const file of files) if (file.startsWith(`${wanted}/`)) return true;
  return false;
};

/** `*` stays within a folder name, `**` crosses folders, `{a,b}` is one of them; a folder matches by what it holds. */
const globPattern = (glob: string): RegExp => {
  const source = glob.replaceAll(/\*\*\/?|\*|\{[^{}]*\}|[.+?^$()|[\]\\{}]/g, (part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    if (part.startsWith('{') && part.length > 1)
      return `(${part.slice(1, -1).replaceAll('.', '\\.').replaceAll(',', '|')})`;
    return `\\${part}`;
  });
  return new RegExp(`^${source}(/.*)?$`);
};
