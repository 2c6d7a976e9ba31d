// The bugs: a message to the wrong place, everybody allowed by an empty list, a name that has changed hands.
import { expect, test } from 'vitest';
import { parseAllowed, parseApiRoot, parseTarget } from './telegram-target.ts';

test.each([
  ['telegram:42', { chat: 42, topic: null }],
  ['telegram:-1001234567890', { chat: -1_001_234_567_890, topic: null }],
  ['telegram:-1001234567890:7', { chat: -1_001_234_567_890, topic: 7 }],
  ['telegram:-1001234567890:1', { chat: -1_001_234_567_890, topic: null }],
])('%s is a chat and perhaps a topic, the general topic being none [DAEM-08]', (to, value) => {
  expect(parseTarget(to)).toEqual({ code: 'value', value });
});

test.each([
  ['telegram', 'names no chat'],
  ['telegram:', 'names no chat'],
  ['telegram:@ann', 'by a name'],
  ['telegram:ann', 'by a name'],
  ['telegram:0', 'no chat id'],
  ['telegram:4.5', 'no chat id'],
  ['telegram:99999999999999999', 'no chat id'],
  ['telegram:42:0', 'no topic id'],
  ['telegram:42:x', 'no topic id'],
  ['telegram:42:', 'no topic id'],
  ['telegram:42:7:8', 'is no Telegram chat'],
  ['signal:42', 'is no Telegram chat'],
])('%s is refused: it %s [DAEM-08]', (to, why) => {
  expect(parseTarget(to)).toMatchObject({ code: 'refused', message: expect.stringContaining(why) });
});

test('users are numbers, and none is not everybody [DAEM-08]', () => {
  expect(parseAllowed(['7', '8', '7'])).toEqual({ code: 'value', value: new Set([7, 8]) });
  expect(parseAllowed([])).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('not everybody'),
  });
  for (const user of ['ann', '@ann', '-7', '0', '7 ', ''])
    expect(parseAllowed(['7', user])).toMatchObject({
      code: 'refused',
      message: expect.stringContaining(JSON.stringify(user)),
    });
});

test('another server is an http address without secrets in it, which no error shows [DAEM-10]', () => {
  expect(parseApiRoot(undefined)).toEqual({ code: 'value', value: 'https://api.telegram.org' });
  expect(parseApiRoot('')).toEqual({ code: 'value', value: 'https://api.telegram.org' });
  expect(parseApiRoot('http://127.0.0.1:8081/')).toEqual({ code: 'value', value: 'http://127.0.0.1:8081' });
  expect(parseApiRoot('https://h.example/a/b//')).toEqual({ code: 'value', value: 'https://h.example/a/b' });
  for (const wrong of [
    'ftp://h.example',
    'h.example',
    'http://u:geheim@h.example',
    'http://h.example/?k=geheim',
  ]) {
    const parsed = parseApiRoot(wrong);
    expect(parsed.code).toBe('refused');
    expect(JSON.stringify(parsed)).not.toContain('geheim');
  }
});
