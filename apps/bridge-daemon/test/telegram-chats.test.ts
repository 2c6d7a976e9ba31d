// Catches a question that lands in the wrong topic, an answer from the wrong one, and a group that moves away from under
// the bridge.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ANN,
  BOB,
  CHAT,
  createTelegramWorld,
  FORUM,
  GROUP,
  TOPIC,
  type TelegramWorld,
} from './support/telegram-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';

let world: TelegramWorld;
beforeEach(async () => {
  world = await createTelegramWorld();
});
afterEach(() => world.end());

const question = JSON.stringify({ question: 'Deploy?', options: [{ title: 'Yes' }, { title: 'No' }] });
const heardAll = (): Promise<boolean> =>
  waitFor('all to be heard', () => world.api.world.updates.length === 0);

test('questions go to the topic of --to, and only what is said there is heard as a text without a question [DAEM-08]', async () => {
  await world.daemon([], { to: `telegram:${FORUM}:${TOPIC}` });
  const other = world.api.world.addTopic(FORUM, { id: 9, name: 'Other' });
  const planner = await world.asker('planner');
  const qid = await planner.ask(question);
  const message = await world.question(qid, FORUM);
  expect(message).toMatchObject({ message_thread_id: TOPIC, is_topic_message: true });
  const before = world.own(FORUM).length;
  await world.say('bare talk elsewhere', { chat: FORUM, topic: other });
  await world.say('bare talk in general', { chat: FORUM });
  // A reply in the general topic carries a thread that is none.
  const general = world.api.world.say({ chat: FORUM, from: BOB, text: 'hi' });
  world.api.world.say({ chat: FORUM, from: ANN, text: 'yes', reply_to: general.message_id });
  await heardAll();
  await sleep(100);
  expect(world.own(FORUM)).toHaveLength(before);
  // In a topic every message replies to its opening, and still names no question.
  const bare = await world.say('1', { chat: FORUM, topic: TOPIC });
  const list = await waitFor('the list', () =>
    world.own(FORUM).find(({ reply_to_message: to }) => to?.message_id === bare.message_id),
  );
  expect(list).toMatchObject({ message_thread_id: TOPIC });
  expect(planner.responses).toEqual([]);
  await world.say('yes', { to: qid, chat: FORUM });
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
});

test('topic 1 is the general one: it has no thread to send to [DAEM-08]', async () => {
  await world.daemon([], { to: `telegram:${FORUM}:1` });
  const planner = await world.asker('planner');
  const qid = await planner.ask(question);
  const message = await world.question(qid, FORUM);
  expect(message).not.toHaveProperty('message_thread_id');
  // A reply to another person carries a thread id that is no topic: it is said in the general one all the same.
  const other = world.api.world.say({ chat: FORUM, from: BOB, text: 'hi' });
  const bare = world.api.world.say({ chat: FORUM, from: ANN, text: 'hm', reply_to: other.message_id });
  expect(bare).toHaveProperty('message_thread_id');
  expect(bare).not.toHaveProperty('is_topic_message');
  await waitFor('the list', () =>
    world.own(FORUM).find(({ reply_to_message: to }) => to?.message_id === bare.message_id),
  );
  await world.press(qid, '2. No', ANN, FORUM);
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['No'] });
  for (const { parameters } of world.api.calls) expect(parameters).not.toHaveProperty('message_thread_id');
});

