// The bugs: a fake that lets pass what the real server refuses, so that a mistake shows first on a person's phone; two
// pollers that both believe they own the token; an update that a confirmation loses.
import { expect, test } from 'vitest';
import { ANNA, CHAT, GROUP, OTHERS, eventually, useServer } from './use-server.fixture.ts';

const { api, call } = useServer();

test('message ids count per chat, so they coincide between chats', async () => {
  const first = await call('sendMessage', { chat_id: CHAT, text: 'one' });
  const other = await call('sendMessage', { chat_id: OTHERS, text: 'two' });
  expect(first['result']).toMatchObject({ message_id: 1, text: 'one' });
  expect(other['result']).toMatchObject({ message_id: 1, text: 'two' });
});

const buttons = (count: number, data = 'x'): object => ({
  inline_keyboard: Array.from({ length: count }, (_, at) => [{ text: `${at}`, callback_data: data }]),
});

test.each([
  ['text over 4096 units', { text: 'x'.repeat(4097) }, 'message is too long'],
  ['4096 units in emoji and one more', { text: `${'🙂'.repeat(2048)}x` }, 'message is too long'],
  ['empty text', { text: '' }, 'text is empty'],
  ['text of white space alone', { text: ' \n ' }, 'text is empty'],
  ['a text that is empty without its tags', { text: '<b> </b>', parse_mode: 'HTML' }, 'text is empty'],
  ['half a character', { text: 'a\ud83d' }, 'must be encoded in UTF-8'],
  ['a tag that is none', { text: '<qid>', parse_mode: 'HTML' }, 'Unsupported start tag "qid"'],
  ['callback_data over 64 bytes', { reply_markup: buttons(1, 'é'.repeat(33)) }, 'BUTTON_DATA_INVALID'],
  ['empty callback_data', { reply_markup: buttons(1, '') }, 'BUTTON_DATA_INVALID'],
  ['101 buttons', { reply_markup: buttons(101) }, 'reply markup is too long'],
  ['a button that does nothing', { reply_markup: { inline_keyboard: [[{ text: 'a' }]] } }, 'Text buttons'],
  ['buttons in no rows', { reply_markup: { inline_keyboard: [{ text: 'a' }] } }, 'Array of Arrays'],
  ['an unknown chat', { chat_id: 99 }, 'chat not found'],
  ['no chat', { chat_id: undefined }, 'chat_id is empty'],
  ['a chat by a name', { chat_id: '@somebody' }, 'chat not found'],
  ['a reply to nothing', { reply_parameters: { message_id: 9 } }, 'message to be replied not found'],
  ['the general topic by its id', { chat_id: GROUP, message_thread_id: 1 }, 'message thread not found'],
  ['a topic that does not exist', { chat_id: GROUP, message_thread_id: 77 }, 'message thread not found'],
  ['a topic where there are none', { message_thread_id: 3 }, 'message thread not found'],
  ['a parameter that is none', { messsage_thread_id: 3 }, 'no parameter messsage_thread_id'],
])('%s is refused and nothing is posted', async (_, parameters, description) => {
  const answer = await call('sendMessage', { chat_id: CHAT, text: 'a', ...parameters });
  expect(answer).toMatchObject({ ok: false, status: 400 });
  expect(String(answer['description'])).toContain(description);
  for (const chat of [CHAT, GROUP]) expect(api().world.messages(chat)).toHaveLength(0);
});

test('the limits themselves are taken: 4096 units with and without tags, 100 buttons, 64 bytes', async () => {
  for (const more of [
    { text: '🙂'.repeat(2048) },
    { text: `<b>${'&lt;'.repeat(4096)}</b>`, parse_mode: 'HTML' },
    { text: `  ${'x'.repeat(4096)}\n` },
    { text: 'a', reply_markup: buttons(100, 'é'.repeat(32)) },
  ])
    expect(await call('sendMessage', { chat_id: CHAT, ...more })).toMatchObject({ ok: true });
  expect(api().world.messages(CHAT)[1]?.text).toBe('<'.repeat(4096));
});

