/**
 * Finds TypeScript files that no compiler reads: a bench or an example outside `include` goes wrong without a word.
 *
 * Boundary: `uncheckedSources` is pure; `readSourceFolders` reads names and tsconfig.json files from disk.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from '../root.ts';
import { walkFiles } from '../walk-files.ts';

export type SourceFolder = {
  readonly folder: string;
  /** Text of its tsconfig.json; undefined where it has none. */
  readonly config: string | undefined;
  /** Relative to the folder. */
  readonly files: readonly string[];
};

export const uncheckedSources = (folders: readonly SourceFolder[]): readonly string[] =>
  folders.flatMap(({ folder, config, files }) => {
    const sources = files.filter((file) => /\.[mc]?ts$/.test(file));
    if (config === undefined)
      return sources.length === 0 ? [] : [`${folder} has TypeScript files and no tsconfig.json`];
    const included = includedIn(config);
    const outside = sources.filter(
      (file) => !included.some((entry) => file === entry || file.startsWith(`${entry}/`)),
    );
    return [...new Set(outside.map((file) => file.split('/')[0] ?? file))].map(
      (entry) =>
        `${folder}/${entry} is type-checked by nothing: add '${entry}' to "include" in ${folder}/tsconfig.json`,
    );
  });

export const readSourceFolders = (root: string): readonly SourceFolder[] =>
  workspaceFolders(root).map((folder) => {
    const config = join(root, folder, 'tsconfig.json');
    return {
      folder,
      config: existsSync(config) ? readFileSync(config, 'utf8') : undefined,
      files: walkFiles(join(root, folder)).filter((path) => !path.includes('fixtures/')),
    };
  });

/** Plain folders and files of `include`; empty where the file is no JSON, so that everything is found. */
export const includedIn = (config: string): readonly string[] => {
  try {
    const value: unknown = JSON.parse(config);
    const include: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'include') : undefined;
    return Array.isArray(include) ? include.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
};
