// The bugs: a person who has never made a bot stands before an error without a next step; a check that takes the answers
// it should have left for the daemon; a token in an output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { badGateway, conflict, unauthorized } from '../../../tooling/src/bot-api/faults.ts';
import { startBotApi, type BotApi } from '../../../tooling/src/bot-api/server.ts';
import type { CliContext } from '../src/cli/context.ts';
import type { TelegramCheckFlags } from '../src/cli/telegram-check-command.ts';
import { telegramCheck } from '../src/cli/telegram-check.ts';
import { holdToken } from '../src/transport/telegram/token-lock.ts';
import { daemonScript } from './support/world.ts';

const ANN = { id: 42, is_bot: false, first_name: 'Ann', last_name: 'Lee', username: 'ann' };
const BOB = { id: 8, is_bot: false, first_name: 'Bob' };
const CHAT = 42;
const GROUP = -500;
const FORUM = -100_700;

let api: BotApi;
let home: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'bd-check-'));
  api = await startBotApi();
  api.world.addChat({ id: CHAT, type: 'private', first_name: 'Ann' });
  api.world.addChat({ id: GROUP, type: 'group', title: 'Deploys' });
  api.world.addChat({ id: FORUM, type: 'supergroup', title: 'Team', is_forum: true });
  api.world.addTopic(FORUM, { id: 7, name: 'Releases' });
  api.world.setMember(GROUP, ANN, 'member');
});
afterEach(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

interface Checked {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const environment = (env: Record<string, string>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TELEGRAM_API_ROOT: api.root,
  TELEGRAM_BOT_TOKEN: api.token,
  ...env,
});

const withoutToken = (checked: Checked): Checked => {
  const secret = api.token.slice(api.token.indexOf(':') + 1);
  expect(`${checked.out}${checked.err}`).not.toContain(secret);
  return checked;
};

/** Runs the built command; fails where the token, or its secret half, stands in anything it printed. */
const check = async (flags: readonly string[] = [], env: Record<string, string> = {}): Promise<Checked> => {
  const child = spawn(process.execPath, [daemonScript, 'telegram-check', ...flags], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = await once(child, 'close');
  return withoutToken({ code: typeof code === 'number' ? code : null, out, err });
};

/** The same in this process, for the many rows of a table. */
const checkHere = async (
  flags: Partial<TelegramCheckFlags>,
  env: Record<string, string> = {},
): Promise<Checked> => {
  let [out, err] = ['', ''];
  const node = {
    env: environment(env),
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    exitCode: 0,
  };
  // What the command uses of a process.
  const context = { node, script: new URL('file:///') } as unknown as CliContext;
  await telegramCheck(context, { deleteWebhook: false, send: false, json: false, ...flags });
  return withoutToken({ code: node.exitCode, out, err });
};

const sends = (): number => api.calls.filter(({ method }) => method === 'sendMessage').length;

test('a private chat that is as it should be: all is marked good, and nothing is sent', async () => {
  const { code, out, err } = await check(['--to', `telegram:${CHAT}`, '--allow-user', '42']);
  expect(out.split('\n')).toEqual([
    `✓ token      it is that of Test bot (@test_bot), bot ${api.world.bot.id}`,
    '✓ webhook    none is set, so the bot can be polled',
    '✓ chat       Ann, a private chat',
    '✓ write      the bot may write there',
    '✓ user 42    Ann Lee (@ann) may answer',
    '',
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(sends()).toBe(0);
});

test('without --to those who wrote are listed with what to type, and every update is still there', async () => {
  api.world.say({ chat: CHAT, from: ANN, text: '/start' });
  api.world.say({ chat: FORUM, from: BOB, text: 'hello', thread: 7, topic_message: true });
  api.world.say({ chat: FORUM, from: ANN, text: 'hidden', as: 'anonymous_admin' });
  api.world.addChat({ id: -900, type: 'group', title: 'New here\u001b[31m' });
  api.world.membership({ chat: -900, from: BOB, status: 'member' });
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toContain('--to telegram:42    Ann, a private chat');
  expect(out).toContain('    --allow-user 42    Ann Lee (@ann)');
  expect(out).toContain('--to telegram:-100700:7    Team, topic “Releases”');
  expect(out).toMatch(/--to telegram:-100700 {4}Team, a supergroup with topics, \S+\n {4}nobody with a name/);
  expect(out).toContain('--to telegram:-900    New here [31m, a group');
  expect(out).toContain('bridge-daemon telegram-check --to telegram:');
  expect(api.world.updates).toHaveLength(4);
});

test('where nobody wrote yet, it says how to begin', async () => {
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toContain('! chats      nobody has written to the bot lately');
  expect(out).toContain('→ open https://t.me/test_bot and press Start');
});

test('--json is one object with the same findings', async () => {
  api.world.say({ chat: CHAT, from: ANN, text: '/start' });
  const { code, out } = await check(['--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    bot: { id: api.world.bot.id, username: 'test_bot' },
    findings: [
      { check: 'token', state: 'ok', next: null },
      { check: 'webhook', state: 'ok' },
    ],
    chats: [
      { to: 'telegram:42', users: [{ id: 42, name: 'Ann Lee (@ann)' }], at: expect.stringMatching(/Z$/) },
    ],
  });
  expect(out.trim().split('\n')).toHaveLength(1);
});

test('--send sends one message, to the topic, and only then', async () => {
  api.world.say({ chat: FORUM, from: ANN, text: 'hello', thread: 7, topic_message: true });
  const flags = ['--to', `telegram:${FORUM}:7`, '--allow-user', '42'];
  expect(await check(flags)).toMatchObject({ code: 0, err: '' });
  expect(sends()).toBe(0);
  const { code, out } = await check([...flags, '--send']);
  expect(code).toBe(0);
  expect(out).toContain('✓ write      the bot may write in topic 7');
  expect(out).toMatch(/✓ send {7}the test message is sent \(message \d+\)/);
  expect(api.world.messages(FORUM).at(-1)).toMatchObject({
    message_thread_id: 7,
    text: expect.stringContaining('A test message of bridge-daemon'),
  });
  expect(sends()).toBe(1);
});

test.each([
  [
    'an unknown token',
    { TELEGRAM_BOT_TOKEN: `99:${'x'.repeat(35)}` },
    '✗ token      Telegram does not know it',
  ],
  ['no token', { TELEGRAM_BOT_TOKEN: '' }, '✗ token      no bot token'],
  ['half a token', { TELEGRAM_BOT_TOKEN: '99:xyz' }, 'holds no bot token'],
  ['a wrong address', { TELEGRAM_API_ROOT: 'ftp://x' }, '✗ address    TELEGRAM_API_ROOT is no http'],
  [
    'an address where nobody listens',
    { TELEGRAM_API_ROOT: 'http://127.0.0.1:59999' },
    '✗ token      Telegram was not reached',
  ],
])('%s is said with the next step, and nothing else is tried', async (_, env, words) => {
  const { code, out } = await checkHere({ to: `telegram:${CHAT}`, allowUser: ['42'] }, env);
  expect(code).toBe(1);
  expect(out).toContain(words);
  expect(out.trim().split('\n')).toHaveLength(2);
  expect(out).toContain(' → ');
});

test('a token file that others can read is refused with the command that mends it, and works once mended', async () => {
  const file = join(home, 'token');
  writeFileSync(file, `${api.token}\n`);
  chmodSync(file, 0o644);
  const env = { TELEGRAM_BOT_TOKEN: '', TELEGRAM_BOT_TOKEN_FILE: file };
  const { code, out } = await check([], env);
  expect(code).toBe(1);
  expect(out).toContain(`chmod 600 ${file}`);
  chmodSync(file, 0o600);
  expect(await check([], env)).toMatchObject({ code: 0 });
});

test('a webhook is named by its host alone and removed only when asked, with nothing dropped', async () => {
  api.world.setWebhook(`https://hook.example/bot${api.token}`);
  api.world.say({ chat: CHAT, from: ANN, text: 'waiting' });
  const { code, out } = await check(['--to', `telegram:${CHAT}`, '--allow-user', '42']);
  expect(code).toBe(1);
  expect(out).toContain('✗ webhook    one is set, to hook.example:');
  expect(out).toContain('--delete-webhook');
  expect(api.calls.some(({ method }) => method === 'deleteWebhook')).toBe(false);
  const removed = await check(['--delete-webhook']);
  expect(removed).toMatchObject({ code: 0 });
  expect(removed.out).toContain(
    '✓ webhook    the one to hook.example is removed; 1 waiting updates are kept',
  );
  expect(removed.out).toContain('--to telegram:42');
  expect(api.world.updates).toHaveLength(1);
});

test.each<[string, (world: BotApi['world']) => void, string, string[], string, string]>([
  [
    'a chat that is none',
    () => undefined,
    'telegram:77',
    [],
    '✗ chat       Bad Request: chat not found (77)',
    'press Start',
  ],
  [
    'a group that is none',
    () => undefined,
    'telegram:-77',
    [],
    '✗ chat       Bad Request: chat not found',
    'add the bot to the group',
  ],
  [
    'a group that moved',
    (world) => world.migrate(GROUP, -100_501),
    `telegram:${GROUP}`,
    [],
    'became a supergroup',
    '--to telegram:-100501',
  ],
  [
    'a channel',
    (world) => world.addChat({ id: -100_9, type: 'channel', title: 'News' }),
    'telegram:-1009',
    [],
    'nobody can reply in a channel',
    'use a group',
  ],
  [
    'a topic where there are none',
    () => undefined,
    `telegram:${GROUP}:7`,
    [],
    'it has no topics',
    `--to telegram:${GROUP}`,
  ],
  [
    'a topic that is none',
    () => undefined,
    `telegram:${FORUM}:9`,
    [],
    'there is no topic 9',
    'it shows topics',
  ],
  [
    'a closed topic',
    (world) => world.closeTopic(FORUM, 7),
    `telegram:${FORUM}:7`,
    [],
    'TOPIC_CLOSED',
    'open the topic again',
  ],
  [
    'a block',
    (world) => world.membership({ chat: CHAT, from: ANN, status: 'kicked' }),
    'telegram:42',
    ['42'],
    '✗ write      Forbidden: bot was blocked',
    'Unblock',
  ],
  [
    'a bot put out of the group',
    (world) => world.membership({ chat: GROUP, from: ANN, status: 'kicked' }),
    `telegram:${GROUP}`,
    [],
    'bot was kicked',
    'add the bot to the group',
  ],
  [
    'a bot that may not write',
    (world) => world.membership({ chat: GROUP, from: ANN, status: 'restricted' }),
    `telegram:${GROUP}`,
    [],
    'not enough rights',
    'right to send messages',
  ],
  [
    'a user of another private chat',
    () => undefined,
    'telegram:42',
    ['8'],
    '✗ user 8     cannot answer there',
    '--allow-user 42',
  ],
  [
    'a user nobody knows',
    () => undefined,
    `telegram:${GROUP}`,
    ['99'],
    '✗ user 99    Telegram knows no such member',
    'it shows the ids',
  ],
  [
    'a user who left',
    (world) => world.setMember(GROUP, BOB, 'left'),
    `telegram:${GROUP}`,
    ['8'],
    '✗ user 8     Bob is not in the chat',
    'add them to the group',
  ],
  [
    'a bot as the user',
    () => undefined,
    `telegram:${GROUP}`,
    ['the bot'],
    'bots are not heard',
    'it shows the ids',
  ],
  [
    'an anonymous administrator',
    (world) => world.setMember(GROUP, BOB, 'administrator', { is_anonymous: true }),
    `telegram:${GROUP}`,
    ['8'],
    'who writes as the group',
    'Remain anonymous',
  ],
])('%s is named with the next step', async (_, arrange, to, users, words, next) => {
  arrange(api.world);
  const { code, out } = await checkHere({
    to,
    allowUser: users.map((user) => (user === 'the bot' ? `${api.world.bot.id}` : user)),
  });
  expect(code).toBe(1);
  expect(out).toContain(words);
  expect(out.split('\n').some((line) => line.startsWith('             → ') || line.includes(` → `))).toBe(
    true,
  );
  expect(out).toContain(next);
});

test('privacy mode is a note, not a fault: replies are heard, and it says how to hear more', async () => {
  api.world.membership({ chat: GROUP, from: ANN, status: 'member' });
  const flags = ['--to', `telegram:${GROUP}`, '--allow-user', '42'];
  const { code, out } = await check(flags);
  expect(code).toBe(0);
  expect(out).toContain('! hears      replies to its messages');
  expect(out).toContain('/setprivacy');
  api.world.setReadsAll(true);
  expect((await check(flags)).out).toContain('✓ hears      everything in the group: its privacy mode is off');
});

test('a chat without anybody who may answer is noted with the flag to add', async () => {
  const { code, out } = await check(['--to', 'telegram:42']);
  expect(code).toBe(0);
  expect(out).toContain('! users      nobody is named');
  expect(out).toContain('→ write --allow-user 42');
});

test('another poller is a fault that names what can be done', async () => {
  api.faults.add('getUpdates', conflict);
  const { code, out } = await check();
  expect(code).toBe(1);
  expect(out).toContain('✗ chats      Conflict: terminated by other getUpdates request');
  expect(out).toContain('find the other program');
});

test('while a daemon reads the bot, nothing is polled, the daemon is named, and the rest is checked', async () => {
  const holder = { pid: 4711, name: 'user-remote', project: 'docs', since: new Date().toISOString() };
  const hold = await holdToken({ token: api.token, holder, folder: join(home, 'locks') });
  try {
    api.world.say({ chat: CHAT, from: ANN, text: '/start' });
    const { code, out } = await checkHere({});
    expect(code).toBe(0);
    expect(out).toContain('✓ daemon     user-remote (project docs, process 4711) reads this bot now');
    expect(out).toContain('! chats ');
    expect(out).not.toContain('--to telegram:42');
    expect(api.pollsEnded).toBe(0);
    const looked = await checkHere({ to: 'telegram:42', allowUser: ['42'] });
    expect(looked.code).toBe(0);
    expect(looked.out).toContain('✓ user 42');
  } finally {
    if (hold.code === 'held') await hold.release();
  }
  expect((await checkHere({})).out).toContain('--to telegram:42');
  expect(api.pollsEnded).toBe(1);
});

test('a server that breaks in the middle is named where it broke, and the rest is still told', async () => {
  api.faults.add('getChatMember', badGateway);
  api.faults.add('sendChatAction', { fault: 'drop_after' });
  api.faults.add('getWebhookInfo', unauthorized);
  const { code, out } = await check(['--to', `telegram:${GROUP}`, '--allow-user', '42']);
  expect(code).toBe(1);
  expect(out).toContain('✗ webhook    Unauthorized');
  expect(out).toContain('✗ write      the connection to Telegram broke');
  expect(out).toContain('✗ hears      HTTP 502 without an answer of the Bot API');
  expect(out).toContain('✓ user 42    Ann Lee (@ann) may answer');
});

test('every wrong flag is named in one run, with exit code 2 and without a request', async () => {
  const { code, err, out } = await check([
    '--to',
    'telegram:@docs',
    '--allow-user',
    '@ann',
    '--allow-user',
    '7',
  ]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('names a chat by a name');
  expect(err).toContain('--allow-user "@ann" is no user id');
  expect(await check(['--send'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--send needs the chat'),
  });
  expect(await check(['--allow-user', '7'])).toMatchObject({ code: 2 });
  expect(await check(['--tokn'])).toMatchObject({ code: 2 });
  expect(api.calls).toEqual([]);
});