test('white space at both ends is gone, inside it stays', async () => {
  await call('sendMessage', { chat_id: CHAT, text: '\n  a \n\n b \t\n' });
  expect(api().world.message(CHAT, 1)?.text).toBe('a \n\n b');
});

test('another token is unauthorized, what is no token is not found, and a revoked one is unauthorized', async () => {
  expect(await call('getMe', {}, '1:other')).toMatchObject({ ok: false, status: 401 });
  expect(await call('getMe', {}, 'other')).toMatchObject({ ok: false, status: 404 });
  expect(await call('getMee')).toMatchObject({ ok: false, status: 404 });
  expect(await call('getMe')).toMatchObject({ result: { username: 'test_bot' } });
  api().world.revokeToken();
  expect(await call('getMe')).toMatchObject({ ok: false, status: 401 });
});

test('an update is handed out until its id is confirmed, and again on request', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'yes' });
  const first = await call('getUpdates', { offset: 0 });
  expect(first['result']).toMatchObject([{ update_id: 100, message: { text: 'yes' } }]);
  expect((await call('getUpdates', { offset: 0 }))['result']).toHaveLength(1);
  expect((await call('getUpdates', { offset: 101 }))['result']).toEqual([]);
  api().world.redeliver(1);
  // Whatever the offset: the server that hands it out has not heard of it.
  expect((await call('getUpdates', { offset: 101 }))['result']).toMatchObject([{ update_id: 100 }]);
  expect((await call('getUpdates', { offset: 101 }))['result']).toEqual([]);
});

test('limit cuts from the oldest, and a negative offset forgets all but the last', async () => {
  for (const text of ['1', '2', '3', '4']) api().world.say({ chat: CHAT, from: ANNA, text });
  expect((await call('getUpdates', { limit: 2 }))['result']).toMatchObject([
    { update_id: 100 },
    { update_id: 101 },
  ]);
  expect((await call('getUpdates', { offset: -1 }))['result']).toMatchObject([{ update_id: 103 }]);
  expect((await call('getUpdates'))['result']).toMatchObject([{ update_id: 103 }]);
});

test('allowed_updates decides what is queued from then on, and goes on to hold', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'before' });
  await call('getUpdates', { allowed_updates: ['callback_query'] });
  api().world.say({ chat: CHAT, from: ANNA, text: 'after' });
  await call('sendMessage', { chat_id: CHAT, text: 'q', reply_markup: buttons(1) });
  api().world.press({ chat: CHAT, message: 3, button: '0', from: ANNA });
  expect((await call('getUpdates'))['result']).toMatchObject([
    { message: { text: 'before' } },
    { callback_query: { data: 'x' } },
  ]);
  await call('getUpdates', { allowed_updates: [] });
  api().world.say({ chat: CHAT, from: ANNA, text: 'all again' });
  expect((await call('getUpdates'))['result']).toHaveLength(3);
});

test('a poll waits for what is said, and a second poller ends it with 409', async () => {
  const waiting = call('getUpdates', { timeout: 20 });
  await eventually(() => api().polling, 1);
  const second = call('getUpdates', { timeout: 20 });
  expect(await waiting).toMatchObject({ ok: false, status: 409 });
  api().world.say({ chat: CHAT, from: ANNA, text: 'here' });
  expect((await second)['result']).toHaveLength(1);
  expect(api().pollsEnded).toBe(2);
});

test('a poll whose client went away takes nothing with it', async () => {
  const gone = new AbortController();
  const waiting = fetch(`${api().root}/bot${api().token}/getUpdates?timeout=20`, { signal: gone.signal });
  await eventually(() => api().polling, 1);
  gone.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await eventually(() => api().polling, 0);
  api().world.say({ chat: CHAT, from: ANNA, text: 'here' });
  expect((await call('getUpdates'))['result']).toHaveLength(1);
});

