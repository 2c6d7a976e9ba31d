// Catches an answer that goes to another question than the person meant, or to none, through the built daemon and real
// HTTP; and a person who is left without a word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../../tooling/src/bot-api/world.ts';
import {
  ANN,
  BOB,
  CHAT,
  createTelegramWorld,
  STRANGER,
  type TelegramWorld,
} from './support/telegram-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import type { Asker, Daemon } from './support/world.ts';

let world: TelegramWorld;
let bridge: Daemon;
let planner: Asker;

beforeAll(async () => {
  world = await createTelegramWorld();
  bridge = await world.daemon(['--poll-ms', '200']);
  planner = await world.asker('planner');
});
afterAll(() => world.end());

const asking = (question: string, options: readonly object[] = []): Promise<string> =>
  planner.ask(JSON.stringify({ question, options }));
const yesNo = [{ title: 'Yes' }, { title: 'No', description: 'not before Monday' }];

/** What the bot said to this message. */
const saidAfter = (message: Pick<Message, 'message_id'>): Promise<Message> =>
  waitFor('the bot to say something', () =>
    world.own(CHAT).find(({ reply_to_message: to }) => to?.message_id === message.message_id),
  );
const unanswered = (qid: string): void => {
  expect(planner.responses.filter(({ msg_id }) => msg_id === qid)).toEqual([]);
  expect(world.files('pending')).toContain(`${qid}.json`);
};
/** Closes a question that a test leaves open, so that the next one finds none. */
const close = async (qid: string): Promise<void> => {
  await bridge.cancel(qid);
  await waitFor('it to be closed', () => world.files('closed').includes(`${qid}.json`));
};

test('what the person reads is what the agent wrote, character for character, with a button an option [DAEM-06 BRID-04]', async () => {
  const question = 'Use *bold*, _x_ & <b>tags</b>? [a](https://example.org)\n\n  їжак 🙂 👨‍👩‍👧 `id` \\';
  const qid = await asking(question, yesNo);
  const message = await world.question(qid);
  expect(message.text).toBe(
    `❓ [HUB-Q:${qid}] ${question}\n\nOptions:\n1. Yes\n2. No — not before Monday\n\n` +
      `↩ Reply to this message, or type: HUB-Q:${qid}: <answer>`,
  );
  const rows = message.reply_markup?.inline_keyboard ?? [];
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual([['1. Yes'], ['2. No']]);
  const tokens = rows.flat().map(({ callback_data = '' }) => callback_data);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{16}$/);
    expect(qid).not.toContain(token);
  }
  expect(new Set(tokens).size).toBe(2);
  const sent = world.api.calls.findLast(({ method }) => method === 'sendMessage')?.parameters;
  expect(sent).toMatchObject({ chat_id: CHAT, link_preview_options: { is_disabled: true } });
  for (const absent of ['parse_mode', 'message_thread_id']) expect(sent).not.toHaveProperty(absent);
  await close(qid);
});

test('a reply is the answer, whole, and its question shows it without buttons [DAEM-07 DAEM-09]', async () => {
  const qid = await asking('Deploy?', yesNo);
  const answer = 'neither, wait until Monday\n\n and then “both” 🙂';
  await world.say(answer, { to: qid });
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: answer });
  expect(world.record('closed', qid)).toMatchObject({ outcome: { answer: { answered_by: 'telegram:ann' } } });
  const shown = await waitFor('the outcome', () =>
    world
      .questions(qid)
      .find(({ text }) => text?.includes('✅ Answered by telegram:ann: neither, wait until')),
  );
  expect(shown.text).not.toContain('↩');
  expect(shown).not.toHaveProperty('reply_markup');
  expect(world.questions(qid)).toHaveLength(1);
});

test.each([
  ['the number of an option', '2', 'No'],
  ['its title in any case', ' nO ', 'No'],
])('%s is that option, by a reply [DAEM-07]', async (_, words, title) => {
  const qid = await asking('Deploy?', yesNo);
  await world.say(words, { to: qid });
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: [title] });
});

