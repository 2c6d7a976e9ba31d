/**
 * Reads the repository's facts and the list of its documents from disk.
 *
 * Boundary: reads, judges nothing. Documents are every README.md, the Markdown files at the root, and those under a
 * `docs` or `skills` folder; other Markdown files are data (templates, samples, fixtures).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from '../root.ts';
import { walkFiles } from '../walk-files.ts';
import type { RepositoryFacts } from './repository-facts.ts';

export const readRepository = (
  root: string,
): { readonly facts: RepositoryFacts; readonly documents: readonly string[] } => {
  const files = walkFiles(root);
  const known = new Set(files);
  const rootManifest = readManifest(join(root, 'package.json'));
  const manifests = workspaceFolders(root).map((folder) => readManifest(join(root, folder, 'package.json')));
  return {
    documents: files.filter(isDocument),
    facts: {
      files: known,
      readFile: (path) => (known.has(path) ? readFileSync(join(root, path), 'utf8') : undefined),
      scripts: rootManifest.scripts,
      packageScripts: new Map(manifests.map(({ name, scripts }) => [name, scripts])),
      pinnedLibraries: new Set([rootManifest, ...manifests].flatMap(({ libraries }) => libraries)),
      recipes: existsSync(join(root, 'justfile'))
        ? recipesOf(readFileSync(join(root, 'justfile'), 'utf8'))
        : undefined,
    },
  };
};

const isDocument = (path: string): boolean => {
  if (!path.endsWith('.md') || path.startsWith('.changeset/') || path.split('/').includes('fixtures'))
    return false;
  return !path.includes('/') || path.endsWith('/README.md') || /\/(docs|skills)\//.test(path);
};

type Manifest = {
  readonly name: string;
  readonly scripts: ReadonlySet<string>;
  readonly libraries: readonly string[];
};

const readManifest = (file: string): Manifest => {
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const field = (name: string): unknown =>
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, name) : undefined;
  const keys = (name: string): readonly string[] => {
    const value = field(name);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  };
  const name = field('name');
  return {
    name: typeof name === 'string' ? name : '',
    scripts: new Set(keys('scripts')),
    libraries: ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(keys),
  };
};

export const recipesOf = (justfile: string): ReadonlySet<string> =>
  new Set(
    justfile
      .split('\n')
      .map((line) => /^@?([a-zA-Z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line)?.[1])
      .filter((name) => name !== undefined),
  );
