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
import { syncFolder } from './durable-write.ts';
import { createLazyFiles } from './lazy-files.ts';
import { createSpareFiles, type SpareFiles } from './spare-files.ts';

let root = '';
let scratch = '';
let path = '';
let spares: SpareFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-lazy-'));
  scratch = join(root, 'scratch');
  mkdirSync(scratch);
  path = join(root, 'a.json');
  writeFileSync(path, 'one');
  spares = createSpareFiles({ folder: scratch, sparesMax: 4, syncRecords: () => syncFolder(root) });
});
afterEach(async () => {
  await spares.close();
  rmSync(root, { recursive: true, force: true });
});

const kept = (): string[] => readdirSync(scratch).filter((file) => file.endsWith('.kept'));

test('the version that the disk holds is kept until a new one is synced, through several changes [DAEM-12]', async () => {
  const lazy = createLazyFiles({ scratchDir: scratch, syncMs: 60_000, spares });
  lazy.replace(path, 'two');
  lazy.replace(path, 'three');
  expect(readFileSync(path, 'utf8')).toBe('three');
  expect(readFileSync(join(scratch, 'a.json.kept'), 'utf8')).toBe('one');
  await lazy.close();
  expect(kept()).toEqual([]);
});

test('the sync comes by itself, and what was moved on needs none [DAEM-12]', async () => {
  const lazy = createLazyFiles({ scratchDir: scratch, syncMs: 5, spares });
  lazy.replace(path, 'two');
  await waitFor('the sync', () => kept().length === 0);
  lazy.replace(path, 'three');
  lazy.settled(path);
  expect(kept()).toEqual([]);
  await lazy.close();
});

test('a change that fails leaves what was there and nothing beside it [DAEM-12]', async () => {
  const lazy = createLazyFiles({ scratchDir: scratch, syncMs: 60_000, spares });
  expect(() => lazy.replace(join(root, 'gone.json'), 'x')).toThrow('ENOENT');
  expect(existsSync(join(root, 'gone.json'))).toBe(false);
  await lazy.close();
  await spares.close();
  expect(readdirSync(scratch)).toEqual([]);
});
