/**
 * The bugs these exist to catch: a wrong command line taken for a failed delivery; help that says nothing; a folder
 * that is not safe used all the same.
 */
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { coms, main, openPlace, startServe } from './command.ts';

const verbs = ['list', 'send', 'await', 'reply', 'ask', 'cancel', 'ping', 'serve', 'completion'];

describe('help', () => {
  test('names every verb and every variable, and hides what is not for people [COMS-15 COMS-16]', async () => {
    const { code, out } = await coms(openPlace(), ['--help']);
    expect(code).toBe(0);
    for (const verb of verbs) expect(out).toMatch(new RegExp(`^ {2}${verb} +[A-Z]`, 'm'));
    for (const name of [
      'COMS_CLI_PROJECT',
      'COMS_CLI_NAME',
      'PI_COMS_DIR',
      'PI_COMS_TIMEOUT_MS',
      'PI_COMS_MAX_HOPS',
    ])
      expect(out).toContain(name);
    expect(out).not.toContain('__');
  });

  test('--version prints a version', async () => {
    expect((await coms(openPlace(), ['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a wrong command line is exit 2, with a word on stderr and none on stdout', () => {
  const wrong: string[][] = [
    ['sned', 'bob', 'x'],
    ['send', 'bob'],
    ['send', 'bob', 'x', '--timeout', '0'],
    ['send', 'bob', 'x', '--timeout', '1.5s'],
    ['send', 'bob', 'x', '--nonsense'],
    ['send', 'bob', 'x', '--msg-id', '../../x'],
    ['send', 'bob', 'x', '--name', '../x'],
    ['list', '--project', '..'],
    ['await'],
    ['completion', 'tcsh'],
    ['__wait'],
  ];
  for (const args of wrong) {
    test(`coms ${args.join(' ')}`, async () => {
      const ran = await coms(openPlace(), args);
      expect([ran.code, ran.out]).toEqual([2, '']);
      expect(ran.err.length).toBeGreaterThan(10);
    });
  }

  test('a typo is told with what was meant', async () => {
    expect((await coms(openPlace(), ['sned', 'bob', 'x'])).err).toContain('send');
  });
});

describe('a folder that is not safe', () => {
  for (const args of [
    ['list'],
    ['send', 'bob', 'x'],
    ['ping', 'bob'],
    ['serve', '--name', 'bob'],
    ['await', 'x'],
  ]) {
    test(`is refused by ${args[0]}, with the command that mends it [COMS-13]`, async () => {
      const place = openPlace();
      mkdirSync(place.root);
      chmodSync(place.root, 0o777);
      const ran = await coms(place, args);
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.err).toContain(`chmod 700 ${place.root}`);
    });
  }

  test('a path that is too long for a socket names the variable [COMS-12]', async () => {
    const place = openPlace();
    const root = join(place.root, 'x'.repeat(100));
    const ran = await coms({ root, env: { ...place.env, PI_COMS_DIR: root } }, ['serve', '--name', 'bob']);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('Set PI_COMS_DIR to a shorter folder')]);
    expect(existsSync(join(root, 'sockets', 'x.sock'))).toBe(false);
  });
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be made is an error at once, also where the file system has none of that name',
  async () => {
    const place = openPlace();
    const env = { ...place.env, PI_COMS_DIR: '/proc/no-such-folder/coms' };
    const child = spawn(process.execPath, [main, 'serve', '--name', 'bob'], { env, stdio: 'pipe' });
    // A busy loop hears no other signal.
    onTestFinished(() => void child.kill('SIGKILL'));
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be made')]);
  },
);

test.runIf(process.platform === 'linux')(
  'a result that cannot be written is a failure told in one line, not a stack',
  async () => {
    const place = openPlace();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, 'list', '--json'], {
      env: place.env,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^coms: stdout cannot be written: ENOSPC[^\n]*\n$/),
    ]);
  },
);

test('a reader that goes away ends the command quietly', async () => {
  const place = openPlace();
  await startServe(place, ['--name', 'bob', '--purpose', 'x'.repeat(50)]);
  const child = spawn(process.execPath, [main, 'list'], {
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, err]).toEqual([0, '']);
});

test('words that start with a dash come after --, and text of many words is one text [COMS-15]', async () => {
  const place = openPlace();
  await startServe(place, ['--name', 'bob'], (prompt) => prompt['prompt']);
  expect((await coms(place, ['send', 'bob', '--await', '--', '--not', 'a', 'flag'])).out).toBe(
    '--not a flag\n',
  );
  expect((await coms(place, ['send', 'bob', '--await', '-'], 'two\nlines\n')).out).toBe('two\nlines\n\n');
});
