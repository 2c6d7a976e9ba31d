// The bugs: an answer lost, or given twice, because a server, a network, a disk or this process failed at the wrong moment.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  badGateway,
  blocked,
  conflict,
  tooManyRequests,
  unauthorized,
  type Fault,
} from '../../../../../tooling/src/bot-api/faults.ts';
import { startBotApi, type BotApi } from '../../../../../tooling/src/bot-api/server.ts';
import { sleep, waitFor } from '../../../test/support/wait-for.ts';
import type { Trouble } from '../../status.ts';
import { createAnswerWriter } from './answer-writer.ts';
import { createTelegramClient, type TelegramClient } from './api-client.ts';
import { english } from './person-texts.ts';
import { redactorOf } from './redact.ts';
import { emptyState, openStateFile, readState, type UpdatesState } from './updates-state.ts';
import {
  ann,
  bo,
  chat,
  fakeBook,
  fakeDesk,
  group,
  me,
  openQuestion,
  q1,
  q2,
  stranger,
  type FakeBook,
  type FakeDesk,
} from './way-in.fixture.ts';
import { createWayIn, type WayIn, type WayInParts } from './way-in.ts';

let server: BotApi;
let root = '';
let folder = '';
let questionsDir = '';
let desk: FakeDesk;
let book: FakeBook;
const begun: WayIn[] = [];
const log = pino({ level: 'silent' });

