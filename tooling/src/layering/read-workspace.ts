/**
 * Reads from disk what check-layering.ts judges: names, dependencies and imports of every workspace folder.
 *
 * Boundary: reads, judges nothing. Build output and installed modules are passed over.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from '../root.ts';
import { walkFiles } from '../walk-files.ts';
import type { WorkspaceFolder } from './check-layering.ts';
import { importedModules } from './imported-modules.ts';

const sourcePattern = /\.(ts|mts|cts|mjs|cjs|js)$/;

export const readWorkspace = (root: string): readonly WorkspaceFolder[] =>
  workspaceFolders(root).map((folder) => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return {
      folder,
      name: stringOf(manifest, 'name'),
      dependencies: ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
        (kind) => keysOf(manifest, kind),
      ),
      sources: walkFiles(join(root, folder))
        .filter((path) => sourcePattern.test(path))
        .map((path) => {
          const file = `${folder}/${path}`;
          return { file, specifiers: importedModules(file, readFileSync(join(root, file), 'utf8')) };
        }),
    };
  });

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;

const stringOf = (value: unknown, field: string): string => {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : '';
};

const keysOf = (value: unknown, field: string): readonly string[] => {
  const found = fieldOf(value, field);
  return typeof found === 'object' && found !== null ? Object.keys(found) : [];
};
