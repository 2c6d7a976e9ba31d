/**
 * Compares what each workspace folder depends on and imports with the table of arrows.
 *
 * Boundary: facts in, sentences out; reading the facts is read-workspace.ts. No finding means that the arrows hold.
 */
import { dirname, join } from 'node:path/posix';
import { arrows } from './arrows.ts';

export type SourceImports = {
  /** Relative to the repository, with forward slashes. */
  readonly file: string;
  readonly specifiers: readonly string[];
};

export type WorkspaceFolder = {
  readonly folder: string;
  readonly name: string;
  /** Names of every kind of dependency: run, development, peer, optional. */
  readonly dependencies: readonly string[];
  readonly sources: readonly SourceImports[];
};

const scope = '@x/';

export const checkLayering = (folders: readonly WorkspaceFolder[]): readonly string[] =>
  folders.flatMap((folder) => {
    const allowed = arrows[folder.folder];
    if (allowed === undefined) {
      return [`${folder.folder} is not in the table of arrows (tooling/src/layering/arrows.ts)`];
    }
    return [
      ...nameFindings(folder),
      ...folder.dependencies
        .filter((name) => name.startsWith(scope) && !allowedNames(allowed).has(name))
        .map(
          (name) => `${folder.folder}/package.json depends on ${name}: ${rightOf(folder.folder, allowed)}`,
        ),
      ...folder.sources.flatMap((source) => importFindings(folder, source, allowed)),
    ];
  });

const nameFindings = ({ folder, name }: WorkspaceFolder): readonly string[] => {
  const expected = scope + lastSegment(folder);
  return name === expected ? [] : [`${folder}/package.json is named '${name}'; the folder says ${expected}`];
};

const importFindings = (
  { folder, name }: WorkspaceFolder,
  { file, specifiers }: SourceImports,
  allowed: readonly string[],
): readonly string[] =>
  specifiers.flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = join(dirname(file), specifier);
      return target.startsWith(`${folder}/`) || servesTestOrBuild(file, target)
        ? []
        : [`${file} imports '${specifier}', which lies outside ${folder}: import the package by its name`];
    }
    if (!specifier.startsWith(scope)) return [];
    const [, imported = '', ...inside] = specifier.split('/');
    if (inside.includes('dist') || inside.includes('src')) {
      return [`${file} imports '${specifier}': only what the exports map names may be imported`];
    }
    const importedName = scope + imported;
    return importedName === name || allowedNames(allowed).has(importedName)
      ? []
      : [`${file} imports '${specifier}': ${rightOf(folder, allowed)}`];
  });

/** Fakes, simulators and the bundler live in tooling/ and reach no user, so tests, benches and builds may use them. */
const servesTestOrBuild = (file: string, target: string): boolean =>
  target.startsWith('tooling/src/') &&
  /(\.(test|fixture)\.ts|\/build\.mjs|\/(test|bench)\/.+\.(ts|mjs))$/.test(file);

const allowedNames = (allowed: readonly string[]): ReadonlySet<string> =>
  new Set(allowed.map((folder) => scope + lastSegment(folder)));

const lastSegment = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);

const rightOf = (folder: string, allowed: readonly string[]): string =>
  allowed.length === 0
    ? `${folder} may use no other package of ours`
    : `of ours, ${folder} may use only ${[...allowedNames(allowed)].join(', ')}`;
