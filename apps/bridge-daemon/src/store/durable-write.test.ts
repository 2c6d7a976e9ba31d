import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFile, replaceFile, syncFolder } from './durable-write.ts';
import { createSpareFiles, type SpareFiles } from './spare-files.ts';

let root = '';
let scratchDir = '';
let spares: SpareFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-store-'));
  scratchDir = join(root, 'scratch');
  mkdirSync(scratchDir);
  spares = createSpareFiles({ folder: scratchDir, sparesMax: 4, syncRecords: () => syncFolder(root) });
});
afterEach(async () => {
  await spares.close();
  rmSync(root, { recursive: true, force: true });
});

const kinds = [
  { kind: 'a folder', scratch: () => scratchDir },
  { kind: 'spare files', scratch: () => spares },
];

test.each(kinds)(
  'a file is replaced as a whole by way of $kind, 0600, and nothing is left beside it [DAEM-15 DAEM-12]',
  async ({ scratch }) => {
    const path = join(root, 'a.json');
    await createFile(path, 'one', scratch());
    await replaceFile(path, 'two', scratch());
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await spares.close();
    expect(readdirSync(scratchDir)).toEqual([]);
  },
);

test.each(kinds)(
  'a write by way of $kind that fails rejects and leaves what was there, and no half file [DAEM-12]',
  async ({ scratch }) => {
    const path = join(root, 'a.json');
    await replaceFile(path, 'one', scratch());
    await expect(replaceFile(join(root, 'gone', 'b.json'), 'x', scratch())).rejects.toThrow('ENOENT');
    await spares.close();
    expect(readdirSync(scratchDir)).toEqual([]);
    expect(existsSync(join(root, 'gone'))).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('one');
  },
);

test('a hundred writes of one folder at once all settle, and so do syncs that come in between', async () => {
  const writes = Array.from({ length: 100 }, async (_, at) => {
    await createFile(join(root, `${at}.json`), String(at), spares);
    await syncFolder(root);
  });
  await Promise.all(writes);
  const texts = Array.from({ length: 100 }, (_, at) => readFileSync(join(root, `${at}.json`), 'utf8'));
  expect(texts).toEqual(texts.map((_, at) => String(at)));
  await expect(syncFolder(join(root, 'gone'))).rejects.toThrow('ENOENT');
});
