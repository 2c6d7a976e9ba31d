// Catches a record that shows another one's bytes after a power cut: its file was used again while its name still led there.
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { createSpareFiles, type SpareFiles } from './spare-files.ts';

/** Half of them are made ahead; one that is retired is reason enough for a sync. */
const sparesMax = 8;
const ahead = 4;

let root = '';
let folder = '';
let spares: SpareFiles;
let synced = 0;
let sync: () => Promise<void> = () => Promise.resolve();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-spare-'));
  folder = join(root, 'writing');
  mkdirSync(folder);
  synced = 0;
  sync = () => Promise.resolve();
  const syncRecords = (): Promise<void> => {
    synced += 1;
    return sync();
  };
  spares = createSpareFiles({ folder, sparesMax, syncRecords, delayMs: 1 });
});
afterEach(async () => {
  await spares.close();
  rmSync(root, { recursive: true, force: true });
});

const inodeOf = (path: string): number => statSync(path).ino;
const take = (): { inode: number; path: string } => {
  const { path, fd } = spares.take();
  expect(readFileSync(path, 'utf8')).toBe('');
  writeSync(fd, 'mine');
  closeSync(fd);
  return { inode: inodeOf(path), path };
};
const takeAll = (count: number) => Array.from({ length: count }, take);

test('files are made ahead, and who takes more than there are gets files all the same, each its own, 0600 [DAEM-15]', async () => {
  spares.prepare();
  await waitFor('the spares', () => readdirSync(folder).length === ahead);
  const made = readdirSync(folder).map((file) => inodeOf(join(folder, file)));
  const taken = takeAll(ahead + 2);
  // The last one made may not be known yet: whoever takes on comes to it.
  await waitFor('all made ahead to be taken', () => {
    taken.push(take());
    return made.every((inode) => taken.some((one) => one.inode === inode));
  });
  expect(new Set(taken.map(({ inode }) => inode)).size).toBe(taken.length);
  for (const { path } of taken) {
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('a file that was replaced is used again, empty, and only after the folders of the records are synced [DAEM-12]', async () => {
  let release: () => void = () => undefined;
  sync = () => new Promise((resolve) => (release = resolve));
  const path = join(root, 'a.json');
  const old = join(root, 'b.json');
  writeFileSync(path, 'one');
  writeFileSync(old, 'other');
  const retired = [inodeOf(path), inodeOf(old)];
  const before = spares.keep(path);
  writeFileSync(join(root, 'new'), 'two');
  renameSync(join(root, 'new'), path);
  before(true);
  spares.retire(old);
  expect(existsSync(old)).toBe(false);

  await waitFor('the sync to begin', () => synced === 1);
  // Until it is over a power cut may bring the old names back: these bytes must still be there.
  for (const { inode } of takeAll(2 * sparesMax)) expect(retired).not.toContain(inode);
  release();
  const used = new Set<number>();
  await waitFor('both to be used again', () => {
    // All that are ready: new ones are made on top of them.
    for (const { inode } of takeAll(sparesMax)) if (retired.includes(inode)) used.add(inode);
    return used.size === retired.length;
  });
  expect(readFileSync(path, 'utf8')).toBe('two');
});

test('a file that another name leads to is never emptied [DAEM-12]', async () => {
  const path = join(root, 'a.json');
  writeFileSync(path, 'one');
  spares.keep(path)(true);
  expect(statSync(path).nlink).toBe(2);
  await waitFor('its second name to go', () => {
    for (const { inode } of takeAll(sparesMax)) expect(inode).not.toBe(inodeOf(path));
    return statSync(path).nlink === 1;
  });
  expect(synced).toBeGreaterThan(0);
  expect(readFileSync(path, 'utf8')).toBe('one');
});

test('a replacement that failed leaves its file alone, and what is not there is no spare [DAEM-12]', async () => {
  const path = join(root, 'a.json');
  writeFileSync(path, 'one');
  spares.keep(path)(false);
  spares.keep(join(root, 'gone'))(true);
  spares.retire(join(root, 'gone'));
  await waitFor('its second name to go', () => statSync(path).nlink === 1);
  expect(readdirSync(folder)).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe('one');
});

test('a failing sync costs the spares alone, and closing removes all that are left [DAEM-12]', async () => {
  sync = () => Promise.reject(new Error('EIO'));
  writeFileSync(join(root, 'a'), 'one');
  spares.retire(join(root, 'a'));
  await waitFor('it to be let go', () => synced === 1 && readdirSync(folder).length === 0);
  let taken = 0;
  await waitFor('new ones', () => {
    take();
    taken += 1;
    return readdirSync(folder).length > taken;
  });
  await spares.close();
  // What was taken is its taker's.
  expect(readdirSync(folder)).toHaveLength(taken);
});

test('a spare that somebody removed is not missed [DAEM-12]', async () => {
  spares.prepare();
  await waitFor('the spares', () => readdirSync(folder).length === ahead);
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  expect(takeAll(2)).toHaveLength(2);
});