test.each([
  (qid: string) => `HUB-Q:${qid}: yes`,
  (qid: string) => `hub-q : ${qid.toLowerCase()} :yes`,
  (qid: string) => `HUB-Q:${qid}:\nyes`,
])(
  'the code before the text names the question, in any spelling, and is no part of the answer: %s [DAEM-07]',
  async (spell) => {
    const qid = await asking('Deploy?');
    await world.question(qid);
    await world.say(spell(qid));
    expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  },
);

test('the code wins over the message replied to: one answer to the question that is named [DAEM-07]', async () => {
  const meant = await asking('Meant?');
  const other = await asking('Replied to by mistake?');
  await world.question(meant);
  await world.say(`HUB-Q:${meant}: yes`, { to: other });
  expect((await planner.response(meant)).response).toEqual({ kind: 'freeform', text: 'yes' });
  unanswered(other);
  await close(other);
});

test('a pressed button is that option of that question, said by whoever pressed it, once [DAEM-06 DAEM-07]', async () => {
  const first = await asking('First?', yesNo);
  const second = await asking('Second?', yesNo);
  await world.question(first);
  // Pressed under the second one twice: a finger that trembles.
  await world.press(second, '2. No');
  await world.press(second, '2. No');
  expect((await planner.response(second)).response).toEqual({ kind: 'selection', selections: ['No'] });
  expect(world.record('closed', second)).toMatchObject({
    outcome: { answer: { answered_by: 'telegram:ann' } },
  });
  await waitFor('the word over the chat', () => world.api.world.toasts().some((toast) => toast === '✅ No'));
  unanswered(first);
  await world.press(first, '1. Yes');
  expect((await planner.response(first)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(world.texts().filter((text) => text.startsWith('ℹ'))).toEqual([]);
});

test('a bare text is never guessed: it gets a list, and its button gives what was written to the chosen question [DAEM-07]', async () => {
  const one = await asking('Red or blue?', yesNo);
  const two = await asking('Left or right?', yesNo);
  await world.question(one);
  await world.question(two);
  const bare = await world.say('1');
  const list = await saidAfter(bare);
  expect(list.reply_to_message?.message_id).toBe(bare.message_id);
  expect(list.text).toContain(`HUB-Q:${one}:`);
  expect(list.text).toContain(`HUB-Q:${two}:`);
  expect(list.text).not.toContain('[HUB-Q:');
  unanswered(one);
  unanswered(two);
  const button = list.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes('Red or blue?'));
  world.api.world.press({ chat: CHAT, message: list.message_id, button: button?.text ?? '', from: ANN });
  expect((await planner.response(one)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  unanswered(two);
  const taken = await waitFor('the list to be changed', () => {
    const now = world.api.world.message(CHAT, list.message_id);
    return now?.reply_markup === undefined ? now : null;
  });
  expect(taken.text).toContain(`is the answer to HUB-Q:${one}`);
  await close(two);
});

test('with exactly one question open a bare text is not enough either, and with none it says so [DAEM-07]', async () => {
  const qid = await asking('Only one?');
  await world.question(qid);
  const list = await saidAfter(await world.say('yes'));
  expect(list.text).toContain('Which question is this the answer to?');
  unanswered(qid);
  await close(qid);
  const none = await saidAfter(await world.say('yes'));
  expect(none.text).toContain('No question is open');
});

test('an edited bare text is what its button gives [DAEM-07]', async () => {
  const qid = await asking('Name?');
  await world.question(qid);
  const bare = await world.say('Ada');
  const list = await saidAfter(bare);
  world.api.world.edit(CHAT, bare.message_id, 'Ada Lovelace');
  await waitFor('the edit to be heard', () => world.api.world.updates.length === 0);
  const [button] = list.reply_markup?.inline_keyboard.flat() ?? [];
  world.api.world.press({ chat: CHAT, message: list.message_id, button: button?.text ?? '', from: ANN });
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'Ada Lovelace' });
});

test('a long reply that arrives in three messages is one answer, and its rest answers nothing else [DAEM-07]', async () => {
  const qid = await asking('Tell me all');
  const other = await asking('Something else?');
  const message = await world.question(qid);
  const text = `a${'їжак🙂 '.repeat(1_500)}z`;
  const pieces = world.api.world.sayLong({ chat: CHAT, from: ANN, text, reply_to: message.message_id });
  expect(pieces).toHaveLength(3);
  // White space at the ends of a message is dropped by Telegram itself.
  const arrived = pieces.map((piece) => piece.text).join('');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: arrived });
  unanswered(other);
  expect(world.texts().filter((said) => said.startsWith('ℹ'))).toEqual([]);
  await close(other);
});

