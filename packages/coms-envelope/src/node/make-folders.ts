/**
 * Makes a folder and what is missing above it, one `mkdir` each.
 *
 * Node's own `mkdirSync(path, { recursive: true })` goes up whenever a `mkdir` says ENOENT and comes down again: where
 * the file system says so of a folder whose parent exists (`/proc` does), it never returns, and no signal is heard.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Everything made here has mode 0700; what exists, or is made by somebody else meanwhile, stays as it is. Throws the
 * error of the file system where a folder cannot be made, also where a link at its place leads nowhere.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  // At most as many rounds as the path has parts: the root's parent is the root.
  for (let at = resolve(path); !exists(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (!exists(folder)) throw error;
    }
  }
}