beforeEach(async () => {
  server = await startBotApi();
  server.world.setReadsAll(true);
  server.world.addChat({ id: chat, type: 'private', first_name: 'Ann' });
  server.world.addChat({ id: group, type: 'group', title: 'Team' });
  root = mkdtempSync(join(tmpdir(), 'bd-way-in-'));
  folder = join(root, 'telegram', 'abc');
  questionsDir = join(root, 'questions');
  mkdirSync(questionsDir);
  desk = fakeDesk(root, questionsDir);
  book = fakeBook();
});
afterEach(async () => {
  await Promise.all(begun.splice(0).map((wayIn) => wayIn.close(0)));
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const clientOf = (): TelegramClient =>
  createTelegramClient({ token: server.token, apiRoot: server.root, redact: redactorOf(server.token), log });

const make = (parts: Partial<WayInParts> = {}): WayIn => {
  const wayIn = createWayIn({
    client: clientOf(),
    book,
    target: { chat, topic: null },
    allow: new Set([ann.id, bo.id]),
    desk,
    log,
    me,
    folder,
    backoffFirstMs: 1,
    ...parts,
  });
  begun.push(wayIn);
  return wayIn;
};
const begin = async (parts: Partial<WayInParts> = {}): Promise<WayIn> => {
  const wayIn = make(parts);
  wayIn.start();
  await wayIn.caughtUp;
  return wayIn;
};
/** A question as the way out would have put it. */
const ask = (qid = q1, to = chat): number => {
  const found = server.world.chat(to);
  if (found === undefined) throw new Error('no chat');
  const text = `❓ [HUB-Q:${qid}] Deploy?`;
  const { message_id } = server.world.post({ chat: found, from: server.world.bot, text });
  desk.ask(openQuestion(qid));
  book.messages.set(`${to}:${message_id}`, qid);
  return message_id;
};
const say = (text: string, more: object = {}) => server.world.say({ chat, from: ann, text, ...more });
const accepted = (qid = q1): Promise<Record<string, unknown>> =>
  waitFor('the answer', () => desk.accepted.get(qid));
const heardLast = (to = chat): string => server.world.messages(to).at(-1)?.text ?? '';
const stored = (): UpdatesState => {
  const reading = readState(readFileSync(join(folder, 'updates.json'), 'utf8'));
  if (reading.code !== 'state') throw new Error(reading.detail);
  return reading.state;
};

test('a reply becomes an answer file, and is told to the server as handled only afterwards [DAEM-06 DAEM-07]', async () => {
  await begin();
  const message = ask();
  const confirmedAtLook: boolean[] = [];
  const look = desk.look.bind(desk);
  vi.spyOn(desk, 'look').mockImplementation(async (qid) => {
    confirmedAtLook.push(server.world.updates.length === 0);
    expect(existsSync(join(questionsDir, `${q1}.answer.json`))).toBe(true);
    await look(qid);
  });
  const said = say('yes', { reply_to: message });
  expect(await accepted()).toEqual({
    qid: q1,
    answer: 'yes',
    answered_by: 'telegram:ann',
    at: new Date(said.date * 1_000).toISOString(),
  });
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  expect(confirmedAtLook).toEqual([false]);
  expect(desk.late).toEqual([]);
  expect(server.calls).toEqual([]);
});

test('polls ask for texts, edits, presses and memberships, never drop what is pending, and are never two at once', async () => {
  say('before the start');
  const asked: unknown[] = [];
  server.faults.decide((method, parameters) => {
    if (method === 'getUpdates') asked.push(parameters);
    return null;
  });
  await begin();
  for (let count = 0; count < 5; count += 1) {
    say(`text ${count}`);
    await waitFor('the reply', () => server.world.messages(chat).length === 2 * (count + 2));
    expect(server.polling).toBeLessThanOrEqual(1);
  }
  expect(asked[0]).toEqual({
    limit: 100,
    timeout: 0,
    allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member'],
  });
  expect(asked.at(-1)).toMatchObject({ timeout: 25 });
  expect(asked.filter((one) => JSON.stringify(one).includes('-'))).toEqual([]);
});

/** What `kill -9` leaves: the process is gone, its files are there. */
const kill = async (wayIn: WayIn): Promise<void> => {
  begun.splice(begun.indexOf(wayIn), 1);
  await wayIn.close(0);
};

test('a restart replays nothing and loses nothing: an update that comes again leaves the next question open [DAEM-10]', async () => {
  const first = await begin();
  say('yes', { reply_to: ask(q1) });
  await accepted(q1);
  await kill(first);
  const message = ask(q2);
  server.world.redeliver(1);
  say('later', { reply_to: message });
  await begin();
  expect(await accepted(q2)).toMatchObject({ answer: 'later' });
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
  expect(desk.late).toEqual([]);
});

test('an update handled but not confirmed when the process was killed takes effect once [DAEM-10]', async () => {
  // The first process never gets to its second poll.
  let polls = 0;
  const client = clientOf();
  const first = await begin({
    client: {
      call: (work, bounds) => {
        polls += 1;
        return polls > 2 ? new Promise(() => undefined) : client.call(work, bounds);
      },
    },
  });
  say('yes', { reply_to: ask(q1) });
  await accepted(q1);
  expect(server.world.updates).toHaveLength(1);
  begun.splice(begun.indexOf(first), 1);
  ask(q2);
  await begin();
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  expect(desk.late).toEqual([]);
  expect(desk.standing(q2)).toBe('open');
});

test('everything said while the daemon was down counts, also more than one poll brings [DAEM-10]', async () => {
  const message = ask();
  for (let count = 0; count < 230; count += 1) say('talk', { from: stranger });
  say('yes', { reply_to: message });
  await begin();
  // Caught up means that all of it was handled.
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
});

test('an answer that the state holds is written at the next start, with no word from the server [DAEM-10]', async () => {
  ask();
  const state: UpdatesState = {
    ...emptyState,
    answers: [
      {
        qid: q1,
        by: 'telegram:ann',
        user: ann.id,
        chat,
        topic: null,
        via: 'message',
        at: '2026-11-30T10:00:00.000Z',
        pieces: [{ message: 3, text: 'yes' }],
        joining: null,
        due: true,
        written: [],
      },
    ],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'updates.json'), JSON.stringify(state));
  await server.goOffline();
  make().start();
  expect(await accepted()).toMatchObject({ answer: 'yes', at: '2026-11-30T10:00:00.000Z' });
  await server.goOnline();
});

const twice = (fault: Fault): Fault[] => [fault, fault];
test.each<[string, Fault[], RegExp]>([
  ['another program polls (409)', twice(conflict), /another program fetches the updates.*409/],
  ['Telegram asks to slow down (429)', twice(tooManyRequests(60)), /429/],
  ['a proxy answers (502)', twice(badGateway), /502/],
  ['the token is not known (401)', twice(unauthorized), /@BotFather.*401/],
  ['the connection is cut before an answer', twice({ fault: 'drop_before' }), /connection|reached/],
  [
    'the connection is cut in the middle of an answer',
    twice({ fault: 'drop_in_answer' }),
    /connection|reached/,
  ],
  [
    'the connection is cut after the updates were handed out',
    twice({ fault: 'drop_after' }),
    /connection|reached/,
  ],
])(
  'when %s, status says so and since when, and nothing said meanwhile is lost [DAEM-10]',
  async (_, faults, reason) => {
    server.faults.add('getUpdates', ...faults);
    const seen: Trouble[] = [];
    const client = clientOf();
    const wayIn = make({
      client: {
        call: (work, bounds) => {
          const trouble = wayIn.trouble();
          if (trouble !== null) seen.push(trouble);
          return client.call(work, bounds);
        },
      },
    });
    say('yes', { reply_to: ask() });
    wayIn.start();
    expect(await accepted()).toMatchObject({ answer: 'yes' });
    await wayIn.caughtUp;
    // What status told before the second poll and the third one: the same trouble, since the same moment.
    expect(seen).toHaveLength(2);
    expect(seen[0]?.reason).toMatch(reason);
    expect(seen[1]).toEqual(seen[0]);
    expect(wayIn.trouble()).toBe(null);
    expect(wayIn.sincePollMs()).not.toBe(null);
    expect(desk.late).toEqual([]);
  },
);

test('a server that goes silent in the middle of a poll is given up, and asked again [DAEM-10]', async () => {
  server.faults.add('getUpdates', { fault: 'never_answer' });
  const message = ask();
  say('yes', { reply_to: message });
  const wayIn = make({ pollSlackMs: 50 });
  wayIn.start();
  expect(await accepted()).toMatchObject({ answer: 'yes' });
});

test('a server that is not there at the start is waited for, its name for us learnt when it comes [DAEM-10]', async () => {
  const message = ask();
  say('yes', { reply_to: message });
  await server.goOffline();
  const wayIn = make({ me: null });
  wayIn.start();
  await waitFor('the trouble', () => wayIn.trouble()?.reason.includes('not reached'));
  expect(wayIn.sincePollMs()).toBe(null);
  await server.goOnline();
  expect(await accepted()).toMatchObject({ answer: 'yes' });
  await wayIn.caughtUp;
  expect(wayIn.trouble()).toBe(null);
});

test('a full disk confirms nothing, says so, and takes everything once there is room [DAEM-10]', async () => {
  let full = true;
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const file = openStateFile(join(folder, 'updates.json'), join(folder, 'prepared'));
  const wayIn = make({
    stateFile: {
      load: () => file.load(),
      save: async (state) => (full ? Promise.reject(noRoom) : file.save(state)),
    },
  });
  say('yes', { reply_to: ask() });
  wayIn.start();
  await waitFor('the trouble', () => wayIn.trouble()?.reason.includes('ENOSPC'));
  expect(server.world.updates).toHaveLength(1);
  expect(desk.accepted.size).toBe(0);
  expect(readdirSync(questionsDir)).toEqual([]);
  full = false;
  expect(await accepted()).toMatchObject({ answer: 'yes' });
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  expect(wayIn.trouble()).toBe(null);
  expect(desk.late).toEqual([]);
});

test('an answer file that finds no room is written when there is some, before its update is confirmed [DAEM-10]', async () => {
  let full = true;
  mkdirSync(join(folder, 'prepared'), { recursive: true });
  const writer = createAnswerWriter({ questionsDir, preparedDir: join(folder, 'prepared') });
  const wayIn = make({
    writer: {
      sweep: () => writer.sweep(),
      write: async (answer) => (full ? Promise.reject(new Error('ENOSPC')) : writer.write(answer)),
    },
  });
  say('yes', { reply_to: ask() });
  wayIn.start();
  await waitFor('the trouble', () => wayIn.trouble()?.reason.includes('storing an answer'));
  expect(server.world.updates).toHaveLength(1);
  full = false;
  expect(await accepted()).toMatchObject({ answer: 'yes' });
});

test('one update that cannot be handled is set aside after three attempts and holds up nothing', async () => {
  const open = vi.spyOn(desk, 'open').mockImplementation(() => {
    throw new Error('a bug');
  });
  const message = ask();
  say('a bare text');
  say('yes', { reply_to: message });
  await begin();
  expect(open).toHaveBeenCalledTimes(3);
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
  const refused = readdirSync(join(folder, 'refused'));
  expect(refused).toHaveLength(1);
  expect(readFileSync(join(folder, 'refused', refused[0] ?? ''), 'utf8')).toContain('a bare text');
  await waitFor('the confirmation', () => server.world.updates.length === 0);
});

const shapeless: [string, unknown][] = [
  ['has no chat', { message_id: 1, date: 1, from: ann, text: 'x' }],
  ['has no id', { date: 1, chat: { id: chat }, from: ann, text: 'x' }],
  ['is null', null],
  ['has a time that is none', { message_id: 1, date: 1e18, chat: { id: chat }, from: ann, text: 'x' }],
  ['has a text that is none', { message_id: 1, date: 1, chat: { id: chat }, from: ann, text: 12 }],
];
test.each(shapeless)(
  'a message that %s is set aside, holds up nothing, and leaves a state that can be read',
  async (_, message) => {
    const answered = ask();
    say('an update for its number');
    const [update] = server.world.updates;
    if (update !== undefined) Object.assign(update, { message });
    say('yes', { reply_to: answered });
    await begin();
    expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
    expect(readdirSync(join(folder, 'refused'))).toEqual([`${update?.update_id}.json`]);
    await waitFor('the confirmation', () => server.world.updates.length === 0);
    expect(stored().offset).toBe(102);
  },
);

test('what has no number is said by status, poisons no state and holds up nothing', async () => {
  const answered = ask();
  say('to become odd');
  const [update] = server.world.updates;
  // One that no offset confirms, so that it comes until it is taken away.
  if (update !== undefined) Object.assign(update, { update_id: 1e300 });
  say('yes', { reply_to: answered });
  const wayIn = make();
  wayIn.start();
  expect(await accepted()).toMatchObject({ answer: 'yes' });
  await waitFor('the word', () => wayIn.trouble()?.reason.includes('have no number') === true);
  server.world.updates.splice(0);
  await waitFor('the end of it', () => wayIn.trouble() === null);
  expect(stored().recent_ids).toEqual([101]);
});

test('a state that cannot be read keeps nobody from answering', async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'updates.json'), '{"v":1,"off');
  say('yes', { reply_to: ask() });
  await begin();
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
  expect(readFileSync(join(folder, 'updates.json.damaged'), 'utf8')).toBe('{"v":1,"off');
});