test('an edit while a long reply is still waited for replaces it; after the agent has it the person is told [DAEM-07]', async () => {
  const qid = await asking('Tell me all');
  const message = await world.question(qid);
  const [long] = world.api.world.sayLong({
    chat: CHAT,
    from: ANN,
    text: 'x'.repeat(4_010),
    reply_to: message.message_id,
  });
  if (long === undefined) throw new Error('nothing was said');
  world.api.world.edit(CHAT, long.message_id, 'short after all');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'short after all' });
  world.api.world.edit(CHAT, long.message_id, 'no, long');
  const told = await waitFor('a word about the edit', () =>
    world.own(CHAT).find(({ text }) => text?.includes('the edit changes nothing')),
  );
  expect(told.reply_to_message?.message_id).toBe(long.message_id);
  // An edit that changes no word, as a link preview does.
  world.api.world.edit(CHAT, long.message_id, 'no, long');
  await waitFor('the edit to be heard', () => world.api.world.updates.length === 0);
  expect(world.texts().filter((text) => text.includes('the edit changes nothing'))).toHaveLength(1);
});

test('what is no text gets one clear word, and answers nothing [DAEM-07]', async () => {
  const qid = await asking('See?');
  const { message_id: reply_to } = await world.question(qid);
  for (const media of ['photo', 'voice', 'sticker', 'document', 'video', 'location'] as const) {
    const said = world.api.world.say({ chat: CHAT, from: ANN, media, reply_to, caption: 'yes' });
    const told = await saidAfter(said);
    expect(told.text).toContain('text only');
    expect(told.reply_to_message?.message_id).toBe(said.message_id);
  }
  unanswered(qid);
  await close(qid);
});

test('/pending lists what is open, /help says how, and a command for another bot is none of ours [DAEM-09]', async () => {
  const qid = await asking('What is open?');
  await world.question(qid);
  for (const command of ['/pending', '/PENDING@Test_Bot']) {
    const listed = await saidAfter(await world.say(command));
    expect(listed.text).toContain('Open questions: 1');
    expect(listed.text).toContain(`What is open? (30 min left)\nHUB-Q:${qid}:`);
  }
  expect((await saidAfter(await world.say('/help'))).text).toContain('/cancel <code>');
  const foreign = await world.say('/pending@other_bot');
  await waitFor('it to be heard', () => world.api.world.updates.length === 0);
  expect(world.own(CHAT).filter(({ message_id }) => message_id > foreign.message_id)).toEqual([]);
  await close(qid);
  expect((await saidAfter(await world.say('/pending'))).text).toBe('No question is open.');
});

