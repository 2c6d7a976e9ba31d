import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFile, replaceFile, syncFolder } from './durable-write.ts';

let root = '';
let scratchDir = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-store-'));
  scratchDir = join(root, 'scratch');
  mkdirSync(scratchDir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a file is replaced as a whole, 0600, and nothing is left beside it [DAEM-15 DAEM-12]', async () => {
  const path = join(root, 'a.json');
  await createFile(path, 'one', scratchDir);
  await replaceFile(path, 'two', scratchDir);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(scratchDir)).toEqual([]);
});

test('a write that fails rejects and leaves what was there, and no half file [DAEM-12]', async () => {
  const path = join(root, 'a.json');
  await replaceFile(path, 'one', scratchDir);
  await expect(replaceFile(join(root, 'gone', 'b.json'), 'x', scratchDir)).rejects.toThrow('ENOENT');
  expect(readdirSync(scratchDir)).toEqual([]);
  expect(existsSync(join(root, 'gone'))).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one');
});

test('a hundred writes of one folder at once all settle, and so do syncs that come in between', async () => {
  const writes = Array.from({ length: 100 }, async (_, at) => {
    await createFile(join(root, `${at}.json`), String(at), scratchDir);
    await syncFolder(root);
  });
  await Promise.all(writes);
  const texts = Array.from({ length: 100 }, (_, at) => readFileSync(join(root, `${at}.json`), 'utf8'));
  expect(texts).toEqual(texts.map((_, at) => String(at)));
  await expect(syncFolder(join(root, 'gone'))).rejects.toThrow('ENOENT');
});
