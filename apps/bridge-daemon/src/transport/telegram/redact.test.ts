// The bug: a log line that lets its reader speak as the bot.
import { expect, test } from 'vitest';
import { redactorOf } from './redact.ts';

const secret = `AAH-${'x'.repeat(30)}_z`;
const token = `42:${secret}`;

test('a token is taken out whole, percent-encoded and without its number, wherever it stands [DAEM-10]', () => {
  const redact = redactorOf(token);
  expect(redact(`GET https://api.telegram.org/bot${token}/getMe failed, then bot${token}/getMe`)).toBe(
    'GET https://api.telegram.org/bot[token]/getMe failed, then bot[token]/getMe',
  );
  expect(redact(`%${encodeURIComponent(token)}!`)).toBe('%[token]!');
  expect(redact(`only ${secret}`)).toBe('only [token]');
});

test('a text without the token stays as it is', () => {
  expect(redactorOf(token)('42 is no secret: AAH-')).toBe('42 is no secret: AAH-');
});
