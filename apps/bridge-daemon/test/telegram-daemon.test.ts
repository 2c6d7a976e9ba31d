// The bugs: a daemon that hears everybody because nobody was named; a token in a log, a state file or a crash; an answer
// given in time that a restart finds too late; two daemons on one token.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusal, tooManyRequests, unauthorized } from '../../../tooling/src/bot-api/faults.ts';
import { startBotApi, type BotApi } from '../../../tooling/src/bot-api/server.ts';
import { createWorld, daemonScript, type World } from './support/world.ts';
import { waitFor } from './support/wait-for.ts';

const ann = { id: 7, is_bot: false, first_name: 'Ann', username: 'ann' };
const chat = 42;
const flags = ['--transport', 'telegram', '--to', `telegram:${chat}`, '--allow-user', `${ann.id}`];
let world: World;
let api: BotApi;
let env: Record<string, string>;

beforeEach(async () => {
  world = createWorld();
  api = await startBotApi();
  api.world.addChat({ id: chat, type: 'private' });
  const file = join(world.root, 'token');
  writeFileSync(file, `${api.token}\n`, { mode: 0o600 });
  env = { TELEGRAM_API_ROOT: api.root, TELEGRAM_BOT_TOKEN_FILE: file };
});
afterEach(async () => {
  await world.end();
  await api.close();
});

const daemon = (more: readonly string[] = [], how: Parameters<World['daemon']>[1] = {}) =>
  world.daemon([...flags, ...more], { ...how, env: { ...env, ...how.env } });
const texts = (): string[] => api.world.messages(chat).map(({ text = '' }) => text);
const status = async (): Promise<string> => {
  const asked = world.start([daemonScript, 'status']);
  await asked.ended;
  return asked.stdout();
};
const asked = (qid: string) =>
  waitFor(`the message of ${qid}`, () =>
    api.world.messages(chat).find(({ text = '' }) => text.includes(`[HUB-Q:${qid}]`)),
  );

/** Every file under a folder, as text. */
const written = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

test('without a chat, a user and a token nothing starts, and all of it is said in one run [DAEM-08 DAEM-10]', async () => {
  const started = world.start([daemonScript, '--transport', 'telegram', '--hermes-profile', 'p']);
  expect(await started.ended).toBe(2);
  const lines = started.stderr().trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^bridge-daemon: --to names no chat, .*telegram-check/),
    expect.stringMatching(/^bridge-daemon: --allow-user is missing, and an empty list is not everybody/),
    expect.stringMatching(/^bridge-daemon: no bot token: .*TELEGRAM_BOT_TOKEN_FILE/),
    expect.stringMatching(/^bridge-daemon: --hermes-profile does nothing with transport telegram/),
  ]);
});

test('a token that Telegram does not know is refused at the start, and is nowhere in what is said [DAEM-10]', async () => {
  api.faults.add('getMe', unauthorized);
  const started = world.start([daemonScript, ...flags], { env });
  expect(await started.ended).toBe(1);
  expect(started.stderr()).toContain('Telegram does not know this bot token (401');
  expect(started.stderr()).not.toContain(api.token.split(':')[1]);
});

test('a question is pressed, answered and shown as answered, and the daemon ends at once [DAEM-06 DAEM-09 DAEM-04]', async () => {
  const bridge = await daemon();
  const planner = await world.asker('planner');
  const qid = await planner.ask(
    JSON.stringify({ question: 'Go?', options: [{ title: 'Yes' }, { title: 'No' }] }),
  );
  const { message_id: message } = await asked(qid);
  api.world.press({ chat, message, button: '2. No', from: ann });
  expect(await planner.response(qid)).toMatchObject({ response: { kind: 'selection', selections: ['No'] } });
  await waitFor('the outcome', () => texts()[0]?.endsWith('✅ Answered by telegram:ann: No'));
  expect(api.world.message(chat, message)?.reply_markup).toBeUndefined();
  await waitFor('nothing owed', () => (world.record('closed', qid)['owed'] as unknown[]).length === 0);
  expect(await bridge.terminate()).toBe(0);
});

test('a cancel from the console takes the buttons away and is told [BRID-21 DAEM-09]', async () => {
  const bridge = await daemon();
  const planner = await world.asker('planner');
  const qid = await planner.ask(JSON.stringify({ question: 'Go?', options: [{ title: 'Yes' }] }));
  const { message_id: message } = await asked(qid);
  await waitFor('the delivery', () => world.log().some(({ event }) => event === 'delivered'));
  await bridge.cancel(qid);
  await waitFor('the note', () => texts().length === 2);
  expect(texts()).toEqual([
    expect.stringMatching(/✖ Cancelled — it was answered from the console\.$/),
    `✖ [HUB-Q:${qid}] The question was cancelled — it was answered from the console.`,
  ]);
  expect(api.world.message(chat, message)?.reply_markup).toBeUndefined();
});

test('an answer given in time while the daemon was down counts, though its deadline passed before the start [DAEM-21 DAEM-10]', async () => {
  const first = await daemon();
  const planner = await world.asker('planner');
  const qid = await planner.ask('Go?', { replyTimeoutMs: 3_000 });
  const { message_id: message } = await asked(qid);
  await waitFor('the delivery', () => world.log().some(({ event }) => event === 'delivered'));
  await first.terminate('SIGKILL');
  api.world.say({ chat, from: ann, text: 'yes', reply_to: message });
  await new Promise((resolve) => setTimeout(resolve, 3_100));
  await daemon();
  expect(await planner.response(qid)).toMatchObject({ response: { kind: 'freeform', text: 'yes' } });
  expect(world.log().some(({ event }) => event === 'timeout')).toBe(false);
});

