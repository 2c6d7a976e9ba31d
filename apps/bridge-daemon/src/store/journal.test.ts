// Catches an entry that was promised and is gone after a kill or a power cut, and one that was refused and comes back.
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { createJournal, type Journal, type JournalEntry, type JournalOptions } from './journal.ts';

let folder = '';
let settled: string[][] = [];
let settle: () => Promise<void> = () => Promise.resolve();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bd-journal-'));
  settled = [];
  settle = () => Promise.resolve();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: Partial<JournalOptions> = {}): Journal =>
  createJournal({
    folder,
    name: 'journal.a',
    bytesMax: 1_000_000,
    quietMs: 60_000,
    boot: 'boot-1',
    retryMs: 5,
    settle: async (keys) => {
      await settle();
      settled.push([...keys]);
    },
    ...more,
  });

const recovered = (more: Partial<JournalOptions> = {}): Map<string, JournalEntry> => {
  const found = new Map<string, JournalEntry>();
  const reader = open({ ...more, settle: () => Promise.reject(new Error('only read')) });
  reader.recover((key, entry) => found.set(key, entry));
  void reader.close();
  return found;
};
const texts = (more: Partial<JournalOptions> = {}) =>
  [...recovered(more)].map(([key, { text }]) => `${key}: ${text}`);
const files = () => readdirSync(folder).toSorted();
/** Keeps what is being settled from being given up. */
const stopSettling = (): void => {
  settle = () => Promise.reject(new Error('not now'));
};

test('the last text of each key comes back after a kill, in the order of writing [DAEM-12]', async () => {
  const journal = open();
  await Promise.all([
    journal.append('one', '{"n":1}'),
    journal.append('two', 'two words'),
    journal.append('three', ''),
  ]);
  await journal.append('one', '{"n":2}');
  expect(texts()).toEqual(['two: two words', 'three: ', 'one: {"n":2}']);
  expect([...recovered().values()].map(({ isOfEarlierBoot }) => isOfEarlierBoot)).toEqual([
    false,
    false,
    false,
  ]);
  expect([...recovered({ boot: 'boot-2' }).values()][0]?.isOfEarlierBoot).toBe(true);
  // A system that does not say is taken for one that has started anew.
  expect([...recovered({ boot: '' }).values()][0]?.isOfEarlierBoot).toBe(true);
  expect(texts({ name: 'journal' })).toEqual([]);
  expect(texts({ name: 'journal.b' })).toEqual([]);
});

test('cut anywhere, it gives what was whole before the cut and nothing else [DAEM-12]', async () => {
  const journal = open();
  for (const key of ['one', 'two', 'three']) await journal.append(key, `text of ${key}`);
  const [path = ''] = files().map((file) => join(folder, file));
  const whole = readFileSync(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
  for (let at = whole.length; at >= 0; at -= 1) {
    truncateSync(path, at);
    const entries = Math.max(0, ends.filter((end) => end <= at).length - 1);
    expect(texts().length, `cut at ${at}`).toBe(entries);
  }
  for (let at = 0; at < whole.length; at += 1) {
    const spoilt = Buffer.from(whole);
    spoilt[at] = (spoilt[at] ?? 0) ^ 1;
    writeFileSync(path, spoilt);
    const before = Math.max(0, ends.filter((end) => end <= at).length - 1);
    // The number of the file and the boot stand in its head: with another one, no line follows from it.
    expect(texts().length, `changed at ${at}`).toBe(before);
  }
});

test('a full file is settled while another one takes what comes, and is used again [DAEM-12]', async () => {
  const journal = open({ bytesMax: 200 });
  let go = (): void => undefined;
  settle = () => new Promise((resolve) => (go = resolve));
  await journal.append('one', 'x'.repeat(300));
  await journal.append('two', 'y');
  expect(files()).toEqual(['journal.a.1', 'journal.a.2']);
  expect(settled).toEqual([]);
  go();
  await waitFor('the first file to be settled', () => settled.length === 1);
  expect(settled).toEqual([['one']]);
  settle = () => Promise.resolve();
  // Given up, its entries no longer count, though they stand in it until it is written again.
  expect(texts()).toEqual(['two: y']);
  await journal.append('three', 'z'.repeat(300));
  await journal.append('four', 'w');
  await waitFor('the second file to be settled', () => settled.length === 2);
  expect(files()).toContain('journal.a.3');
  expect(files()).not.toContain('journal.a.1');
  expect(texts()).toEqual(['four: w']);
  await journal.close();
  expect(files()).toEqual([]);
});

test('what could not be settled stays, and is settled later [DAEM-12]', async () => {
  const journal = open({ bytesMax: 10 });
  stopSettling();
  await journal.append('one', 'a text');
  await journal.append('two', 'another');
  expect(texts()).toEqual(['one: a text', 'two: another']);
  settle = () => Promise.resolve();
  await waitFor('both to be settled', () => settled.length === 2);
  expect(texts()).toEqual([]);
  stopSettling();
  await journal.append('three', 'a third');
  await journal.close();
  expect(texts()).toEqual(['three: a third']);
});

test.each([
  { more: '', after: ['one: kept'] },
  { more: 'more', after: ['one: kept', 'five: y'] },
  // Once more what was refused, and not what was refused together with it.
  { more: 'again', after: ['one: kept', `two: ${'x'.repeat(500)}`] },
])(
  'what a full disk cut short is refused whole and does not come back, and $more follows it [DAEM-12]',
  ({ more, after }) => {
    const script = fileURLToPath(new URL('../../test/support/fill-journal.mts', import.meta.url));
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -f 8; exec "$0" --import tsx "$@"', process.execPath, script, folder, more],
      { encoding: 'utf8' },
    );
    expect(run.stdout).toBe('rejected rejected rejected\n');
    expect(texts()).toEqual(after);
  },
);

