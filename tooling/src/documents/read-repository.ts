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
  return {
    documents: files.filter(isDocument),
    facts: {
      files: known,
      readFile: (path) => (known.has(path) ? readFileSync(join(root, path), 'utf8') : undefined),
      scripts: scriptsOf(join(root, 'package.json')).scripts,
      packageScripts: new Map(
        workspaceFolders(root).map((folder) => {
          const { name, scripts } = scriptsOf(join(root, folder, 'package.json'));
          return [name, scripts];
        }),
      ),
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

const scriptsOf = (file: string): { readonly name: string; readonly scripts: ReadonlySet<string> } => {
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const field = (name: string): unknown =>
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, name) : undefined;
  const name = field('name');
  const scripts = field('scripts');
  return {
    name: typeof name === 'string' ? name : '',
    scripts: new Set(typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []),
  };
};

export const recipesOf = (justfile: string): ReadonlySet<string> =>
  new Set(
    justfile
      .split('\n')
      .map((line) => /^@?([a-zA-Z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line)?.[1])
      .filter((name) => name !== undefined),
  );