test.each(['press', 'reply'] as const)(
  'a kill while a question may be on its way asks it once more, marked; a %s to the first copy answers it, and both show the outcome [DAEM-12 DAEM-09]',
  async (how) => {
    api.faults.add('sendMessage', { fault: 'never_answer_after' });
    const first = await daemon();
    const planner = await world.asker('planner');
    const qid = await planner.ask(JSON.stringify({ question: 'Go?', options: [{ title: 'Yes' }] }));
    const { message_id: message } = await asked(qid);
    await first.terminate('SIGKILL');
    await daemon();
    await waitFor('the repeat', () => texts().length === 2);
    expect(texts()[1]).toContain(`[HUB-Q:${qid}] (repeat) Go?`);
    if (how === 'press') api.world.press({ chat, message, button: '1. Yes', from: ann });
    else api.world.say({ chat, from: ann, text: 'yes', reply_to: message });
    expect(await planner.response(qid)).toMatchObject({
      response: { kind: 'selection', selections: ['Yes'] },
    });
    const shown = (): string[] => texts().filter((text) => text.endsWith('✅ Answered by telegram:ann: Yes'));
    await waitFor('both outcomes', () => shown().length === 2);
    for (const { reply_markup } of api.world.messages(chat)) expect(reply_markup).toBeUndefined();
  },
);

test('a failed delivery is told to the asker at once, in Telegram’s words with what to do [DAEM-03]', async () => {
  await daemon();
  api.faults.add('sendMessage', refusal(403, 'Forbidden: bot was blocked by the user'));
  const planner = await world.asker('planner');
  const qid = await planner.ask('Go?');
  expect(await planner.response(qid)).toMatchObject({
    response: null,
    error:
      'telegram send failed (403): Forbidden: bot was blocked by the user — the person has to start the bot again',
  });
});

test('status tells transport and polls, and of a network that went away since when, until it is back [DAEM-05 DAEM-10]', async () => {
  await daemon();
  await waitFor('the first poll', () => api.polling > 0);
  expect(await status()).toMatch(/: ok\n {2}transport {7}telegram\n/);
  await api.goOffline();
  await waitFor('the trouble', async () => (await status()).includes('degraded'));
  expect(await status()).toContain('because         updates cannot be fetched: ');
  expect(await status()).toMatch(/since {11}\d{4}-/);
  await api.goOnline();
  await waitFor('its end', async () => /: ok\n[^]*telegram poll {3}\d/.test(await status()));
});

test('a second daemon with the token ends at once and names the first [DAEM-10]', async () => {
  const first = await daemon();
  const second = world.start([daemonScript, ...flags, '--name', 'other'], { env });
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toContain(
    `this bot token is in use by user-remote (project default, process ${first.child.pid}`,
  );
});

test('after every kind of failure the token is in no log, no state and no argument [DAEM-10]', async () => {
  const secret = api.token.split(':')[1] ?? '';
  const bridge = await daemon(['--log-level', 'trace']);
  const planner = await world.asker('planner');
  const faults = [
    refusal(400, `Bad Request: no such method bot${api.token}`),
    { fault: 'page', code: 404 } as const,
    { fault: 'drop_before' } as const,
    { fault: 'drop_before' } as const,
    { fault: 'page', code: 502 } as const,
    tooManyRequests(3_600),
  ];
  api.faults.add('sendMessage', ...faults);
  api.faults.add('getUpdates', unauthorized, { fault: 'page', code: 502 }, { fault: 'drop_before' });
  for (let asks = 0; asks < 4; asks += 1) await planner.response(await planner.ask('Go?'));
  await api.goOffline();
  await planner.response(await planner.ask('Go?', { replyTimeoutMs: 500 }));
  const argumentsOf = execFileSync('ps', ['-o', 'args=', '-p', String(bridge.child.pid)], {
    encoding: 'latin1',
  });
  await bridge.terminate();
  const everything = [
    bridge.stdout(),
    bridge.stderr(),
    argumentsOf,
    ...written(world.home),
    ...written(world.comsDir),
  ];
  expect(bridge.stderr()).toContain('[token]');
  for (const text of everything) expect(text.includes(secret)).toBe(false);
}, 60_000);

test('a bug that throws the token ends the daemon without it in its last words [DAEM-10]', async () => {
  const bug = join(world.root, 'bug.mjs');
  writeFileSync(
    bug,
    `import { readFileSync } from 'node:fs';
     const file = process.env.TELEGRAM_BOT_TOKEN_FILE;
     process.on('SIGUSR2', () => { Promise.reject(new Error('GET /bot' + readFileSync(file, 'utf8'))); });`,
  );
  const bridge = await daemon([], { node: ['--import', bug] });
  expect(await bridge.terminate('SIGUSR2')).toBe(1);
  expect(bridge.stderr()).toContain('GET /bot[token]');
  expect(bridge.stderr()).not.toContain(api.token.split(':')[1]);
});