test('/cancel closes a question in the person’s name, by its code or as a reply; the asker gets the error [DAEM-09]', async () => {
  const byCode = await asking('By code?', yesNo);
  await world.question(byCode);
  await world.say(`/cancel ${byCode}`);
  expect(await planner.response(byCode)).toMatchObject({
    response: null,
    error: 'question cancelled by telegram:ann',
  });
  const byReply = await asking('By reply?', yesNo);
  const command = await world.say('/cancel', { to: byReply });
  expect(await planner.response(byReply)).toMatchObject({ response: null });
  expect((await saidAfter(command)).text).toContain('is closed without an answer');
  for (const qid of [byCode, byReply]) {
    const shown = await waitFor('the outcome', () =>
      world.questions(qid).find(({ text }) => text?.includes('✖ Cancelled by telegram:ann.')),
    );
    expect(shown).not.toHaveProperty('reply_markup');
  }
  expect((await saidAfter(await world.say(`/cancel ${byCode}`))).text).toContain('is closed already');
  expect((await saidAfter(await world.say('/cancel 01J9ZQ4V7N3K8M2R5T6W8X9Y0A'))).text).toContain(
    'Nobody asked',
  );
  expect((await saidAfter(await world.say('/cancel'))).text).toContain('Which question?');
});

test('a late answer is told to the person as a reply, and reaches nobody [BRID-23 DAEM-09]', async () => {
  const qid = await asking('Quick?', yesNo);
  await world.press(qid, '1. Yes');
  await planner.response(qid);
  await world.say('no, wait', { to: qid });
  const words = `ℹ [HUB-Q:${qid}] This question is already closed; the late answer was ignored.`;
  const told = await waitFor('the note', () => world.own(CHAT).find(({ text }) => text === words));
  expect(told.reply_to_message?.message_id).toBe(world.questions(qid)[0]?.message_id);
  await waitFor('the log', () =>
    world.log().some((entry) => entry.qid === qid && entry.event === 'late_answer'),
  );
  expect(planner.responses.filter(({ msg_id }) => msg_id === qid)).toHaveLength(1);
});

test('an answer of nothing, and a code that nobody has, are said [DAEM-07]', async () => {
  const qid = await asking('Anything?');
  await world.question(qid);
  expect((await saidAfter(await world.say(`HUB-Q:${qid}:`))).text).toContain(
    'There is no answer after the code',
  );
  const unknown = await world.say('HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A: yes');
  expect((await saidAfter(unknown)).text).toContain('Nobody asked a question');
  unanswered(qid);
  await close(qid);
});

test('a timeout and a cancel from the console show in the question and are told in a message of their own [DAEM-09 BRID-25]', async () => {
  const short = await planner.ask(JSON.stringify({ question: 'Quick?', options: yesNo }), {
    replyTimeoutMs: 700,
  });
  expect((await planner.response(short)).error).toBe('no remote answer within 700ms');
  const other = await asking('Console?', yesNo);
  await world.question(other);
  await close(other);
  for (const [qid, line, note] of [
    [short, '⌛ Timed out after 700ms.', `⌛ [HUB-Q:${short}] The question timed out after 700ms.`],
    [
      other,
      '✖ Cancelled — it was answered from the console.',
      `✖ [HUB-Q:${other}] The question was cancelled`,
    ],
  ] as const) {
    const shown = await waitFor('the outcome', () =>
      world.questions(qid).find(({ text }) => text?.endsWith(line)),
    );
    expect(shown).not.toHaveProperty('reply_markup');
    const told = await waitFor('the note', () => world.own(CHAT).find(({ text }) => text?.startsWith(note)));
    expect(told.reply_to_message?.message_id).toBe(shown.message_id);
  }
});