test('after a week of silence a lower id is heard all the same, by a daemon that ran all the time [DAEM-10]', async () => {
  let now = Date.now();
  const offsets: unknown[] = [];
  await begin({ now: () => now });
  say('/help');
  await waitFor('the reply', () => heardLast() === english.help);
  server.faults.decide((method, parameters) => {
    if (method === 'getUpdates') offsets.push(parameters['offset']);
    return null;
  });
  /** Ends the poll under way, as its time does in the end. */
  const nextPoll = async (): Promise<unknown> => {
    const { length } = offsets;
    await fetch(`${server.root}/bot${server.token}/getUpdates?timeout=0`);
    await waitFor('the next poll', () => offsets.length > length + 1);
    return offsets.at(-1);
  };
  expect(await nextPoll()).toBe(101);
  now += 7 * 86_400_000;
  expect(await nextPoll()).toBe(undefined);
  server.world.renumber(5);
  say('yes', { reply_to: ask() });
  expect(await accepted()).toMatchObject({ answer: 'yes' });
  await waitFor('the confirmation', () => offsets.at(-1) === 6);
});

test('a server that counts from lower down, as another Bot API server does, is heard from its first update on [DAEM-10]', async () => {
  server.world.renumber(900_000_000);
  const first = await begin();
  say('/help');
  await waitFor('the reply', () => heardLast() === english.help);
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  await kill(first);
  server.world.renumber(400_000_000);
  say('yes', { reply_to: ask(q1) });
  const second = await begin();
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
  await kill(second);
  // Nothing is pending at the start: the first poll must not make the server forget what is yet to come.
  server.world.renumber(50);
  await begin();
  await waitFor('the long poll', () => server.polling === 1);
  say('later', { reply_to: ask(q2) });
  expect(await accepted(q2)).toMatchObject({ answer: 'later' });
});