test('there is no polling while a webhook is set, and removing it keeps what waits', async () => {
  expect(await call('setWebhook', { url: 'http://plain.example' })).toMatchObject({ status: 400 });
  await call('setWebhook', { url: 'https://hook.example/x' });
  api().world.say({ chat: CHAT, from: ANNA, text: 'here' });
  const refused = await call('getUpdates');
  expect(refused).toMatchObject({
    status: 409,
    description: expect.stringContaining('while webhook is active'),
  });
  expect(await call('getWebhookInfo')).toMatchObject({
    result: { url: 'https://hook.example/x', pending_update_count: 1 },
  });
  await call('deleteWebhook', {});
  expect((await call('getUpdates'))['result']).toHaveLength(1);
  await call('deleteWebhook', { drop_pending_updates: true });
  expect((await call('getUpdates'))['result']).toEqual([]);
});

test('an edit that changes nothing, of what is not there, or of what another wrote is refused', async () => {
  await call('sendMessage', { chat_id: CHAT, text: 'a', reply_markup: buttons(1) });
  api().world.say({ chat: CHAT, from: ANNA, text: 'mine' });
  const edit = (more: object): Promise<Record<string, unknown>> =>
    call('editMessageText', { chat_id: CHAT, message_id: 1, text: 'a', ...more });
  expect((await edit({ reply_markup: buttons(1) }))['description']).toContain('message is not modified');
  expect((await edit({ message_id: 9 }))['description']).toContain('message to edit not found');
  expect((await edit({ message_id: 2 }))['description']).toContain("message can't be edited");
  expect(
    (await call('editMessageReplyMarkup', { chat_id: CHAT, message_id: 1, reply_markup: buttons(1) }))[
      'description'
    ],
  ).toContain('message is not modified');
  // Without its buttons it is another message.
  expect(await edit({})).toMatchObject({ ok: true });
  expect(api().world.message(CHAT, 1)).not.toHaveProperty('reply_markup');
  expect((await edit({}))['description']).toContain('message is not modified');
});

test('a press is answered once it is known, and what the person was shown is kept', async () => {
  await call('sendMessage', { chat_id: CHAT, text: 'Deploy?', reply_markup: buttons(2) });
  api().world.press({ chat: CHAT, message: 1, button: '1', from: ANNA });
  expect(() => api().world.press({ chat: CHAT, message: 1, button: 'No', from: ANNA })).toThrow(
    'no button No',
  );
  const { result } = await call('getUpdates');
  const id = Array.isArray(result) ? result[0].callback_query.id : '';
  expect(await call('answerCallbackQuery', { callback_query_id: 'other' })).toMatchObject({ status: 400 });
  expect(await call('answerCallbackQuery', { callback_query_id: id, text: 'x'.repeat(201) })).toMatchObject({
    status: 400,
  });
  expect(api().world.toasts()).toEqual([null]);
  expect(await call('answerCallbackQuery', { callback_query_id: id, text: 'Thanks' })).toMatchObject({
    ok: true,
  });
  expect(api().world.toasts()).toEqual(['Thanks']);
});

test('parameters come as JSON, as a form or in the query; what is none of them is refused', async () => {
  const url = `${api().root}/bot${api().token}/sendMessage`;
  const markup = JSON.stringify(buttons(1));
  const query = new URLSearchParams({ chat_id: `${CHAT}`, text: 'query', reply_markup: markup });
  await fetch(`${url}?${query.toString()}`);
  await fetch(url, { method: 'POST', body: new URLSearchParams({ chat_id: `${CHAT}`, text: 'form' }) });
  const bad = await fetch(url, { method: 'POST', body: '[1]' });
  expect(await bad.json()).toMatchObject({ error_code: 400, description: expect.stringContaining('parse') });
  expect(api().world.messages(CHAT)).toMatchObject([
    { text: 'query', reply_markup: buttons(1) },
    { text: 'form' },
  ]);
});
