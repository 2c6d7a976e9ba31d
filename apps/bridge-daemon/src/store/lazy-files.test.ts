// Catches a power cut that takes the old version of a record together with the new one.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { createLazyFiles } from './lazy-files.ts';

let root = '';
let scratch = '';
let path = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-lazy-'));
  scratch = join(root, 'scratch');
  mkdirSync(scratch);
  path = join(root, 'a.json');
  writeFileSync(path, 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the version that the disk holds is kept until a new one is synced, through several changes [DAEM-12]', async () => {
  const lazy = createLazyFiles(scratch, 60_000);
  await lazy.replace(path, 'two');
  await lazy.replace(path, 'three');
  expect(readFileSync(path, 'utf8')).toBe('three');
  expect(readFileSync(join(scratch, 'a.json.kept'), 'utf8')).toBe('one');
  await lazy.close();
  expect(readdirSync(scratch)).toEqual([]);
});

test('the sync comes by itself, and what was moved on needs none [DAEM-12]', async () => {
  const lazy = createLazyFiles(scratch, 5);
  await lazy.replace(path, 'two');
  await waitFor('the sync', () => readdirSync(scratch).length === 0);
  await lazy.replace(path, 'three');
  await lazy.settled(path);
  expect(readdirSync(scratch)).toEqual([]);
  await lazy.close();
});

test('a change that fails leaves what was there and nothing beside it [DAEM-12]', async () => {
  const lazy = createLazyFiles(scratch, 60_000);
  await expect(lazy.replace(join(root, 'gone.json'), 'x')).rejects.toThrow('ENOENT');
  expect(existsSync(join(root, 'gone.json'))).toBe(false);
  expect(readdirSync(scratch)).toEqual([]);
  await lazy.close();
});