test('a bridge that cannot finish a cancel does not keep the way in from ending', async () => {
  const wayIn = await begin();
  ask();
  const cancel = vi.spyOn(desk, 'cancel').mockReturnValue(new Promise(() => undefined));
  say(`/cancel ${q1}`);
  await waitFor('the cancel', () => cancel.mock.calls.length > 0);
  await wayIn.close(0);
  expect(stored().cancels).toHaveLength(1);
});

test('updates that come again for ever are told to be known, and not fetched in a circle', async () => {
  let now = Date.now();
  await kill(await begin({ now: () => now }));
  const first = await begin({ now: () => now });
  say('talk', { from: stranger });
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  await kill(first);
  now += 7 * 86_400_000;
  // A server that still has what was confirmed, asked without a count.
  server.world.renumber(100);
  say('talk', { from: stranger });
  await begin({ now: () => now });
  await waitFor('the confirmation', () => server.world.updates.length === 0 && server.polling === 1);
  expect(stored().recent_ids).toEqual([100]);
});

test('a bare text gets the list; its button gives it to the question, and the list says so without buttons [DAEM-07]', async () => {
  await begin();
  ask(q1);
  ask(q2);
  say('1');
  const list = await waitFor('the list', () =>
    server.world.messages(chat).find(({ reply_markup }) => reply_markup !== undefined),
  );
  expect(list.text).toContain('Which question');
  expect(list.reply_to_message?.text).toBe('1');
  expect(desk.accepted.size).toBe(0);
  server.world.press({ chat, message: list.message_id, button: '2 · Deploy?', from: ann });
  expect(await accepted(q1)).toMatchObject({ answer: '1', answered_by: 'telegram:ann' });
  await waitFor('the edit', () => server.world.message(chat, list.message_id)?.text?.startsWith('✅'));
  expect(server.world.message(chat, list.message_id)?.reply_markup).toBeUndefined();
  await waitFor('the words over the chat', () => server.world.toasts()[0] === english.pressed('Deploy?'));
  expect(desk.standing(q2)).toBe('open');
});

