/** The bug this exists to catch: a README whose commands do not run. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coms, main, openPlace, until } from './command.ts';

test('the first commands of the README run as they stand, and print what it says', async () => {
  const place = openPlace();
  const app = join(import.meta.dirname, '..');
  const bin = join(place.root, 'bin');
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  symlinkSync(main, join(bin, 'coms'));
  const env = { ...place.env, PATH: `${bin}${delimiter}${String(place.env['PATH'])}` };
  const commands = (/```sh\n([\s\S]*?)```/.exec(readFileSync(join(app, 'README.md'), 'utf8'))?.[1] ?? '')
    .trim()
    .split('\n');
  const [start = '', list = '', send = ''] = commands;
  expect([start.startsWith('node examples/echo-peer.mjs &'), list.startsWith('coms list')]).toEqual([
    true,
    true,
  ]);
  const peer = spawn(process.execPath, ['examples/echo-peer.mjs'], {
    cwd: app,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void peer.kill('SIGTERM'));
  let said = '';
  peer.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await until(() => said.includes('serving as echo'), 'the peer serves');
  expect(spawnSync('sh', ['-c', list], { cwd: app, env, encoding: 'utf8' }).stdout).toContain('echo');
  const expected = /# prints: (.*)$/.exec(send)?.[1];
  expect(spawnSync('sh', ['-c', send], { cwd: app, env, encoding: 'utf8' }).stdout).toBe(
    `${String(expected)}\n`,
  );
  const ended = new Promise((resolve) => peer.once('exit', resolve));
  peer.kill('SIGTERM');
  await ended;
  expect((await coms(place, ['list'])).out).toBe('');
});

test('the README names every verb that the command has, and no other', async () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const named = new Set([...readme.matchAll(/^\| `coms (\w+)/gm)].map((match) => match[1]));
  const { out } = await coms(openPlace(), ['--help']);
  const had = new Set(
    [...out.slice(out.indexOf('COMMANDS')).matchAll(/^ {2}(\w+) /gm)].map((match) => match[1]),
  );
  expect(named).toEqual(had);
});
