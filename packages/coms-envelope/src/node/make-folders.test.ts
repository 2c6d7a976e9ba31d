/**
 * The bug these exist to catch: a folder on the way that is left open to others, or made behind a link. That a file
 * system which makes no folders ends in an error is shown with the built commands, which a loop would not take along.
 */
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders } from './make-folders.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'make-folders-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('every missing folder of a path is made for its owner alone, and once', () => {
  const path = join(root, 'a', 'b', 'c');
  makeFolders(path);
  makeFolders(path);
  for (const made of [path, join(root, 'a', 'b'), join(root, 'a')]) {
    expect(statSync(made).mode & 0o7777).toBe(0o700);
  }
});

test('a file on the way and a link that leads nowhere are errors, and nothing is made beyond them', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere'), join(root, 'link'));
  expect(() => makeFolders(join(root, 'file', 'a'))).toThrow('ENOTDIR');
  expect(() => makeFolders(join(root, 'link'))).toThrow('EEXIST');
  expect(() => makeFolders(join(root, 'link', 'a'))).toThrow('EEXIST');
  expect(existsSync(join(root, 'nowhere'))).toBe(false);
});
