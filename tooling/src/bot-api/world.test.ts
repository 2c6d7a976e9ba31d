// The bugs: a fake whose people behave as no person can, so that topics, long replies, edits and groups are first met on
// a phone.
import { expect, test } from 'vitest';
import type { Update } from './objects.ts';
import { ANNA, BOB, CHAT, GROUP, OTHERS, useServer } from './use-server.fixture.ts';

const { api, call } = useServer();

const updates = async (token?: string): Promise<Update[]> => {
  const { result } = await call('getUpdates', {}, token);
  // Made by the server under test, whose types these are.
  return Array.isArray(result) ? (result as Update[]) : [];
};

test('a reply carries the message replied to, without the one before it', async () => {
  await call('sendMessage', { chat_id: CHAT, text: 'question' });
  api().world.say({ chat: CHAT, from: ANNA, text: 'first', reply_to: 1 });
  api().world.say({ chat: CHAT, from: ANNA, text: 'second', reply_to: 2 });
  const [first, second] = await updates();
  expect(first?.message?.reply_to_message).toMatchObject({ message_id: 1, text: 'question' });
  expect(second?.message?.reply_to_message).toMatchObject({ message_id: 2 });
  expect(second?.message?.reply_to_message).not.toHaveProperty('reply_to_message');
  expect(first?.message).not.toHaveProperty('message_thread_id');
});

test('in a topic all is marked as its own, and what replies to nothing replies to its opening', async () => {
  const topic = api().world.addTopic(GROUP, { id: 7, name: 'Deploys' });
  expect(topic).toBe(7);
  const sent = await call('sendMessage', { chat_id: GROUP, message_thread_id: 7, text: 'question' });
  expect(sent['result']).toMatchObject({ message_thread_id: 7, is_topic_message: true });
  api().world.say({ chat: GROUP, from: ANNA, text: 'bare', thread: 7, topic_message: true });
  api().world.say({ chat: GROUP, from: ANNA, text: 'reply', reply_to: 1 });
  const [bare, reply] = await updates();
  expect(bare?.message).toMatchObject({
    message_thread_id: 7,
    is_topic_message: true,
    reply_to_message: { message_id: 7, forum_topic_created: { name: 'Deploys' } },
  });
  expect(reply?.message).toMatchObject({ message_thread_id: 7, is_topic_message: true });
  api().world.closeTopic(GROUP, 7);
  const closed = await call('sendMessage', { chat_id: GROUP, message_thread_id: 7, text: 'late' });
  expect(closed['description']).toContain('TOPIC_CLOSED');
});

test('outside a topic a reply in a supergroup carries a thread that is none', async () => {
  await call('sendMessage', { chat_id: GROUP, text: 'question' });
  api().world.say({ chat: GROUP, from: ANNA, text: 'reply', reply_to: 1 });
  const [update] = await updates();
  expect(update?.message).toMatchObject({ message_thread_id: 1 });
  expect(update?.message).not.toHaveProperty('is_topic_message');
});

test('a long text arrives in pieces of 4096 units without half characters, only the first a reply', async () => {
  await call('sendMessage', { chat_id: CHAT, text: 'question' });
  const text = `x${'🙂'.repeat(4_100)}`;
  api().world.sayLong({ chat: CHAT, from: ANNA, text, reply_to: 1 });
  expect(() => api().world.say({ chat: CHAT, from: ANNA, text })).toThrow('use sayLong');
  const pieces = (await updates()).map(({ message }) => message);
  expect(pieces.map((piece) => piece?.text?.length)).toEqual([4_095, 4_096, 10]);
  expect(pieces.map((piece) => piece?.text).join('')).toBe(text);
  expect(pieces.map((piece) => piece?.reply_to_message?.message_id)).toEqual([1, undefined, undefined]);
});

test('an edit is an update of its own, and the first one still tells what was said first', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'yse' });
  api().world.edit(CHAT, 1, 'yes');
  const [said, edited] = await updates();
  expect(said).toMatchObject({ message: { text: 'yse' } });
  expect(said?.message).not.toHaveProperty('edit_date');
  expect(edited).toMatchObject({ edited_message: { text: 'yes', edit_date: expect.any(Number) } });
});

