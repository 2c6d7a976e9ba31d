// The bugs: an update that counts twice after a crash; updates lost because ids start anew after a week; a damaged file
// that is written over, or that keeps the bridge from starting.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  emptyState,
  isRepeated,
  openStateFile,
  readState,
  withHandled,
  type StateFile,
  type UpdatesState,
} from './updates-state.ts';
import { nowMs, q1 } from './way-in.fixture.ts';

const dayMs = 86_400_000;
let root = '';
let path = '';
let file: StateFile;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-updates-'));
  path = join(root, 'updates.json');
  mkdirSync(join(root, 'prepared'));
  file = openStateFile(path, join(root, 'prepared'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const full: UpdatesState = {
  ...emptyState,
  offset: 101,
  last_update_at: nowMs,
  recent_ids: [100],
  answers: [
    {
      qid: q1,
      by: 'telegram:ann',
      user: 7,
      chat: 42,
      topic: null,
      via: 'message',
      at: '2026-11-30T10:00:00.000Z',
      pieces: [{ message: 3, text: 'їжак 🙂' }],
      joining: { last_at: nowMs, until: nowMs + 2_000 },
      due: true,
      written: [],
    },
  ],
  heard: [{ chat: 42, message: 3, qid: q1, digest: 'd' }],
  texts: [
    {
      do: 'reply',
      chat: 42,
      topic: 3,
      message: 3,
      text: 'x',
      buttons: [{ text: 'b', token: 't' }],
      since: 1,
    },
  ],
};

test('what is saved is loaded, in a file of our own alone', async () => {
  await file.save(full);
  expect(await file.load()).toEqual({ state: full, damaged: null });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(root).toSorted()).toEqual(['prepared', 'updates.json']);
});

test('where nothing was stored the state is empty, and knows no update', async () => {
  expect(await file.load()).toEqual({ state: emptyState, damaged: null });
  expect(isRepeated(emptyState, 100, nowMs)).toBe(false);
});

test.each([
  ['is cut', '{"v":1,"offset":10'],
  ['holds something else', '{"v":1}'],
  ['is of a newer version', JSON.stringify({ ...emptyState, v: 2 })],
])('a file that %s is set aside and named, and updates count anew', async (_, text) => {
  writeFileSync(path, text);
  const { state, damaged } = await file.load();
  expect(state).toEqual(emptyState);
  expect(damaged).toContain('updates.json.damaged');
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(text);
  // A second one does not take the place of the first.
  writeFileSync(path, 'other');
  await file.load();
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(text);
  expect(readFileSync(`${path}.damaged-2`, 'utf8')).toBe('other');
});

test('what is wrong with a file is said without a word that somebody wrote', () => {
  const reading = readState(`{"v":1,"texts":[{"text":"my secret"`);
  expect(JSON.stringify(reading)).not.toContain('secret');
});

test('a link in place of the file is not followed', async () => {
  writeFileSync(join(root, 'other'), JSON.stringify(full));
  symlinkSync(join(root, 'other'), path);
  expect(await file.load()).toMatchObject({ state: emptyState });
  expect(readFileSync(join(root, 'other'), 'utf8')).toBe(JSON.stringify(full));
});

test('a save that fails leaves the state before it', async () => {
  await file.save(full);
  const broken = openStateFile(path, join(root, 'missing'));
  await expect(broken.save(emptyState)).rejects.toThrow('ENOENT');
  expect((await file.load()).state).toEqual(full);
});

test('an update that comes again is known, also long after [DAEM-10]', () => {
  let state = emptyState;
  for (let id = 100; id < 500; id += 1) state = withHandled(state, id, nowMs);
  expect(state.recent_ids).toHaveLength(200);
  for (const id of [100, 299, 300, 499]) expect(isRepeated(state, id, nowMs)).toBe(true);
  expect(isRepeated(state, 500, nowMs)).toBe(false);
});

test('after almost a week without updates ids may start anew, and none is dropped for being low [DAEM-10]', () => {
  const state = withHandled(withHandled(emptyState, 9_000, nowMs), 9_001, nowMs);
  const later = nowMs + 6 * dayMs;
  expect(isRepeated(state, 17, later)).toBe(true);
  expect(isRepeated(state, 17, later + 1)).toBe(false);
  expect(isRepeated(state, 9_001, later + 1)).toBe(true);
  const anew = withHandled(state, 17, later + 1);
  expect(isRepeated(anew, 16, later + 2)).toBe(true);
  expect(isRepeated(anew, 18, later + 2)).toBe(false);
});

test('an id far below the count is one of another server, and is heard [DAEM-10]', () => {
  const state = withHandled(emptyState, 900_000_000, nowMs);
  expect(isRepeated(state, 100, nowMs)).toBe(false);
  expect(isRepeated(state, 899_999_999, nowMs)).toBe(true);
});
