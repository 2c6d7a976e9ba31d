/** Temporary folders of one test, removed after it. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const temporaryFolder = (): string => folderIn(tmpdir());

/** On a file system in memory where there is one: for tests that open and sync thousands of times. */
export const memoryFolder = (): string => folderIn(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

const folderIn = (parent: string): string => {
  const folder = realpathSync(mkdtempSync(join(parent, 'x-ledger-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
