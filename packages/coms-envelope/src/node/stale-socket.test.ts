/** The bug these exist to catch: the slower of two starts removes the socket that the faster one has just bound. */
import { existsSync, lstatSync, readdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/coms-dir.ts';
import { removeJudged } from './stale-socket.ts';

function plant(): { folder: string; path: string } {
  const folder = tempFolder();
  const path = join(folder, 's.sock');
  writeFileSync(path, 'judged');
  return { folder, path };
}

/** The file by which a process has the right to remove this one. */
function rightTo(path: string): string {
  const { ino, ctimeMs } = lstatSync(path);
  return `${path}.${ino}-${Math.trunc(ctimeMs)}.stale`;
}

test('the judged file is removed, and nothing else is left behind [COMS-12]', () => {
  const { folder, path } = plant();
  expect(removeJudged(path, lstatSync(path))).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test('while another process has the right to it, it stays [COMS-12]', () => {
  const { path } = plant();
  writeFileSync(rightTo(path), '');
  expect(removeJudged(path, lstatSync(path))).toBe(false);
  expect(existsSync(path)).toBe(true);
});

test('a right that a killed process left behind is given up after its time [COMS-12]', () => {
  const { path } = plant();
  const right = rightTo(path);
  writeFileSync(right, '');
  utimesSync(right, 1, 1);
  expect(removeJudged(path, lstatSync(path))).toBe(false);
  expect(removeJudged(path, lstatSync(path))).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test('a file that has taken the place of the judged one stays [COMS-12]', () => {
  const { folder, path } = plant();
  const judged = lstatSync(path);
  writeFileSync(join(folder, 'holds-the-inode-number'), '');
  unlinkSync(path);
  writeFileSync(path, 'newly bound');
  expect(removeJudged(path, judged)).toBe(true);
  expect(existsSync(path)).toBe(true);
});
