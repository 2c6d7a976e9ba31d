/**
 * The bugs these exist to catch: a schema that no validator takes, and a completion script that prints well and
 * completes nothing. The shells themselves are asked, where they are installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { conference, freshFolder, main } from './support/command.ts';

test('every schema that is listed is a JSON Schema 2020-12 that can be read, and an unknown name names them all', async () => {
  const cwd = freshFolder();
  const { out } = await conference(['schema', '--json'], { cwd });
  const names = JSON.parse(out) as string[];
  expect(names).toEqual(expect.arrayContaining(['charter', 'plan', 'packet.researcher']) as string[]);
  const words = await conference(['schema'], { cwd });
  expect(words.out.trimEnd().split('\n')).toEqual(names);
  const wrong = await conference(['schema', 'packet.wizard'], { cwd });
  expect(wrong.code).toBe(2);
  for (const name of names) expect(wrong.err).toContain(name);
  // Each is a process of its own; a sample by default, all of them in full.
  const sample = process.env['FULL'] === '1' ? names : names.filter((_, at) => at % 8 === 0);
  for (const name of sample) {
    const ran = await conference(['schema', name], { cwd });
    expect(ran.code, name).toBe(0);
    const schema = JSON.parse(ran.out) as z.core.JSONSchema.JSONSchema;
    expect(schema.$schema, name).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(() => z.fromJSONSchema(schema), name).not.toThrow();
  }
}, 120_000);

const VERBS = [
  'cancel',
  'completion',
  'confirm',
  'decide',
  'dispatch',
  'evaluate',
  'expire',
  'next',
  'plan',
  'report',
  'run',
  'schema',
  'status',
  'submit',
  'verify',
];

test('every verb explains itself: usage, examples and exit codes [CLI-01]', async () => {
  const cwd = freshFolder();
  const top = await conference(['--help'], { cwd });
  expect(top.code).toBe(0);
  for (const verb of VERBS) expect(top.out).toMatch(new RegExp(`^  ${verb} +\\S`, 'm'));
  expect(top.out).not.toContain('__complete');
  const sample = process.env['FULL'] === '1' ? VERBS : ['run', 'verify', 'completion'];
  for (const verb of sample) {
    const { code, out } = await conference([verb, '--help'], { cwd });
    expect(code, verb).toBe(0);
    expect(out, verb).toContain('USAGE');
    expect(out, verb).toContain('EXAMPLES');
  }
});

test('completion proposes verbs, flags and shells, and nothing for what is no verb', async () => {
  const cwd = freshFolder();
  const proposed = async (...words: string[]): Promise<string[]> =>
    (await conference(['__complete', '--', ...words], { cwd })).out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0] ?? '');
  expect(await proposed('ver')).toEqual(['verify']);
  expect(await proposed('')).not.toContain('__complete');
  expect(await proposed('run', '--write')).toEqual(['--write-to']);
  expect(await proposed('completion', 'z')).toEqual(['zsh']);
  expect(await proposed('nonsense', '')).toEqual([]);
});

function missing(name: string): string {
  return spawnSync(name, ['-c', 'exit 0']).status === 0 ? '' : `${name} is not on this machine`;
}

/** A shell with `conference` on its PATH. */
function shell(command: string, args: (folder: string) => string[]): string {
  const folder = freshFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(main, join(bin, 'conference'));
  const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const ran = spawnSync(command, args(folder), {
    env: { PATH, HOME: folder, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 25_000,
  });
  return `${ran.stdout}${ran.stderr}`;
}

describe.skipIf(missing('bash') !== '')(`bash${missing('bash') && ` (skipped: ${missing('bash')})`}`, () => {
  const script =
    'source <(conference completion bash); COMP_WORDS=(conference eval); COMP_CWORD=1; _conference; echo "${COMPREPLY[@]}"';
  test('completes a verb', () => {
    expect(shell('bash', () => ['--norc', '-c', script])).toBe('evaluate\n');
  });
});

describe.skipIf(missing('fish') !== '')(`fish${missing('fish') && ` (skipped: ${missing('fish')})`}`, () => {
  test('completes a verb', () => {
    const script = 'conference completion fish | source; complete -C "conference eval"';
    expect(shell('fish', () => ['--no-config', '-c', script])).toMatch(/^evaluate\t.*\n$/);
  });
});

/** zsh completes only in a terminal, so one is made for it. */
const inZsh = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'autoload -U compinit; compinit -u -D; PS1="> "; source <(conference completion zsh); echo rea""dy'
zpty -r -m z out '*ready*'
zpty -w -n z $'conference eval\\t'
zpty -r -m z out '*evaluate*' && print -r completed
zpty -d z
`;

describe.skipIf(missing('zsh') !== '')(`zsh${missing('zsh') && ` (skipped: ${missing('zsh')})`}`, () => {
  test('completes a verb', () => {
    const args = (folder: string): string[] => {
      writeFileSync(join(folder, 'complete.zsh'), inZsh);
      return ['-f', join(folder, 'complete.zsh')];
    };
    expect(shell('zsh', args)).toContain('completed');
  });
});