test('in a group those on the list are heard and the others not: no anonymous administrator, no channel, no bot [DAEM-08]', async () => {
  const bridge = await world.daemon([], { to: `telegram:${FORUM}`, allow: [ANN, BOB] });
  const planner = await world.asker('planner');
  const qid = await planner.ask(question);
  const { message_id: reply_to } = await world.question(qid, FORUM);
  const before = world.own(FORUM).length;
  const { api } = world;
  api.world.addChat({ id: -100_900, type: 'channel', title: 'News' });
  const channel = api.world.chat(-100_900);
  api.world.say({ chat: FORUM, from: ANN, text: 'no', reply_to, as: 'anonymous_admin' });
  if (channel !== undefined) api.world.say({ chat: FORUM, from: ANN, text: 'no', reply_to, as: channel });
  api.world.say({ chat: FORUM, from: { ...BOB, is_bot: true }, text: 'no', reply_to });
  api.world.say({ chat: FORUM, from: { id: 99, is_bot: false, first_name: 'X' }, text: 'no', reply_to });
  api.world.say({ chat: -100_900, from: ANN, text: 'no' });
  await heardAll();
  await sleep(100);
  expect(world.own(FORUM)).toHaveLength(before);
  expect(planner.responses).toEqual([]);
  expect(bridge.stderr()).toContain('"user":99');
  await world.say('2', { to: qid, chat: FORUM, from: BOB });
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['No'] });
  // Bob has no user name: his id stands for him.
  expect(world.record('closed', qid)).toMatchObject({ outcome: { answer: { answered_by: 'telegram:77' } } });
});

test('two daemons with a bot each: message ids and options coincide, and each answer finds its own question [DAEM-07]', async () => {
  const second = world.api.addBot();
  second.world.addChat({ id: BOB.id, type: 'private', first_name: 'Bob' });
  await world.daemon([], { project: 'one' });
  await world.daemon([], { project: 'two', to: `telegram:${BOB.id}`, allow: [BOB], token: second.token });
  const one = await world.asker('one', { project: 'one' });
  const two = await world.asker('two', { project: 'two' });
  const first = await one.ask(question);
  const other = await two.ask(question);
  const shown = await world.question(first);
  const shownToo = await waitFor('the second question', () => second.world.messages(BOB.id).at(0));
  expect(shownToo.message_id).toBe(shown.message_id);
  second.world.say({ chat: BOB.id, from: BOB, text: '2', reply_to: shownToo.message_id });
  expect((await two.response(other)).response).toEqual({ kind: 'selection', selections: ['No'] });
  expect(one.responses).toEqual([]);
  world.api.world.say({ chat: CHAT, from: ANN, text: '1', reply_to: shown.message_id });
  expect((await one.response(first)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(two.responses).toHaveLength(1);
  expect(world.log().some(({ event }) => event === 'answer_rejected')).toBe(false);
});

test('a group that becomes a supergroup is followed: answers there count, questions go there, also after a restart [DAEM-10]', async () => {
  const to = `telegram:${GROUP}`;
  const bridge = await world.daemon([], { to });
  const planner = await world.asker('planner');
  const before = await planner.ask(question);
  const { message_id: old } = await world.question(before, GROUP);
  const moved = -100_501;
  world.api.world.migrate(GROUP, moved);
  await heardAll();
  world.api.world.say({ chat: moved, from: ANN, text: `HUB-Q:${before}: yes` });
  expect((await planner.response(before)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(old).toBeGreaterThan(0);
  const after = await planner.ask(question);
  await world.question(after, moved);
  expect(await bridge.terminate()).toBe(0);
  await world.daemon([], { to });
  // Heard before anything is sent that could tell of the move.
  await world.press(after, '1. Yes', ANN, moved);
  expect((await planner.response(after)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  const later = await planner.ask(question);
  await world.say('2', { to: later, chat: moved });
  expect((await planner.response(later)).response).toEqual({ kind: 'selection', selections: ['No'] });
});

test('a group that moves at the moment of sending gets the question once, under its new id [DAEM-10]', async () => {
  await world.daemon([], { to: `telegram:${GROUP}` });
  const planner = await world.asker('planner');
  const moved = -100_501;
  world.api.faults.add('sendMessage', { fault: 'migrate', from: GROUP, to: moved });
  const qid = await planner.ask(question);
  await world.say('yes', { to: qid, chat: moved });
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(world.questions(qid, moved)).toHaveLength(1);
  expect(world.questions(qid, moved)[0]?.text).not.toContain('(repeat)');
});