test('a button of a question answers it, and a second tap changes nothing [DAEM-07]', async () => {
  await begin();
  const message = ask();
  book.buttons.set('token', { qid: q1, index: 0 });
  server.world.press({ chat, message, data: 'token', from: ann });
  server.world.press({ chat, message, data: 'token', from: ann });
  expect(await accepted()).toMatchObject({ answer: '1' });
  await waitFor('both words', () => server.world.toasts().length === 2 && server.world.toasts()[1] !== null);
  expect(server.world.toasts()).toEqual([english.pressed('Yes'), english.pressedBefore]);
  expect(desk.late).toEqual([]);
});

test.each<[string, Fault[]]>([
  ['asks to slow down', [tooManyRequests(0)]],
  ['asks to slow down for longer than one call may wait', [tooManyRequests(600)]],
  ['answers with a page', [badGateway]],
  ['cuts the connection', [{ fault: 'drop_before' }]],
])('a reply is sent again when the server %s', async (_, faults) => {
  await begin();
  server.faults.add('sendMessage', ...faults);
  say('/help');
  await waitFor('the reply', () => heardLast() === english.help);
  await waitFor('the striking off', () => stored().texts.length === 0);
  expect(server.world.messages(chat)).toHaveLength(2);
});

test('a reply that is refused is struck off, and holds up neither the next one nor any answer', async () => {
  await begin();
  server.faults.add('sendMessage', blocked);
  say('/help');
  say('/pending');
  await waitFor('the second reply', () => heardLast() === 'No question is open.');
  expect(server.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(2);
});

test('a reply that was not sent when the process ended is sent by the next one', async () => {
  const first = await begin();
  server.faults.decide((method) => (method === 'sendMessage' ? badGateway : null));
  say('/help');
  await waitFor('an attempt', () => server.calls.some(({ method }) => method === 'sendMessage'));
  await kill(first);
  server.faults.decide(null);
  expect(server.world.messages(chat)).toHaveLength(1);
  await begin();
  await waitFor('the reply', () => heardLast() === english.help);
});

test('/pending lists what is open; /cancel closes it in the name of who said it, once [DAEM-09]', async () => {
  await begin();
  ask();
  say('/pending');
  await waitFor('the list', () => heardLast().includes(`HUB-Q:${q1}:`));
  say(`/cancel ${q1}`);
  await waitFor('the confirmation', () => heardLast() === english.cancelled(q1));
  expect(desk.cancelled).toEqual([`${q1} telegram:ann`]);
  say(`/cancel ${q1}`);
  await waitFor('the answer', () => heardLast() === english.cancelClosed(q1));
  expect(desk.cancelled).toHaveLength(1);
});

test('a question of another daemon is not cancelled here, and the person is told', async () => {
  await begin();
  vi.spyOn(desk, 'standing').mockReturnValue('open');
  say(`/cancel ${q2}`);
  await waitFor('the answer', () => heardLast() === english.cancelElsewhere(q2));
  expect(desk.cancelled).toEqual([]);
});

test('strangers get nothing at all, whatever they try, and are logged without their words [DAEM-08]', async () => {
  const lines: string[] = [];
  await begin({
    log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }),
    target: { chat: group, topic: null },
  });
  const message = ask(q1, group);
  book.buttons.set('token', { qid: q1, index: 0 });
  const eve = { chat: group, from: stranger };
  server.world.say({ ...eve, text: 'secret plan', reply_to: message });
  server.world.say({ ...eve, text: '/pending' });
  server.world.say({ ...eve, text: `/cancel ${q1}` });
  server.world.say({ ...eve, voice: true, reply_to: message });
  server.world.press({ chat: group, message, data: 'token', from: stranger });
  // A user of the list in a chat that is not on it.
  say(`HUB-Q:${q1}: yes`);
  server.world.say({ chat: group, from: ann, text: 'yes', reply_to: message });
  expect(await accepted()).toMatchObject({ answer: 'yes', answered_by: 'telegram:ann' });
  expect(server.calls).toEqual([]);
  expect(desk.cancelled).toEqual([]);
  const told = lines.filter((line) => line.includes('not heard'));
  expect(told).toHaveLength(6);
  expect(told.filter((line) => line.includes(`"user":${stranger.id}`))).toHaveLength(5);
  expect(lines.join('')).not.toContain('secret plan');
  server.world.say({ ...eve, text: 'still here' });
  await waitFor('the confirmation', () => server.world.updates.length === 0);
  expect(stored().offset).toBe(108);
});

