// The bugs: a stranger, a bot or an anonymous administrator who answers; a thread that is no topic taken for one; a text
// that quotes a question taken for a reply to it.
import { expect, test } from 'vitest';
import type { Update } from 'grammy/types';
import type { World } from '../../../../../tooling/src/bot-api/world.ts';
import {
  ann,
  bo,
  botId,
  chat,
  group,
  heardIn,
  listeningTo,
  nowMs,
  q1,
  quietWorld,
  stranger,
  takeUpdates,
} from './way-in.fixture.ts';

const one = (world: World): Update => {
  const [update, ...rest] = takeUpdates(world);
  if (update === undefined || rest.length > 0) throw new Error(`${rest.length} updates too many`);
  return update;
};
const asked = (world: World, to = chat, text = `❓ [HUB-Q:${q1}] Deploy?\n\n↩ Reply`): number => {
  const found = world.chat(to);
  if (found === undefined) throw new Error('no chat');
  return world.post({ chat: found, from: world.bot, text }).message_id;
};

test('a text is heard with who said it, where and when', () => {
  const world = quietWorld();
  world.say({ chat, from: ann, text: 'yes' });
  expect(heardIn(one(world), listeningTo(chat))).toEqual({
    kind: 'said',
    spot: { chat, topic: null, message: 1 },
    speaker: { user: ann.id, by: 'telegram:ann' },
    text: 'yes',
    at: nowMs,
    edit: false,
    reply: null,
  });
});

test('somebody without a user name is named by number', () => {
  const world = quietWorld();
  world.say({ chat, from: bo, text: 'yes' });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({ speaker: { by: 'telegram:8' } });
});

test('an edit is heard with the time of the edit', () => {
  let now = nowMs;
  const world = quietWorld(() => now);
  world.say({ chat, from: ann, text: 'yes' });
  takeUpdates(world);
  now += 5_000;
  world.edit(chat, 1, 'no');
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({
    kind: 'said',
    text: 'no',
    edit: true,
    at: nowMs + 5_000,
  });
});

test('a reply to a message of ours carries the question that its first line names [DAEM-07]', () => {
  const world = quietWorld();
  const message = asked(world);
  world.say({ chat, from: ann, text: 'yes', reply_to: message });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({ reply: { message, qid: q1 } });
});

test.each([
  ['somebody else’s message that quotes a question', ann],
  ['another bot’s message', { id: 5, is_bot: true, first_name: 'Other' }],
])('a reply to %s names none [DAEM-07]', (_, from) => {
  const world = quietWorld();
  world.say({ chat, from, text: `look: [HUB-Q:${q1}]` });
  takeUpdates(world);
  world.say({ chat, from: ann, text: 'yes', reply_to: 1 });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({
    kind: 'said',
    reply: { message: 1, qid: null },
  });
});

test('a code further down in a message of ours is only mentioned, not asked', () => {
  const world = quietWorld();
  const message = asked(world, chat, `Open questions: 1\n\n1. about [HUB-Q:${q1}]`);
  world.say({ chat, from: ann, text: 'yes', reply_to: message });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({ reply: { qid: null } });
});

const anonymous = 'anonymous_admin' as const;
test.each([
  ['a user who is not on the list', { from: stranger }, 'user'],
  ['a bot that is on the list', { from: { ...ann, is_bot: true } }, 'no_person'],
  ['an anonymous administrator', { from: ann, as: anonymous }, 'no_person'],
  [
    'somebody who speaks as a channel',
    { from: ann, as: { id: -9, type: 'channel' as const, title: 'News' } },
    'no_person',
  ],
])('%s is not heard, whatever they say [DAEM-08]', (_, said, why) => {
  const world = quietWorld();
  const message = asked(world, group);
  world.say({ chat: group, text: 'yes', reply_to: message, ...said });
  expect(heardIn(one(world), listeningTo(group))).toMatchObject({ kind: 'ignored', why, chat: group });
});

test('a user on the list is not heard in another chat, neither by text nor by button [DAEM-08]', () => {
  const world = quietWorld();
  const other = world.chat(group);
  if (other === undefined) throw new Error('no chat');
  const keyboard = { inline_keyboard: [[{ text: 'Yes', callback_data: 'token' }]] };
  const { message_id } = world.post({
    chat: other,
    from: world.bot,
    text: `❓ [HUB-Q:${q1}] Go?`,
    reply_markup: keyboard,
  });
  world.say({ chat: group, from: ann, text: 'yes', reply_to: message_id });
  world.press({ chat: group, message: message_id, button: 'Yes', from: ann });
  for (const update of takeUpdates(world))
    expect(heardIn(update, listeningTo(chat))).toEqual({
      kind: 'ignored',
      why: 'chat',
      chat: group,
      user: ann.id,
    });
});

test('a stranger who presses a button is not heard [DAEM-08]', () => {
  const world = quietWorld();
  const message = asked(world, group);
  world.press({ chat: group, message, data: 'token', from: stranger });
  expect(heardIn(one(world), listeningTo(group))).toMatchObject({ kind: 'ignored', why: 'user' });
});

