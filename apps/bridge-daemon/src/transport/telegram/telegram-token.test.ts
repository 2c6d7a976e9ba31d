// The bugs: a token that a child inherits, that others on the machine can read, or that stands in an error.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botIdOf, takeToken } from './telegram-token.ts';

const secret = `AAH-${'x'.repeat(30)}_z`;
const token = `42:${secret}`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bd-token-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (text: string, mode = 0o600): string => {
  const path = join(folder, 'token');
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
};
const fromFile = (path: string) => takeToken({ TELEGRAM_BOT_TOKEN_FILE: path });
const words = (reading: ReturnType<typeof takeToken>): string =>
  reading.code === 'refused' ? reading.message : '';

test('the token comes from the variable, which is gone afterwards, so that no child inherits it [DAEM-10]', () => {
  const env = { TELEGRAM_BOT_TOKEN: ` ${token}\n`, PATH: '/bin' };
  expect(takeToken(env)).toEqual({ code: 'token', token });
  expect(env).toEqual({ PATH: '/bin' });
  expect(botIdOf(token)).toBe('42');
});

test('it comes from a file of ours alone, a byte order mark and a line feed left aside [DAEM-10]', () => {
  expect(fromFile(fileOf(`\uFEFF${token}\n`))).toEqual({ code: 'token', token });
  expect(fromFile(fileOf(token, 0o400))).toEqual({ code: 'token', token });
});

test.each([
  ['read by the group', 0o640],
  ['read by all', 0o604],
  ['written by the group', 0o620],
])('a file that may be %s is refused with what to do, and not with what it holds [DAEM-10]', (_, mode) => {
  const message = words(fromFile(fileOf(token, mode)));
  expect(message).toContain('run chmod 600');
  expect(message).not.toContain(secret);
});

test('a link, a folder, a file that is not there, a large one and an empty one are refused [DAEM-10]', () => {
  const path = fileOf(token);
  symlinkSync(path, join(folder, 'link'));
  expect(words(fromFile(join(folder, 'link')))).toContain('is a link');
  mkdirSync(join(folder, 'dir'));
  expect(words(fromFile(join(folder, 'dir')))).toContain('is not a regular file');
  expect(words(fromFile(join(folder, 'none')))).toContain('ENOENT');
  expect(words(fromFile(fileOf(token.repeat(100))))).toContain('bytes');
  expect(words(fromFile(fileOf(' \n')))).toContain('is empty');
});

test.skipIf(process.getuid?.() !== 0)(
  'a file of another user is refused; only root can make one [DAEM-10]',
  () => {
    const path = fileOf(token);
    chownSync(path, 12_345, 12_345);
    expect(words(fromFile(path))).toContain('belongs to user id 12345');
  },
);

test('none, both and one of another shape are refused, the last without showing it [DAEM-10]', () => {
  expect(words(takeToken({}))).toContain('TELEGRAM_BOT_TOKEN_FILE');
  expect(words(takeToken({ TELEGRAM_BOT_TOKEN: '' }))).toContain('no bot token');
  const both = { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_TOKEN_FILE: fileOf(token) };
  expect(words(takeToken(both))).toContain('both set');
  expect(both).not.toHaveProperty('TELEGRAM_BOT_TOKEN');
  for (const wrong of [secret, `x${token}`, `${token} ${token}`, '42:short', `bot${token}`]) {
    const message = words(takeToken({ TELEGRAM_BOT_TOKEN: wrong }));
    expect(message).toContain('holds no bot token');
    expect(message).not.toContain(secret);
    expect(message).not.toContain('short');
  }
});
