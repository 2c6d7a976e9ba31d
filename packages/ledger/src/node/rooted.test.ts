/** Catches: a write that leaves the root, by name, by link or by a swap in between; bytes of somebody else that are gone. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary.ts';
import { digestOf, type Digest } from '../digest.ts';
import type { Grant, PlannedWrite, WriteSituation } from '../grant.ts';
import { fileContentStore } from './content-store.ts';
import { hasDescriptorPaths } from './open-folder.ts';
import { isTemporaryName, type Written } from './place.ts';
import { openRootWith, type GrantedRoot } from './rooted.ts';
import type { WriteRefused } from './write-refusal.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const planned: PlannedWrite = { grant_id: 'g', grant_revision: 1, revision: 7, digest: null };
const grantFor = (root: string): Grant => ({
  grant_id: 'g',
  root,
  actions: ['write'],
  revision: 1,
  granted_by: 'test',
});

/** A root in a folder of its own, with a neighbour that nothing may touch. */
const rootIn = (
  viaDescriptor: boolean,
  change: Partial<WriteSituation> = {},
): { root: GrantedRoot; folder: string; outside: string; base: string } => {
  const base = temporaryFolder();
  const [folder, outside] = [join(base, 'root'), join(base, 'outside')];
  mkdirSync(folder);
  mkdirSync(outside);
  const situation = (): WriteSituation => ({
    grant: grantFor(folder),
    now: '2026-01-01T00:00:00.000Z',
    revision: 7,
    accepts: () => true,
    ...change,
  });
  const outcome = openRootWith(grantFor(folder), { situation, bytesMax: 1000 }, viaDescriptor);
  if (outcome.status === 'refused') throw new Error(outcome.message);
  onTestFinished(() => outcome.root.close());
  return { root: outcome.root, folder, outside, base };
};
const shown = (outcome: Written | WriteRefused): string => {
  if (outcome.status === 'written') return outcome.how;
  return outcome.code === 'WRITE_CHECK_FAILED' ? `check ${outcome.check}` : outcome.code;
};
const everything = (folder: string): string[] =>
  readdirSync(folder, { recursive: true }).map(String).toSorted();

// Linux resolves names below descriptors; the other way is that of macOS, and runs everywhere.
const ways = hasDescriptorPaths() ? [true, false] : [false];

test.each(ways)(
  'a file is made with its folders, replaced by digest, and left alone when it is right (by descriptor: %s) [PROTO-34 LEDG-15]',
  (way) => {
    const { root, folder } = rootIn(way);
    const umask = process.umask(0o200);
    onTestFinished(() => void process.umask(umask));
    const write = (text: string, replaces: Digest[] = []): string =>
      shown(root.write({ path: 'a/b/c.md', bytes: bytes(text), planned, replaces }));
    expect(write('one')).toBe('created');
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a/b/c.md')).mode & 0o777).toBe(0o600);
    const { ino, mtimeMs } = statSync(join(folder, 'a/b/c.md'));
    expect(write('one')).toBe('unchanged');
    expect(statSync(join(folder, 'a/b/c.md'))).toMatchObject({ ino, mtimeMs });
    expect(write('two')).toBe('WRITE_TARGET_UNKNOWN');
    expect(readFileSync(join(folder, 'a/b/c.md'), 'utf8')).toBe('one');
    chmodSync(join(folder, 'a/b/c.md'), 0o640);
    expect(write('two', [digestOf('zero'), digestOf('one')])).toBe('replaced');
    expect(readFileSync(join(folder, 'a/b/c.md'), 'utf8')).toBe('two');
    expect(statSync(join(folder, 'a/b/c.md')).mode & 0o777).toBe(0o640);
    expect(everything(folder)).toEqual(['a', 'a/b', 'a/b/c.md']);
  },
);

test.each(ways)(
  'bytes that somebody else put there are never overwritten, and are named by digest (by descriptor: %s) [PROTO-34]',
  (way) => {
    const { root, folder } = rootIn(way);
    writeFileSync(join(folder, 'report.md'), 'mine');
    const outcome = root.write({ path: 'report.md', bytes: bytes('theirs'), planned });
    expect(outcome).toMatchObject({
      code: 'WRITE_TARGET_UNKNOWN',
      found: digestOf('mine'),
      path: 'report.md',
    });
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('mine');
    expect(everything(folder)).toEqual(['report.md']);
  },
);

