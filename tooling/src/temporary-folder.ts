/**
 * A folder for one test, filled from a literal listing and removed when the test ends.
 *
 * Boundary: for tests; writes below the system's temporary folder only.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Absolute path of a fresh folder that holds `files` (path → text). */
export const temporaryFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = makeFolder(files);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The same, for a caller that removes it itself. */
export const makeFolder = (files: Readonly<Record<string, string>>): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-tooling-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};