test('strangers, other bots and what is not the chat of --to get nothing at all; the log has their ids and no word of theirs [DAEM-08]', async () => {
  const qid = await asking('Secret?', yesNo);
  const message = await world.question(qid);
  const before = world.own(CHAT).length;
  const { api } = world;
  api.world.addChat({ id: STRANGER.id, type: 'private', first_name: 'Eve' });
  const words = 'let-me-in-4711';
  api.world.say({ chat: STRANGER.id, from: STRANGER, text: words });
  api.world.say({ chat: STRANGER.id, from: STRANGER, text: `HUB-Q:${qid}: ${words}` });
  api.world.say({ chat: STRANGER.id, from: STRANGER, text: '/pending' });
  api.world.say({ chat: CHAT, from: BOB, text: words, reply_to: message.message_id });
  api.world.say({ chat: CHAT, from: { ...ANN, is_bot: true }, text: words, reply_to: message.message_id });
  // Somebody who is on the list, in a chat that is not.
  api.world.say({ chat: -500, from: ANN, text: `HUB-Q:${qid}: ${words}` });
  api.world.press({ chat: CHAT, message: message.message_id, button: '1. Yes', from: BOB });
  await waitFor('all to be heard', () => api.world.updates.length === 0);
  await sleep(200);
  unanswered(qid);
  expect(world.own(CHAT)).toHaveLength(before);
  for (const chat of [STRANGER.id, -500]) expect(world.own(chat)).toEqual([]);
  expect(bridge.stderr()).toContain('"user":666');
  expect(bridge.stderr()).toContain('"user":77');
  expect(bridge.stderr()).not.toContain(words);
  await close(qid);
});

test('a question of 20,000 units comes in parts of at most 4,096, nothing lost, and a reply to any part answers it [DAEM-06]', async () => {
  const question = `${'👨‍👩‍👧🇺🇦 слово '.repeat(1_000)}${'w'.repeat(5_000)}`;
  const qid = await asking(question, yesNo);
  const last = await waitFor('the last part', () =>
    world.questions(qid).find(({ reply_markup }) => reply_markup),
  );
  const parts = world.questions(qid);
  expect(parts.length).toBeGreaterThan(4);
  for (const [index, { text = '' }] of parts.entries()) {
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(new RegExp(`^❓ \\[HUB-Q:${qid}\\] \\(${index + 1}/${parts.length}\\) `));
  }
  const body = parts.map(({ text = '' }, index) =>
    text
      .slice(text.indexOf(`/${parts.length}) `) + `/${parts.length}) `.length)
      .replace(index === parts.length - 1 ? /\n\nOptions:[\s\S]*$/ : /\n⤵[^\n]*$/, ''),
  );
  expect(body.join('')).toBe(question);
  expect(last.text).toContain('1. Yes\n2. No — not before Monday');
  expect(last).toBe(parts.at(-1));
  for (const part of parts.slice(0, -1)) expect(part).not.toHaveProperty('reply_markup');
  const { message_id: reply_to } = parts[1] ?? last;
  world.api.world.say({ chat: CHAT, from: ANN, text: 'from the middle', reply_to });
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'from the middle' });
});

test.each([4_095, 4_096, 4_097])('a question of %i units in all arrives whole [DAEM-06]', async (units) => {
  const probe =
    '❓ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] \n\n↩ Reply to this message, or type: HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A: <answer>';
  const qid = await asking(
    `${'🙂'.repeat(2_000).slice(0, 2 * Math.floor((units - probe.length) / 2))}${(units - probe.length) % 2 === 1 ? 'x' : ''}`,
  );
  await waitFor('the whole question', () =>
    world.questions(qid).at(-1)?.text?.includes('↩') === true ? true : null,
  );
  expect(world.questions(qid)).toHaveLength(units <= 4_096 ? 1 : 2);
  if (units <= 4_096) expect(world.questions(qid)[0]?.text).toHaveLength(units);
  await close(qid);
});

test('300 options come with their numbers, whole and without buttons; the last of them can be chosen [DAEM-06]', async () => {
  const options = Array.from({ length: 300 }, (_, at) => ({ title: `Option number ${at + 1} of them all` }));
  const qid = await asking('Which?', options);
  await waitFor('the last part', () => world.questions(qid).at(-1)?.text?.includes('↩'));
  const text = world
    .questions(qid)
    .map((part) => part.text)
    .join('\n');
  for (const [at, { title }] of options.entries()) expect(text).toContain(`\n${at + 1}. ${title}`);
  for (const part of world.questions(qid)) expect(part).not.toHaveProperty('reply_markup');
  await world.say('300', { to: qid });
  expect((await planner.response(qid)).response).toEqual({
    kind: 'selection',
    selections: ['Option number 300 of them all'],
  });
});