test.each(ways)(
  'no name, link or pipe leads out of the root, and the disk stays as it was (by descriptor: %s) [PROTO-36]',
  (way) => {
    const { root, folder, outside, base } = rootIn(way);
    writeFileSync(join(outside, 'victim'), 'untouched');
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'victim'), join(folder, 'file-link'));
    symlinkSync(join(outside, 'new'), join(folder, 'dangling'));
    symlinkSync('.', join(folder, 'self'));
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const before = everything(base);
    const out = [
      '../outside/x',
      '/etc/x',
      'a/../../outside/x',
      './x',
      'a//b',
      '',
      'a/',
      '.',
      '..',
      'a\0b',
      'link/x',
      'link/victim',
      'self/x',
      'file-link',
      'dangling',
      'folder',
      'pipe',
      'x'.repeat(256),
      'a/'.repeat(40) + 'x',
      '.x-tmp-0123456789abcdef',
    ];
    for (const path of out)
      expect([path, shown(root.write({ path, bytes: bytes('x'), planned }))]).toEqual([path, 'check path']);
    expect(everything(base)).toEqual(before);
    expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('untouched');
    expect(root.read('link/victim')).toMatchObject({ status: 'refused', check: 'path' });
    expect(root.read('file-link')).toEqual({ status: 'other', found: 'a symbolic link' });
    expect(root.read('none/x')).toEqual({ status: 'missing' });
  },
);

test.each(ways)(
  'a hard link to a file outside is replaced as a name, its bytes outside stay (by descriptor: %s) [PROTO-36]',
  (way) => {
    const { root, folder, outside } = rootIn(way);
    writeFileSync(join(outside, 'victim'), 'old');
    linkSync(join(outside, 'victim'), join(folder, 'x'));
    expect(shown(root.write({ path: 'x', bytes: bytes('new'), planned, replaces: [digestOf('old')] }))).toBe(
      'replaced',
    );
    expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('old');
  },
);

test.each(ways)(
  'each failed check refuses the write by its name and changes nothing (by descriptor: %s) [PROTO-37 LEDG-14]',
  (way) => {
    const cases: readonly (readonly [Partial<WriteSituation>, string])[] = [
      [{ grant: null }, 'check grant'],
      [
        {
          now: '2027-01-01T00:00:00.000Z',
          grant: { ...grantFor('/'), expires_at: '2026-06-01T00:00:00.000Z' },
        },
        'check grant',
      ],
      [{ revision: 8 }, 'check revision'],
      [{ accepts: () => false }, 'check digest'],
      [{ grant: grantFor('/somewhere/else') }, 'check path'],
    ];
    for (const [change, expected] of cases) {
      const { root, folder } = rootIn(way, change);
      expect(
        shown(root.write({ path: 'a/x', bytes: bytes('x'), planned: { ...planned, digest: digestOf('p') } })),
      ).toBe(expected);
      expect(everything(folder)).toEqual([]);
    }
  },
);

test.each(ways)(
  'a root that is a link, relative, or not canonical is refused, and so is one that moved (by descriptor: %s) [PROTO-36]',
  (way) => {
    const { root, folder, outside, base } = rootIn(way);
    symlinkSync(folder, join(base, 'alias'));
    symlinkSync(base, join(base, 'base-alias'));
    const situation = (): WriteSituation => ({ grant: null, now: '', revision: 0, accepts: () => true });
    for (const path of [
      'root',
      `${folder}/`,
      join(base, 'alias'),
      `${base}/./root`,
      `${base}/outside/../root`,
      join(base, 'base-alias', 'root'),
      join(base, 'none'),
    ]) {
      expect([path, openRootWith(grantFor(path), { situation }, way).status]).toEqual([path, 'refused']);
    }
    renameSync(folder, join(base, 'moved'));
    symlinkSync(outside, folder);
    expect(shown(root.write({ path: 'a/x', bytes: bytes('x'), planned }))).toBe('check path');
    expect([...everything(outside), ...everything(join(base, 'moved'))]).toEqual([]);
    rmSync(folder);
  },
);

/** Swaps a folder of the root with a link to the outside and back, over and over, until told to stop. */
const swapper = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { mkdirSync, renameSync, symlinkSync, rmSync } = require('node:fs');
  const { inner, outside, stop } = workerData;
  const flag = new Int32Array(stop);
  const pause = () => Atomics.wait(flag, 1, 0, 0.2 * Math.random());
  parentPort.postMessage('started');
  while (Atomics.load(flag, 0) === 0) {
    try {
      renameSync(inner, inner + '.kept');
      symlinkSync(outside, inner);
      pause();
      rmSync(inner);
      renameSync(inner + '.kept', inner);
    } catch {
      // The writer made the folder anew in between: start over.
      rmSync(inner, { recursive: true, force: true });
      rmSync(inner + '.kept', { recursive: true, force: true });
      mkdirSync(inner, { recursive: true });
    }
    pause();
  }