test('a post in a channel is nobody’s', () => {
  const world = quietWorld();
  const channel_post = {
    message_id: 1,
    date: 1,
    chat: { id: -9, type: 'channel', title: 'News' },
    text: 'yes',
  };
  const update = { update_id: 1, channel_post } as Update; // As the Bot API gives it.
  expect(heardIn(update, listeningTo(-9))).toMatchObject({ kind: 'ignored' });
  expect(world.updates).toEqual([]);
});

test('a thread id is a topic only on a message of a topic, and the general topic has none', () => {
  const world = quietWorld();
  world.addChat({ id: -100_1, type: 'supergroup', title: 'Forum', is_forum: true });
  const topicOf = (said: { thread?: number; topic_message?: boolean }): unknown => {
    world.say({ chat: -100_1, from: ann, text: 'yes', ...said });
    const heard = heardIn(one(world), listeningTo(-100_1));
    return heard.kind === 'said' ? heard.spot.topic : heard;
  };
  expect(topicOf({ thread: 3, topic_message: true })).toBe(3);
  expect(topicOf({ thread: 3 })).toBe(null);
  expect(topicOf({ thread: 1, topic_message: true })).toBe(null);
  expect(topicOf({})).toBe(null);
});

test.each([
  ['/pending', { kind: 'command', name: 'pending', rest: '' }],
  ['/Pending@test_bot', { kind: 'command', name: 'pending', rest: '' }],
  ['/pending@Test_Bot', { kind: 'command', name: 'pending' }],
  [`/cancel ${q1}`, { kind: 'command', name: 'cancel', rest: q1 }],
  ['/start', { kind: 'command', name: 'start' }],
  ['/pending@other_bot', { kind: 'ignored', why: 'nothing' }],
  ['/etc/hosts', { kind: 'said', text: '/etc/hosts' }],
  ['/pendings', { kind: 'said' }],
  ['see /pending', { kind: 'said' }],
])('%s is read as what it is', (text, expected) => {
  const world = quietWorld();
  world.say({ chat, from: ann, text });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject(expected);
});

test.each([
  ['a captioned photo', { caption: 'yes' }],
  ['a voice message', { voice: true }],
  ['a sticker', { media: 'sticker' as const }],
  ['a document', { media: 'document' as const, caption: 'yes' }],
  ['a location', { media: 'location' as const }],
])('%s is heard as something without words', (_, said) => {
  const world = quietWorld();
  world.say({ chat, from: ann, ...said });
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({ kind: 'wordless', album: null });
});

test('the edit of a caption says nothing: the picture was answered already', () => {
  const world = quietWorld();
  world.say({ chat, from: ann, caption: 'yes' });
  takeUpdates(world);
  world.edit(chat, 1, 'no');
  expect(heardIn(one(world), listeningTo(chat))).toMatchObject({ kind: 'ignored', why: 'nothing' });
});

test('that somebody joined says nothing', () => {
  const message = {
    message_id: 3,
    date: 1,
    chat: { id: group, type: 'group', title: 'Team' },
    from: ann,
    new_chat_members: [bo],
  };
  const update = { update_id: 1, message } as Update; // As the Bot API gives it.
  expect(heardIn(update, listeningTo(group))).toMatchObject({ kind: 'ignored', why: 'nothing' });
});

test('a button is heard with its token, also under a message too old to be seen', () => {
  const world = quietWorld();
  const message = asked(world);
  world.press({ chat, message, data: 'token', from: ann });
  world.press({ chat, message, data: 'token', from: ann, inaccessible: true });
  for (const update of takeUpdates(world))
    expect(heardIn(update, listeningTo(chat))).toMatchObject({
      kind: 'pressed',
      token: 'token',
      spot: { chat, topic: null, message },
      speaker: { by: 'telegram:ann' },
    });
});

test('a group that becomes a supergroup is told from both sides, another group is not', () => {
  const world = quietWorld();
  world.migrate(group, -100_777);
  const updates = takeUpdates(world);
  const move = { kind: 'moved', from: group, to: -100_777 };
  expect(updates.map((update) => heardIn(update, listeningTo(group)))).toEqual([move, move]);
  for (const update of updates) expect(heardIn(update, listeningTo(chat)).kind).toBe('ignored');
});

test('after the move people are heard in the new chat', () => {
  const world = quietWorld();
  world.migrate(group, -100_777);
  takeUpdates(world);
  world.say({ chat: -100_777, from: ann, text: 'here' });
  const moved = listeningTo(group, (id) => (id === group ? -100_777 : id));
  expect(heardIn(one(world), moved)).toMatchObject({ kind: 'said', spot: { chat: -100_777 } });
});

test('a change of our own standing is told', () => {
  const world = quietWorld();
  world.membership({ chat: group, from: stranger, status: 'kicked' });
  expect(heardIn(one(world), listeningTo(group))).toEqual({
    kind: 'membership',
    chat: group,
    status: 'kicked',
  });
  expect(botId).toBe(world.bot.id);
});
