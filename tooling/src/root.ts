/**
 * Where the repository lies, and which workspace folders it has.
 *
 * Boundary: reads folder listings only. Paths given back are relative to the root, with forward slashes.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a slash at its end. */
export const rootFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** What one test run leaves for the gate and for `pnpm requirements`. */
export const cacheFolder = join(rootFolder, 'node_modules/.cache/x');

/** `packages/ledger`, `apps/coms-cli`, …: every workspace folder that holds a package.json, in order of name. */
export const workspaceFolders = (root: string = rootFolder): readonly string[] => {
  const under = (parent: string): string[] =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent))
          .map((name) => `${parent}/${name}`)
          .filter((folder) => existsSync(join(root, folder, 'package.json')))
      : [];
  return [
    ...under('packages').sort(),
    ...under('apps').sort(),
    ...(existsSync(join(root, 'tooling/package.json')) ? ['tooling'] : []),
  ];
};