`;

test.runIf(hasDescriptorPaths())(
  'a folder that is swapped with a link outwards, in a race, never lets one byte out [PROTO-36]',
  async () => {
    const { root, folder, outside } = rootIn(true);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const stop = new SharedArrayBuffer(8);
    const worker = new Worker(swapper, { eval: true, workerData: { inner, outside, stop } });
    await new Promise((resolve) => worker.once('message', resolve));
    const outcomes = new Set<string>();
    for (let n = 0; n < (process.env['FULL'] === '1' ? 20_000 : 1500); n++) {
      outcomes.add(shown(root.write({ path: `inner/${n}`, bytes: bytes('x'), planned })));
      if (n % 100 === 0) expect(readdirSync(outside)).toEqual([]);
    }
    Atomics.store(new Int32Array(stop), 0, 1);
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(readdirSync(outside)).toEqual([]);
    expect(
      [...outcomes].filter((outcome) => !['created', 'check path', 'WRITE_VANISHED'].includes(outcome)),
    ).toEqual([]);
    expect(outcomes).toContain('created');
  },
);

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a read-only file system is a typed error [LEDG-07]',
  () => {
    const { folder } = rootIn(true);
    const script = `
    import { openGrantedRoot } from '@x/ledger/node';
    const grant = ${JSON.stringify(grantFor(folder))};
    const { root } = openGrantedRoot(grant, { situation: () => ({ grant, now: '2026-01-01T00:00:00.000Z', revision: 7, accepts: () => true }) });
    const { code, errno } = root.write({ path: 'x', bytes: Buffer.from('x'), planned: ${JSON.stringify(planned)} });
    console.log(code, errno);`;
    const command = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder} && exec "$@"`;
    const run = ['-m', 'sh', '-c', command, 'sh', process.execPath, '--input-type=module', '-e', script];
    const options = { cwd: new URL('.', import.meta.url), encoding: 'utf8' } as const;
    expect(execFileSync('unshare', run, options)).toBe('WRITE_READ_ONLY EROFS\n');
  },
);

test('content is durable under its digest, put twice is once, and reading verifies [LEDG-10]', () => {
  const { root, folder } = rootIn(ways[0] === true);
  const store = fileContentStore({ root, folder: 'packets', planned: () => planned });
  const digest = digestOf('{"a":1}');
  expect(store.get(digest)).toEqual({ status: 'missing' });
  expect(store.survey([digest])).toMatchObject({ named: [], missing: [digest] });
  expect(store.put(bytes('{"a":1}'))).toEqual({ status: 'stored', digest, already: false });
  expect(store.put(bytes('{"a":1}'))).toEqual({ status: 'stored', digest, already: true });
  expect(store.pathOf(digest)).toBe(`packets/${digest.slice(7)}.json`);
  expect(readFileSync(join(folder, store.pathOf(digest)), 'utf8')).toBe('{"a":1}');
  expect(store.get(digest)).toMatchObject({ status: 'found', bytes: Buffer.from('{"a":1}') });
  writeFileSync(join(folder, store.pathOf(digest)), '{"a":2}');
  expect(store.get(digest)).toMatchObject({ status: 'damaged', actual: digestOf('{"a":2}') });
  expect(store.put(bytes('{"a":1}'))).toMatchObject({
    code: 'WRITE_TARGET_UNKNOWN',
    found: digestOf('{"a":2}'),
  });
});

test('content that is not accepted is not written, and a survey tells orphans from leftovers and strangers [LEDG-10 PROTO-37]', () => {
  const { root, folder } = rootIn(ways[0] === true, { accepts: (digest) => digest !== digestOf('no') });
  const store = fileContentStore({ root, folder: 'objects', planned: () => planned });
  expect(store.put(bytes('no'))).toMatchObject({ code: 'WRITE_CHECK_FAILED', check: 'digest' });
  store.put(bytes('one'));
  store.put(bytes('two'));
  writeFileSync(join(folder, 'objects', '.x-tmp-0123456789abcdef'), 'half');
  writeFileSync(join(folder, 'objects', 'notes.txt'), '');
  expect(isTemporaryName('.x-tmp-0123456789abcdef')).toBe(true);
  expect(store.survey([digestOf('one'), digestOf('three')])).toEqual({
    named: [digestOf('one')],
    orphans: [digestOf('two')],
    temporary: ['.x-tmp-0123456789abcdef'],
    foreign: ['notes.txt'],
    missing: [digestOf('three')],
  });
});