test('entries that cannot be restored stay for a later start [DAEM-12]', async () => {
  const journal = open();
  await journal.append('one', 'a text');
  const next = open();
  expect(() =>
    next.recover(() => {
      throw new Error('no space');
    }),
  ).toThrow('no space');
  await next.close();
  expect(texts()).toEqual(['one: a text']);
});

test('a file that somebody removes stops nothing, whether it waits for its next use or is written [DAEM-12]', async () => {
  const journal = open({ bytesMax: 10 });
  await journal.append('one', 'a text');
  await waitFor('it to be settled', () => settled.length === 1 && texts().length === 0);
  for (const file of files()) rmSync(join(folder, file));
  stopSettling();
  await journal.append('two', 'another');
  expect(texts()).toEqual(['two: another']);
  const busy = open({ name: 'journal.b' });
  await busy.append('three', 'a third');
  rmSync(join(folder, 'journal.b.1'));
  await busy.append('four', 'a fourth');
  expect(texts({ name: 'journal.b' })).toEqual(['four: a fourth']);
  settle = () => Promise.resolve();
  await busy.close();
  await journal.close();
  // What stood in the removed one is settled all the same.
  expect(settled.flat().toSorted()).toEqual(['four', 'one', 'three', 'two']);
});

test('a life that is about to end and the next one spoil nothing of each other [DAEM-12]', async () => {
  const ending = open();
  await ending.append('one', 'a text');
  const next = open();
  next.recover(() => undefined);
  await waitFor('what was left to be settled', () => settled.length === 1 && texts().length === 0);
  // As long as what stood there before: what the other one adds would come in the middle.
  await next.append('two', 'b text');
  await next.append('three', 'c text');
  await ending.append('four', 'd text');
  await ending.append('five', 'e text');
  await next.append('six', 'f text');
  expect(texts().toSorted()).toEqual([
    'five: e text',
    'four: d text',
    'six: f text',
    'three: c text',
    'two: b text',
  ]);
  stopSettling();
  await Promise.all([ending.close(), next.close()]);
  expect(texts().length).toBe(5);
});

test('a file in waiting takes no name that another life has taken [DAEM-12]', async () => {
  const ending = open({ bytesMax: 10 });
  await ending.append('one', 'a text');
  await waitFor('it to be settled', () => texts().length === 0);
  stopSettling();
  const next = open();
  await next.append('two', 'b text');
  await ending.append('three', 'c text');
  expect(texts()).toEqual(['two: b text', 'three: c text']);
  await Promise.all([ending.close(), next.close()]);
});

test('a file that cannot be given up keeps what follows from it until it can [DAEM-12]', async () => {
  const journal = open({ bytesMax: 10 });
  let go = (): void => undefined;
  settle = () => new Promise((resolve) => (go = resolve));
  await journal.append('one', 'a text');
  await waitFor('it to be settled', () => files().length === 1);
  // Neither spoilt nor removed, whoever runs this: a folder in its place.
  const path = join(folder, 'journal.a.1');
  const aside = join(folder, 'aside');
  linkSync(path, aside);
  rmSync(path);
  mkdirSync(path);
  settle = () => Promise.resolve();
  go();
  await waitFor('another attempt', () => settled.length > 1);
  rmdirSync(path);
  linkSync(aside, path);
  await waitFor('it to be given up', () => texts().length === 0);
  await journal.close();
  expect(files()).toEqual(['aside']);
});

test('a disk that fails for long leaves one attempt waiting, and none after the end [DAEM-12]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const journal = open({ bytesMax: 10 });
    let attempts = 0;
    settle = () => {
      attempts += 1;
      return Promise.reject(new Error('not now'));
    };
    for (let at = 1; at <= 5; at += 1) await journal.append(`key-${at}`, 'a text');
    expect(attempts).toBeGreaterThan(1);
    expect(vi.getTimerCount()).toBe(1);
    await journal.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