test('a group that becomes a supergroup is followed; message ids that coincide are told apart by their chat', async () => {
  await begin({ target: { chat: group, topic: null } });
  const message = ask(q1, group);
  server.world.migrate(group, -100_777);
  const again = ask(q2, -100_777);
  // The same number as that of the first question in the old chat.
  book.messages.set(`-100777:${message}`, q2);
  expect(again).not.toBe(0);
  server.world.say({ chat: -100_777, from: ann, text: 'yes', reply_to: again });
  expect(await accepted(q2)).toMatchObject({ answer: 'yes' });
  expect(book.currentChat(group)).toBe(-100_777);
  server.world.say({ chat: -100_777, from: ann, text: '/help' });
  await waitFor('the reply', () => heardLast(-100_777) === english.help);
  expect(desk.standing(q1)).toBe('open');
});

test('a reply that meets the old group goes to the new one, before any update has told of it', async () => {
  await begin({ target: { chat: group, topic: null } });
  server.faults.add('sendMessage', { fault: 'migrate', from: group, to: -100_777 });
  server.faults.decide((method) =>
    method === 'getUpdates' && server.calls.length > 0 ? { fault: 'never_answer' } : null,
  );
  server.world.say({ chat: group, from: ann, text: '/help' });
  await waitFor('the reply', () => heardLast(-100_777) === english.help);
  expect(book.currentChat(group)).toBe(-100_777);
});

test('in a forum people are answered in the topic where they spoke, in the general one without a thread', async () => {
  server.world.addChat({ id: -100_900, type: 'supergroup', title: 'Forum', is_forum: true });
  const topic = server.world.addTopic(-100_900, { id: 5 });
  await begin({ target: { chat: -100_900, topic } });
  server.world.say({ chat: -100_900, from: ann, text: '/help', thread: topic, topic_message: true });
  await waitFor('the reply', () => server.calls.length === 1);
  server.world.say({ chat: -100_900, from: ann, text: '/help' });
  await waitFor('the reply', () => server.calls.length === 2);
  expect(server.calls.map(({ parameters }) => parameters['message_thread_id'])).toEqual([topic, undefined]);
  expect(server.calls.every(({ carriedOut }) => carriedOut)).toBe(true);
});

const longText = `${'long '.repeat(2_000)}end`;

test('one long reply that arrives in three messages is one answer, and its rest answers nothing else', async () => {
  await begin();
  const message = ask(q1);
  ask(q2);
  const pieces = server.world.sayLong({ chat, from: ann, text: longText, reply_to: message });
  expect(pieces).toHaveLength(3);
  expect(await accepted(q1)).toMatchObject({ answer: pieces.map(({ text }) => text).join('') });
  expect(server.calls).toEqual([]);
  expect(desk.standing(q2)).toBe('open');
});

