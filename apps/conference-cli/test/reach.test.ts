/**
 * The bug to catch: a dependency, or a line of ours, by which a conference could publish, push, deploy, call a registry, take a
 * credential or touch somebody's profile. What the command is bundled from is all that it can reach; what it starts is looked
 * at while it runs.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from './support/command.ts';
import { eventsNamed, snapshot } from './support/folder.ts';
import { runOnce } from './support/run.ts';

const APP = join(import.meta.dirname, '..');
const REPOSITORY = join(APP, '..', '..');

describe('everything that the command is made of', () => {
  let inputs: Metafile['inputs'];
  beforeAll(async () => {
    const { metafile } = await build({
      absWorkingDir: APP,
      entryPoints: ['src/main.ts'],
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      outdir: 'nowhere',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    ({ inputs } = metafile);
  });

  /** Files, relative to the repository, that import one of these modules of Node. */
  const importers = (...modules: readonly string[]): string[] =>
    Object.entries(inputs)
      .filter(([, { imports }]) =>
        imports.some(
          ({ path, external }) => external === true && modules.includes(path.replace(/^node:/, '')),
        ),
      )
      .map(([path]) => relative(REPOSITORY, resolve(APP, path)));

  test('holds no package for git, worktrees, registries, releases, deployment or credentials [PROTO-40]', () => {
    const packages = new Set(
      Object.keys(inputs).flatMap((path) => {
        const name = path.split('node_modules/').at(-1) ?? '';
        return name === path ? [] : [/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''];
      }),
    );
    // Enough to know that the list is one.
    for (const known of ['zod', 'yaml', '@secretlint/core']) expect([...packages]).toContain(known);
    const forbidden =
      /(^|[-/@])(git|isogit|svn|hg|octokit|github|gitlab|npm|pnpm|yarn|pacote|registry|publish|release|deploy|docker|kube\w*|terraform|aws|azure|gcp|keytar|keychain|netrc|credential\w*|ssh\d*|worktree)([-/@]|$)/i;
    expect([...packages].filter((name) => forbidden.test(name))).toEqual([]);
  });

  test('starts processes in one file only, and speaks to no network: sockets are local, in the files of the lock and of the control socket [PROTO-40]', () => {
    expect(importers('child_process')).toEqual(['apps/conference-cli/src/hosts/exec/child.ts']);
    expect(importers('cluster', 'worker_threads', 'vm', 'inspector', 'wasi')).toEqual([]);
    expect(importers('http', 'https', 'http2', 'tls', 'dns', 'dns/promises', 'dgram')).toEqual([]);
    expect(importers('net').toSorted()).toEqual([
      'apps/conference-cli/src/control/control-client.ts',
      'apps/conference-cli/src/control/control-server.ts',
      'packages/ledger/dist/node/kernel-lock.js',
    ]);
  });

  test('names no tool, credential or profile in code of ours [PROTO-40]', () => {
    const ours = Object.keys(inputs).filter(
      (path) => !path.includes('node_modules/') && /\.[jt]s$/.test(path),
    );
    expect(ours.length).toBeGreaterThan(100);
    const named =
      /['"`](?:git|gh|hg|svn|npm|npx|pnpm|yarn|docker|kubectl|ssh|scp|curl|wget)['"`]|\.(?:netrc|npmrc|gitconfig|git-credentials|aws\/|ssh\/)|(?:GITHUB|GITLAB|NPM|AWS)_[A-Z_]*(?:TOKEN|KEY)|\bfetch\(/;
    const found = ours.flatMap((path) => {
      const match = named.exec(readFileSync(resolve(APP, path), 'utf8'));
      return match === null ? [] : [`${path}: ${match[0]}`];
    });
    expect(found).toEqual([]);
  });
});

/** Tools that a conference has no business with: each says that it was started. */
const TOOLS =
  'git gh hg svn npm npx pnpm yarn docker podman kubectl terraform aws ssh scp curl wget gpg'.split(' ');

test('a whole run in a repository starts none of these tools, and leaves history, credentials and profiles as they were [PROTO-40]', async () => {
  const place = freshFolder();
  const [bin, home, log] = [join(place, 'bin'), join(place, 'home'), join(place, 'started')];
  mkdirSync(bin);
  for (const tool of TOOLS) {
    writeFileSync(join(bin, tool), `#!/bin/sh\necho ${tool} "$@" >> '${log}'\nexit 1\n`);
    chmodSync(join(bin, tool), 0o755);
  }
  for (const [path, text] of [
    [join(place, '.git/HEAD'), 'ref: refs/heads/main\n'],
    [join(place, '.git/refs/heads/main'), `${'a'.repeat(40)}\n`],
    [join(home, '.gitconfig'), '[user]\n\tname = ann\n'],
    [join(home, '.npmrc'), 'registry=https://registry.example\n'],
    [join(home, '.netrc'), 'machine example login ann\n'],
    [join(home, '.hermes/profile.json'), '{"name":"live"}\n'],
  ] as const) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const before = [snapshot(home), snapshot(join(place, '.git'))];
  const { PATH = '' } = process.env;
  const ran = await runOnce({ place, env: { PATH: `${bin}:${PATH}`, HOME: home } });
  expect(ran.code, ran.err).toBe(0);
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('');
  expect([snapshot(home), snapshot(join(place, '.git'))]).toEqual(before);
  expect(eventsNamed(ran.folder, 'cleanup.receipt')).toMatchObject([
    { background_processes_created: 'none', live_profiles_touched: 'none' },
  ]);
});
