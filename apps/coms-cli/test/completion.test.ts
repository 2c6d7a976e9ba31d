/**
 * The bug these exist to catch: a completion script that prints well and completes nothing. The shells themselves are
 * asked, where they are installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coms, main, openPlace, startServe, type Place } from './command.ts';

function missing(shell: string): string {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0 ? '' : `${shell} is not on this machine`;
}

/** A place with one peer, and `coms` on the PATH. */
async function placeWithBob(): Promise<Place> {
  const place = openPlace();
  await startServe(place, ['--name', 'bob', '--purpose', 'it: helps']);
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  symlinkSync(main, join(bin, 'coms'));
  return {
    ...place,
    env: {
      ...place.env,
      PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${String(place.env['PATH'])}`,
    },
  };
}

function runShell(place: Place, command: string, args: string[]): string {
  const ran = spawnSync(command, args, {
    env: { ...place.env, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 25_000,
  });
  return `${ran.stdout}${ran.stderr}`;
}

test('proposes verbs, flags, peers and projects, and nothing for free text', async () => {
  const place = await placeWithBob();
  const proposed = async (...words: string[]): Promise<string[]> =>
    (await coms(place, ['__complete', '--', ...words])).out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0] ?? '');
  expect(await proposed('s')).toEqual(['send', 'serve']);
  expect(await proposed('')).not.toContain('__wait');
  expect(await proposed('send', '')).toContain('bob');
  expect(await proposed('send', 'bob', '')).toEqual([]);
  expect(await proposed('send', '--pro')).toEqual(['--project']);
  expect(await proposed('list', '--project', 'd')).toContain('default');
  expect(await proposed('completion', 'z')).toContain('zsh');
  expect(await proposed('nonsense', '')).toEqual([]);
});

const inBash =
  'source <(coms completion bash); COMP_WORDS=(coms send b); COMP_CWORD=2; _coms; echo "${COMPREPLY[@]}"';

describe.skipIf(missing('bash') !== '')(`bash${missing('bash') && ` (skipped: ${missing('bash')})`}`, () => {
  test('completes a peer', async () => {
    expect(runShell(await placeWithBob(), 'bash', ['--norc', '-c', inBash])).toBe('bob\n');
  });
});

describe.skipIf(missing('fish') !== '')(`fish${missing('fish') && ` (skipped: ${missing('fish')})`}`, () => {
  test('completes a peer and a verb', async () => {
    const script = 'coms completion fish | source; complete -C "coms send b"; complete -C "coms lis"';
    expect(runShell(await placeWithBob(), 'fish', ['--no-config', '-c', script])).toMatch(
      /^bob\t.*\nlist\t.*\n$/,
    );
  });
});

/** zsh completes only in a terminal, so one is made for it. */
const inZsh = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'autoload -U compinit; compinit -u -D; PS1="> "; source <(coms completion zsh); echo rea""dy'
zpty -r -m z out '*ready*'
zpty -w -n z $'coms send b\\t'
zpty -r -m z out '*bob*' && print -r completed
zpty -d z
`;

describe.skipIf(missing('zsh') !== '')(`zsh${missing('zsh') && ` (skipped: ${missing('zsh')})`}`, () => {
  test('completes a peer', async () => {
    const place = await placeWithBob();
    const script = join(place.root, 'complete.zsh');
    writeFileSync(script, inZsh);
    expect(runShell(place, 'zsh', ['-f', script])).toContain('completed');
  });
});
