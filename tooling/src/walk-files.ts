/**
 * Lists the files under a folder, passing over what is installed, built or made by a run.
 *
 * Boundary: reads directory entries, never follows a link.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const passedOver = new Set(['node_modules', 'dist', '.turbo', '.git', 'demo-out', 'coverage']);

/** Deeper trees than this are a mistake (a loop made by mounts), not a source folder. */
const depthMax = 32;

/** Paths relative to `folder`, in order of name; empty where the folder does not exist. */
export const walkFiles = (folder: string): readonly string[] => {
  const found: string[] = [];
  const visit = (relative: string, depth: number): void => {
    if (depth > depthMax) throw new Error(`${folder}/${relative}: folders nest deeper than ${depthMax}`);
    for (const entry of entriesOf(join(folder, relative))) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!passedOver.has(entry.name)) visit(path, depth + 1);
      } else if (entry.isFile()) found.push(path);
    }
  };
  visit('', 0);
  return found.sort();
};

const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Gone, or going: another process may remove a temporary folder while this one lists its parent.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
};