test('a long reply cut by a restart is still one answer: its rest is fetched before it counts as complete [DAEM-10]', async () => {
  const first = await begin();
  const message = ask();
  const head = 'a'.repeat(4_096);
  say(head, { reply_to: message });
  await waitFor('the head', () => existsSync(join(folder, 'updates.json')) && stored().answers.length === 1);
  await kill(first);
  say('tail');
  const hourMs = 3_600_000;
  await begin({ now: () => Date.now() + hourMs });
  expect(await accepted()).toMatchObject({ answer: `${head}tail` });
  expect(server.calls).toEqual([]);
});

test('a long reply cut by an outage is still one answer: it is not complete while updates cannot be fetched [DAEM-10]', async () => {
  const wayIn = await begin();
  const message = ask();
  const head = 'a'.repeat(4_096);
  say(head, { reply_to: message });
  await waitFor('the head', () => server.world.updates.length === 0 && stored().answers.length === 1);
  server.faults.decide((method) => (method === 'getUpdates' ? badGateway : null));
  say('tail');
  await waitFor('the trouble', () => wayIn.trouble());
  // Longer than it waits with a server that answers, shorter than it waits without.
  await sleep(2_500);
  expect(desk.accepted.size).toBe(0);
  server.faults.decide(null);
  expect(await accepted()).toMatchObject({ answer: `${head}tail` });
});

test('a long reply whose end lies beyond a full poll is still one answer', async () => {
  await begin();
  await waitFor('the poll', () => server.polling === 1);
  const message = ask();
  const head = 'a'.repeat(4_096);
  let polls = 0;
  server.faults.decide((method) => {
    if (method !== 'getUpdates') return null;
    polls += 1;
    if (polls === 1) {
      for (let count = 0; count < 99; count += 1) say('talk', { from: stranger });
      say(head, { reply_to: message });
      say('tail');
    }
    return polls === 2 ? { fault: 'delay', ms: 2_500 } : null;
  });
  say('/help');
  expect(await accepted()).toMatchObject({ answer: `${head}tail` });
});

test('an edit that comes before the bridge has read the answer counts, one that comes after is told [DAEM-10]', async () => {
  await begin();
  const message = ask();
  const look = vi.spyOn(desk, 'look').mockResolvedValue(undefined);
  const said = say('yes', { reply_to: message });
  const path = join(questionsDir, `${q1}.answer.json`);
  await waitFor('the answer file', () => existsSync(path));
  server.world.edit(chat, said.message_id, 'no');
  await waitFor('the edit', () => readFileSync(path, 'utf8').includes('"no"'));
  look.mockRestore();
  await desk.look(q1);
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'no' });
  server.world.edit(chat, said.message_id, 'perhaps');
  await waitFor('the words', () => heardLast() === english.alreadyTaken(q1));
  expect(desk.late).toEqual([]);
});

test('a second answer waits for the first to be read, is never written over it, and then comes late', async () => {
  await begin();
  const message = ask();
  const look = vi.spyOn(desk, 'look').mockResolvedValue(undefined);
  say('first', { reply_to: message });
  say('second', { reply_to: message, from: bo });
  await waitFor('both', () => existsSync(join(folder, 'updates.json')) && stored().answers.length === 2);
  expect(readFileSync(join(questionsDir, `${q1}.answer.json`), 'utf8')).toContain('first');
  look.mockRestore();
  expect(await accepted()).toMatchObject({ answer: 'first' });
  await waitFor('the late one', () => desk.late.length === 1);
  expect(desk.late).toEqual([{ qid: q1, answer: 'second' }]);
});

test('ending lets the update under way finish, and leaves the state on the disk', async () => {
  const wayIn = await begin();
  const message = ask();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const look = desk.look.bind(desk);
  const looking = vi.spyOn(desk, 'look').mockImplementation(async (qid) => {
    await held;
    await look(qid);
  });
  say('yes', { reply_to: message });
  await waitFor('the look', () => looking.mock.calls.length > 0);
  const closing = wayIn.close(60_000);
  release();
  await closing;
  expect(desk.accepted.get(q1)).toMatchObject({ answer: 'yes' });
  expect(stored()).toMatchObject({ answers: [] });
  expect(server.polling).toBe(0);
});

test('a daemon that ends before it ever reached the server does not wait for it', async () => {
  await server.goOffline();
  const wayIn = make({ me: null });
  wayIn.start();
  await wayIn.close(0);
  await wayIn.caughtUp;
  expect(wayIn.sincePollMs()).toBe(null);
});
