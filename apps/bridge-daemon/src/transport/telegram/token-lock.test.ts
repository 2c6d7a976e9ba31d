// The bugs: two that poll with one token; a lock that a kill leaves behind; a file that is no lock removed.
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdToken, type TokenHold } from './token-lock.ts';

// A token of this run alone: the lock is the whole machine's.
const token = `42:${`t${process.pid}${Date.now()}`.padEnd(35, 'x')}`;
const holder = (name: string) => ({
  pid: process.pid,
  name,
  project: 'docs',
  since: '2026-11-30T10:00:00.000Z',
});
let folder: string;
let held: TokenHold[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bd-lock-')), 'locks');
  held = [];
});
afterEach(async () => {
  for (const hold of held) if (hold.code === 'held') await hold.release();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const hold = async (name: string, platform: NodeJS.Platform, of = token): Promise<TokenHold> => {
  const taken = await holdToken({ token: of, holder: holder(name), folder, platform });
  held.push(taken);
  return taken;
};
const platforms = [process.platform, 'darwin'] as const;

test.each(platforms)(
  'on %s the second start with a token is refused at once, naming the first [DAEM-10]',
  async (platform) => {
    expect(await hold('first', platform)).toMatchObject({ code: 'held' });
    const second = await hold('second', platform);
    expect(second).toMatchObject({
      code: 'refused',
      message: expect.stringContaining(`first (project docs, process ${process.pid}, since 2026-11-30`),
    });
    expect(JSON.stringify(second)).not.toContain(token);
    expect(await hold('other', platform, `${token}y`)).toMatchObject({ code: 'held' });
  },
);

test.each(platforms)('on %s a token that was given free is taken by the next [DAEM-10]', async (platform) => {
  const first = await hold('first', platform);
  if (first.code === 'held') await first.release();
  expect(await hold('second', platform)).toMatchObject({ code: 'held' });
});

test.each(platforms)('on %s of ten starts at once one has the token [DAEM-10]', async (platform) => {
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const taken = await Promise.all(names.map((name) => hold(name, platform)));
  expect(taken.filter(({ code }) => code === 'held')).toHaveLength(1);
});

/** What a kill leaves: a socket file at which nobody answers. */
const leaveBehind = async (path: string): Promise<void> => {
  const left = createServer();
  await new Promise<void>((resolve) => left.listen(`${path}.left`, resolve));
  linkSync(`${path}.left`, path);
  await new Promise<void>((resolve) => left.close(() => resolve()));
};

test('a socket file that a kill left behind is replaced, by one of ten starts at once [DAEM-10]', async () => {
  const first = await hold('first', 'darwin');
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.sock'));
  const path = join(folder, file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  if (first.code === 'held') await first.release();
  expect(readdirSync(folder)).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await leaveBehind(path);
    const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
    const taken = await Promise.all(names.map((name) => hold(name, 'darwin')));
    const winners = taken.filter((one) => one.code === 'held');
    expect(winners).toHaveLength(1);
    for (const winner of winners) await winner.release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('what is no socket is left where it is', async () => {
  const first = await hold('first', 'darwin');
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.sock'));
  if (first.code === 'held') await first.release();
  writeFileSync(join(folder, file), 'mine');
  expect(await hold('second', 'darwin')).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('left untouched'),
  });
  expect(readFileSync(join(folder, file), 'utf8')).toBe('mine');
});

test('a path too long for a socket is refused with what to do', async () => {
  const deep = join(folder, 'x'.repeat(100));
  const taken = await holdToken({ token, holder: holder('a'), folder: deep, platform: 'darwin' });
  expect(taken).toMatchObject({ code: 'refused', message: expect.stringContaining('shorter') });
});