test('what is no text comes as what it is, with its caption', async () => {
  api().world.say({ chat: CHAT, from: ANNA, caption: 'see here' });
  for (const media of ['voice', 'sticker', 'document', 'video', 'location'] as const)
    api().world.say({ chat: CHAT, from: ANNA, media });
  const said = (await updates()).map(({ message }) => message);
  expect(said[0]).toMatchObject({ caption: 'see here', photo: [{}] });
  for (const [at, field] of ['photo', 'voice', 'sticker', 'document', 'video', 'location'].entries()) {
    expect(said[at]).toHaveProperty(field);
    expect(said[at]).not.toHaveProperty('text');
  }
});

test('anonymous admins, people who speak as a channel, and channels have no name of their own', async () => {
  api().world.addChat({ id: -100_600, type: 'channel', title: 'News' });
  const news = api().world.chat(-100_600);
  api().world.say({ chat: GROUP, from: ANNA, text: 'a', as: 'anonymous_admin' });
  if (news !== undefined) api().world.say({ chat: GROUP, from: ANNA, text: 'b', as: news });
  api().world.say({ chat: -100_600, from: ANNA, text: 'c' });
  const [admin, speaker, post] = await updates();
  expect(admin?.message).toMatchObject({
    from: { username: 'GroupAnonymousBot', is_bot: true },
    sender_chat: { id: GROUP },
  });
  expect(speaker?.message).toMatchObject({
    from: { username: 'Channel_Bot' },
    sender_chat: { id: -100_600 },
  });
  expect(post).toMatchObject({ channel_post: { sender_chat: { id: -100_600 }, text: 'c' } });
  expect(post?.channel_post).not.toHaveProperty('from');
});

test('a block is told once, and holds until it is lifted', async () => {
  api().world.membership({ chat: CHAT, from: ANNA, status: 'kicked' });
  expect(await updates()).toMatchObject([
    { my_chat_member: { old_chat_member: { status: 'member' }, new_chat_member: { status: 'kicked' } } },
  ]);
  expect(await call('sendMessage', { chat_id: CHAT, text: 'a' })).toMatchObject({
    status: 403,
    description: 'Forbidden: bot was blocked by the user',
  });
  api().world.membership({ chat: CHAT, from: ANNA, status: 'member' });
  expect(await call('sendMessage', { chat_id: CHAT, text: 'a' })).toMatchObject({ ok: true });
});

test('a bot that may not write, was put out, or never came is told so', async () => {
  api().world.membership({ chat: GROUP, from: ANNA, status: 'restricted', can_send_messages: false });
  expect(await call('sendMessage', { chat_id: GROUP, text: 'a' })).toMatchObject({
    status: 400,
    description: expect.stringContaining('not enough rights'),
  });
  const typing = { chat_id: GROUP, action: 'typing' };
  expect(await call('sendChatAction', typing)).toMatchObject({ status: 400 });
  api().world.membership({ chat: GROUP, from: ANNA, status: 'member' });
  expect(await call('sendChatAction', typing)).toMatchObject({ ok: true });
  expect(await call('sendChatAction', { ...typing, message_thread_id: 9 })).toMatchObject({ status: 400 });
  api().world.membership({ chat: GROUP, from: ANNA, status: 'kicked' });
  for (const method of ['getChat', 'sendMessage'])
    expect(
      await call(method, { chat_id: GROUP, ...(method === 'getChat' ? {} : { text: 'a' }) }),
    ).toMatchObject({
      status: 403,
    });
  api().world.membership({ chat: OTHERS, from: ANNA, status: 'left' });
  expect(await call('sendMessage', { chat_id: OTHERS, text: 'a' })).toMatchObject({ status: 403 });
});

test('who is in a chat can be asked, and nobody is made up', async () => {
  const member = async (user_id: number): Promise<unknown> =>
    (await call('getChatMember', { chat_id: GROUP, user_id }))['result'];
  expect(await member(api().world.bot.id)).toMatchObject({ status: 'administrator' });
  expect(await call('getChatMember', { chat_id: GROUP, user_id: ANNA.id })).toMatchObject({ status: 400 });
  api().world.say({ chat: GROUP, from: ANNA, text: 'hello' });
  expect(await member(ANNA.id)).toMatchObject({ status: 'member', user: { username: 'ann' } });
  api().world.setMember(GROUP, BOB, 'left');
  expect(await member(BOB.id)).toMatchObject({ status: 'left' });
});

