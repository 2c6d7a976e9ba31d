// The bugs: a fake that lets pass what the real server refuses, so that a mistake shows first on a person's phone; a fake
// that cannot misbehave; two pollers that both believe they own the token.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tooManyRequests } from './faults.ts';
import { startBotApi, type BotApi } from './server.ts';

const ANNA = { id: 7, is_bot: false, first_name: 'Anna' };
const CHAT = 42;

let api: BotApi;

beforeEach(async () => {
  api = await startBotApi();
  api.world.addChat({ id: CHAT, type: 'private' });
  api.world.addChat({ id: 43, type: 'group', title: 'Others' });
});
afterEach(() => api.close());

async function call(
  method: string,
  parameters: object = {},
  token = api.token,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${api.root}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  });
  const answer: unknown = await response.json();
  return typeof answer === 'object' && answer !== null ? { ...answer, status: response.status } : {};
}

test('message ids count per chat, so they coincide between chats', async () => {
  const first = await call('sendMessage', { chat_id: CHAT, text: 'one' });
  const other = await call('sendMessage', { chat_id: 43, text: 'two' });
  expect(first['result']).toMatchObject({ message_id: 1, text: 'one' });
  expect(other['result']).toMatchObject({ message_id: 1, text: 'two' });
});

test.each([
  ['text over 4096 units', { text: 'x'.repeat(4097) }, 'message is too long'],
  ['4096 units in emoji and one more', { text: `${'🙂'.repeat(2048)}x` }, 'message is too long'],
  ['empty text', { text: '  ' }, 'text is empty'],
  [
    'callback_data over 64 bytes',
    { text: 'a', reply_markup: { inline_keyboard: [[{ text: 'b', callback_data: 'é'.repeat(33) }]] } },
    'BUTTON_DATA_INVALID',
  ],
  ['an unknown chat', { text: 'a', chat_id: 99 }, 'chat not found'],
  [
    'a reply to nothing',
    { text: 'a', reply_parameters: { message_id: 9 } },
    'message to be replied not found',
  ],
  ['the general topic by its id', { text: 'a', message_thread_id: 1 }, 'message thread not found'],
  ['a parameter that is none', { text: 'a', messsage_thread_id: 3 }, 'no parameter messsage_thread_id'],
])('%s is refused and nothing is posted', async (_, parameters, description) => {
  const answer = await call('sendMessage', { chat_id: CHAT, ...parameters });
  expect(answer).toMatchObject({ ok: false, status: 400 });
  expect(String(answer['description'])).toContain(description);
  expect(api.world.messages(CHAT)).toHaveLength(0);
});

test('another token is unauthorized', async () => {
  expect(await call('getMe', {}, '1:other')).toMatchObject({ ok: false, status: 401 });
});

test('an update is handed out until its id is confirmed, and again on request', async () => {
  api.world.say({ chat: CHAT, from: ANNA, text: 'yes' });
  const first = await call('getUpdates', { offset: 0 });
  expect(first['result']).toMatchObject([{ update_id: 100, message: { text: 'yes' } }]);
  expect((await call('getUpdates', { offset: 0 }))['result']).toHaveLength(1);
  expect((await call('getUpdates', { offset: 101 }))['result']).toEqual([]);
  api.world.redeliver(1);
  expect((await call('getUpdates', { offset: 100 }))['result']).toHaveLength(1);
});

test('a poll waits for what is said, and a second poller ends it with 409', async () => {
  const waiting = call('getUpdates', { timeout: 20 });
  await expect.poll(() => api.polling).toBe(1);
  const second = call('getUpdates', { timeout: 20 });
  expect(await waiting).toMatchObject({ ok: false, status: 409 });
  api.world.say({ chat: CHAT, from: ANNA, text: 'here' });
  expect((await second)['result']).toHaveLength(1);
});

test('a button that was sent can be pressed, and only that one', async () => {
  const markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'q1:0' }]] };
  await call('sendMessage', { chat_id: CHAT, text: 'Deploy?', reply_markup: markup });
  api.world.press({ chat: CHAT, message: 1, button: 'Yes', from: ANNA });
  expect((await call('getUpdates'))['result']).toMatchObject([{ callback_query: { data: 'q1:0' } }]);
  expect(() => api.world.press({ chat: CHAT, message: 1, button: 'No', from: ANNA })).toThrow('no button No');
});

test('an edit that changes nothing is refused, as the real server does', async () => {
  await call('sendMessage', { chat_id: CHAT, text: 'a' });
  expect(await call('editMessageText', { chat_id: CHAT, message_id: 1, text: 'a' })).toMatchObject({
    ok: false,
  });
  expect(await call('editMessageText', { chat_id: CHAT, message_id: 1, text: 'b' })).toMatchObject({
    ok: true,
  });
});

test('a flood is refused with the seconds to wait, once', async () => {
  api.faults.add('sendMessage', tooManyRequests(3));
  const refused = await call('sendMessage', { chat_id: CHAT, text: 'a' });
  expect(refused).toMatchObject({ status: 429, parameters: { retry_after: 3 } });
  expect(await call('sendMessage', { chat_id: CHAT, text: 'a' })).toMatchObject({ ok: true });
});

test('a dropped answer has been carried out, a dropped request has not', async () => {
  api.faults.add('sendMessage', { fault: 'drop_after' }, { fault: 'drop_before' });
  await expect(call('sendMessage', { chat_id: CHAT, text: 'first' })).rejects.toThrow('fetch failed');
  expect(api.world.messages(CHAT)).toHaveLength(1);
  await expect(call('sendMessage', { chat_id: CHAT, text: 'second' })).rejects.toThrow('fetch failed');
  expect(api.world.messages(CHAT)).toHaveLength(1);
});

test('a group that becomes a supergroup goes on under its new id', async () => {
  api.world.migrate(43, -100_043);
  const updates = await call('getUpdates');
  expect(updates['result']).toMatchObject([
    { message: { migrate_to_chat_id: -100_043 } },
    { message: { migrate_from_chat_id: 43 } },
  ]);
  expect(await call('sendMessage', { chat_id: 43, text: 'a' })).toMatchObject({ ok: false, status: 400 });
  expect(await call('sendMessage', { chat_id: -100_043, text: 'a' })).toMatchObject({ ok: true });
});