test('privacy mode: a member bot gets replies to it, commands and its name, an administrator all', async () => {
  api().world.membership({ chat: GROUP, from: ANNA, status: 'member' });
  await call('sendMessage', { chat_id: GROUP, text: 'question' });
  const say = (text: string, reply_to?: number): void =>
    void api().world.say({ chat: GROUP, from: ANNA, text, ...(reply_to === undefined ? {} : { reply_to }) });
  say('bare');
  say('reply', 1);
  say('/pending');
  say('/pending@other_bot');
  say('ask @test_bot');
  const heard = async (): Promise<unknown[]> =>
    (await updates()).flatMap(({ message }) => (message?.text === undefined ? [] : [message.text]));
  expect(await heard()).toEqual(['reply', '/pending', 'ask @test_bot']);
  api().world.setReadsAll(true);
  say('all');
  expect(await heard()).toEqual(['reply', '/pending', 'ask @test_bot', 'all']);
});

test('a group that becomes a supergroup goes on under its new id, and the old one says where', async () => {
  api().world.setMember(OTHERS, BOB, 'member');
  api().world.migrate(OTHERS, -100_043);
  expect(await updates()).toMatchObject([
    { message: { chat: { id: OTHERS }, migrate_to_chat_id: -100_043 } },
    { message: { chat: { id: -100_043 }, migrate_from_chat_id: OTHERS } },
  ]);
  expect(await call('sendMessage', { chat_id: OTHERS, text: 'a' })).toMatchObject({
    status: 400,
    parameters: { migrate_to_chat_id: -100_043 },
  });
  expect(await call('sendMessage', { chat_id: -100_043, text: 'a' })).toMatchObject({ ok: true });
  expect(await call('getChatMember', { chat_id: -100_043, user_id: BOB.id })).toMatchObject({
    result: { status: 'member' },
  });
});

test('a pressed button carries its message as it was, or nothing but its id when it is too old', async () => {
  const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'q1:0' }]] };
  await call('sendMessage', { chat_id: CHAT, text: 'Deploy?', reply_markup });
  api().world.press({ chat: CHAT, message: 1, button: 'Yes', from: ANNA });
  await call('editMessageText', { chat_id: CHAT, message_id: 1, text: 'Done' });
  api().world.press({ chat: CHAT, message: 1, data: 'q1:0', from: ANNA, inaccessible: true });
  const [fresh, old] = await updates();
  expect(fresh?.callback_query).toMatchObject({ data: 'q1:0', message: { text: 'Deploy?' } });
  expect(old?.callback_query?.message).toEqual({ message_id: 1, chat: expect.anything(), date: 0 });
});

test('ids start anew after a quiet week', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'a' });
  api().world.confirm(101);
  api().world.renumber(5);
  api().world.say({ chat: CHAT, from: ANNA, text: 'b' });
  expect(await updates()).toMatchObject([{ update_id: 5 }]);
});

test('bots share groups, and each has its own updates and its own private chats', async () => {
  const second = api().addBot();
  second.world.addChat({ id: BOB.id, type: 'private', first_name: 'Bob' });
  await call('sendMessage', { chat_id: GROUP, text: 'from the first' });
  await call('sendMessage', { chat_id: GROUP, text: 'from the second' }, second.token);
  expect(api().world.messages(GROUP)).toMatchObject([{ message_id: 1 }, { message_id: 2 }]);
  expect(
    await call('editMessageText', { chat_id: GROUP, message_id: 1, text: 'x' }, second.token),
  ).toMatchObject({ description: expect.stringContaining("can't be edited") });
  api().world.say({ chat: CHAT, from: ANNA, text: 'to the first' });
  second.world.say({ chat: BOB.id, from: BOB, text: 'to the second' });
  api().world.say({ chat: GROUP, from: ANNA, text: 'to both' });
  const heard = async (token?: string): Promise<unknown[]> =>
    (await updates(token)).map(({ message }) => message?.text);
  expect(await heard()).toEqual(['to the first', 'to both']);
  expect(await heard(second.token)).toEqual(['to the second', 'to both']);
  // The same person, the same chat id, another bot: another chat.
  expect(second.world.messages(CHAT)).toEqual([]);
  await call('getUpdates', { offset: 200 }, second.token);
  expect(await heard()).toHaveLength(2);
});

test('a button in a shared group goes to the bot that sent it', async () => {
  const second = api().addBot();
  const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'x' }]] };
  await call('sendMessage', { chat_id: GROUP, text: 'Deploy?', reply_markup }, second.token);
  api().world.press({ chat: GROUP, message: 1, button: 'Yes', from: ANNA });
  expect(await updates()).toEqual([]);
  expect(await updates(second.token)).toMatchObject([{ callback_query: { data: 'x' } }]);
});
