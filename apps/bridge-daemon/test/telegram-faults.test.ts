// Catches what a network, a server or a restart can take away or double: an answer lost, counted twice or given to another
// question, a question asked three times, a clock that runs on a question nobody saw.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  badGateway,
  blocked,
  conflict,
  refusal,
  tooManyRequests,
} from '../../../tooling/src/bot-api/faults.ts';
import type { Fault } from '../../../tooling/src/bot-api/faults.ts';
import { ANN, CHAT, createTelegramWorld, type TelegramWorld } from './support/telegram-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import type { Asker, Daemon } from './support/world.ts';

const full = process.env['FULL'] === '1';

let world: TelegramWorld;
let planner: Asker;
beforeEach(async () => {
  world = await createTelegramWorld();
  planner = await world.asker('planner');
});
afterEach(() => world.end());

const ask = (question: string): Promise<string> =>
  planner.ask(JSON.stringify({ question, options: [{ title: 'Yes' }, { title: 'No' }] }));
const eventsOf = (qid: string, name: string): number =>
  world.log().filter(({ qid: of, event }) => of === qid && event === name).length;
const heardAll = (): Promise<boolean> =>
  waitFor('all to be heard', () => world.api.world.updates.length === 0);
const stateOf = async (bridge: Daemon): Promise<string> => JSON.stringify(await bridge.card());
const degraded = (bridge: Daemon, words: string): Promise<boolean> =>
  waitFor(`it to be degraded: ${words}`, async () => {
    const card = await stateOf(bridge);
    return card.includes('"degraded"') && card.includes(words);
  });
const well = (bridge: Daemon): Promise<boolean> =>
  waitFor('it to be well', async () => (await stateOf(bridge)).includes('"state":"ok"'));
/** Nothing that an answer which came twice would be told. */
const noStrayWords = (): void =>
  expect(
    world.texts().filter((text) => /^ℹ|No question is open|Which question|edit changes/.test(text)),
  ).toEqual([]);

test('an answer handled before a kill and delivered again after it takes effect once, and not on the next question [DAEM-10]', async () => {
  const first = await world.daemon();
  const q1 = await ask('First?');
  await world.question(q1);
  // The poll that would confirm it never gets through.
  world.api.faults.decide((method, { offset }) =>
    method === 'getUpdates' && Number(offset ?? 0) > 100 ? { fault: 'never_answer' } : null,
  );
  await world.say('yes', { to: q1 });
  expect((await planner.response(q1)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  await first.terminate('SIGKILL');
  expect(world.api.world.updates).toMatchObject([{ update_id: 100 }]);
  world.api.faults.clear();
  const bridge = await world.daemon();
  const q2 = await ask('Second?');
  await heardAll();
  await sleep(100);
  expect(planner.responses.map(({ msg_id }) => msg_id)).toEqual([q1]);
  await world.say('no', { to: q2 });
  expect((await planner.response(q2)).response).toEqual({ kind: 'selection', selections: ['No'] });
  for (const qid of [q1, q2]) expect(eventsOf(qid, 'answered')).toBe(1);
  expect(world.log().some(({ event }) => ['late_answer', 'answer_rejected'].includes(event))).toBe(false);
  noStrayWords();
  expect(await bridge.terminate()).toBe(0);
});

test('updates handed out again while it runs change nothing: answers, presses, commands and talk [DAEM-10]', async () => {
  await world.daemon();
  const q1 = await ask('First?');
  const q2 = await ask('Second?');
  await world.question(q2);
  await world.say('yes', { to: q1 });
  await planner.response(q1);
  await world.press(q2, '2. No');
  await planner.response(q2);
  await world.say('/help');
  await world.say('talk');
  await heardAll();
  await waitFor('the words to be said', () =>
    world.texts().some((text) => text.includes('No question is open')),
  );
  await waitFor('a poll', () => world.api.polling > 0);
  const before = world.texts();
  const polls = world.api.pollsEnded;
  world.api.world.redeliver(4);
  await waitFor('another poll', () => world.api.pollsEnded > polls && world.api.polling > 0);
  await sleep(100);
  expect(world.texts()).toEqual(before);
  expect(planner.responses).toHaveLength(2);
});

test('what is said while it is down counts after the start, and nothing pending is dropped [DAEM-10]', async () => {
  const first = await world.daemon();
  const [q1, q2, q3] = [await ask('First?'), await ask('Second?'), await ask('Third?')];
  for (const qid of [q1, q2, q3]) await world.question(qid);
  await first.terminate('SIGKILL');
  await world.say('1', { to: q1 });
  await world.press(q2, '2. No');
  await world.say(`HUB-Q:${q3}: test`);
  await world.daemon();
  expect((await planner.response(q1)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect((await planner.response(q2)).response).toEqual({ kind: 'selection', selections: ['No'] });
  expect((await planner.response(q3)).response).toEqual({ kind: 'freeform', text: 'test' });
  noStrayWords();
  expect(world.api.calls.map(({ method }) => method)).not.toContain('deleteWebhook');
});

test('what was edited while it is down is the answer, and nobody is told that the edit came too late [DAEM-10]', async () => {
  const first = await world.daemon();
  const qid = await ask('Name?');
  await world.question(qid);
  await first.terminate('SIGKILL');
  const said = await world.say('Ada Lovelcae', { to: qid });
  await world.say('/help');
  world.api.world.edit(CHAT, said.message_id, 'Ada Lovelace');
  await world.daemon();
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'Ada Lovelace' });
  await heardAll();
  noStrayWords();
});

test('50 questions, the daemon killed, answers before, during and after: all count, once, on their own question [DAEM-10 DAEM-12]', async () => {
  const count = full ? 50 : 12;
  const first = await world.daemon();
  const qids = await Promise.all(Array.from({ length: count }, (_, at) => ask(`Question ${at}?`)));
  await waitFor('all to be delivered', () => qids.every((qid) => eventsOf(qid, 'delivered') === 1));
  const third = Math.ceil(count / 3);
  for (const qid of qids.slice(0, third)) await world.say(`answer to ${qid}`, { to: qid });
  await first.terminate('SIGKILL');
  for (const qid of qids.slice(third, 2 * third)) await world.say(`answer to ${qid}`, { to: qid });
  const second = world.daemon();
  for (const qid of qids.slice(2 * third)) await world.say(`answer to ${qid}`, { to: qid });
  expect((await second).entry.name).toBe('user-remote');
  for (const qid of qids) {
    expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: `answer to ${qid}` });
    expect(eventsOf(qid, 'answered')).toBe(1);
    expect(world.questions(qid)).toHaveLength(1);
  }
  expect(planner.responses).toHaveLength(count);
  noStrayWords();
});

test('a kill while a long reply is waited for loses no piece of it, and counts it once [DAEM-10]', async () => {
  const first = await world.daemon();
  const qid = await ask('All of it?');
  const { message_id: reply_to } = await world.question(qid);
  const text = 'їж🙂'.repeat(2_000);
  const pieces = world.api.world.sayLong({ chat: CHAT, from: ANN, text, reply_to });
  expect(pieces.length).toBeGreaterThan(1);
  await heardAll();
  await first.terminate('SIGKILL');
  await world.daemon();
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text });
  expect(eventsOf(qid, 'answered')).toBe(1);
  noStrayWords();
});

test.each<[string, Fault, string]>([
  ['a chat that is gone', refusal(400, 'Bad Request: chat not found'), 'chat not found'],
  ['a block', blocked, 'bot was blocked by the user'],
])(
  '%s is a delivery error at once, in the platform’s words, and no timeout runs [DAEM-03 DAEM-10]',
  async (_, fault, words) => {
    const bridge = await world.daemon(['--timeout', '600000']);
    world.api.faults.add('sendMessage', fault);
    const qid = await ask('Seen?');
    const { response, error } = await planner.response(qid);
    expect(response).toBeNull();
    expect(error).toContain(words);
    expect(world.questions(qid)).toEqual([]);
    await degraded(bridge, words);
    const again = await ask('And now?');
    await world.question(again);
    await well(bridge);
  },
);

test.each<[string, Fault, number]>([
  ['accepted, then the connection closed', { fault: 'drop_after' }, 2],
  ['accepted, and half an answer', { fault: 'drop_in_answer' }, 2],
  ['accepted behind a 502', { fault: 'page_after', code: 502 }, 2],
  ['a 502 that took nothing', badGateway, 1],
  ['the connection closed before anything', { fault: 'drop_before' }, 1],
])(
  'a send of unknown fate (%s) is sent once more, marked, and a reply to any copy answers once [DAEM-10 DAEM-12]',
  async (_, fault, copies) => {
    await world.daemon();
    world.api.faults.add('sendMessage', fault);
    const qid = await ask('Perhaps?');
    await waitFor('the repeat', () => world.questions(qid).length === copies);
    await waitFor('the delivery', () => eventsOf(qid, 'delivered') === 1);
    const sent = world.questions(qid);
    expect(sent.at(-1)?.text).toContain(`[HUB-Q:${qid}] (repeat) Perhaps?`);
    for (const earlier of sent.slice(0, -1)) expect(earlier.text).not.toContain('(repeat)');
    // To the copy whose id nobody told us, where there is one; and a press under the other at the same time.
    const [oldest, newest] = [sent[0], sent.at(-1)];
    world.api.world.say({ chat: CHAT, from: ANN, text: 'yes', reply_to: oldest?.message_id ?? 0 });
    world.api.world.press({ chat: CHAT, message: newest?.message_id ?? 0, button: '1. Yes', from: ANN });
    expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
    await heardAll();
    expect(eventsOf(qid, 'answered')).toBe(1);
    expect(planner.responses).toHaveLength(1);
    expect(world.questions(qid)).toHaveLength(copies);
  },
);

test('two sends of unknown fate are an error to the asker, never a third; an answer that comes all the same is kept [DAEM-10 DAEM-23]', async () => {
  await world.daemon();
  world.api.faults.add('sendMessage', { fault: 'drop_after' }, { fault: 'drop_after' });
  const qid = await ask('Perhaps?');
  expect((await planner.response(qid)).response).toBeNull();
  expect(world.questions(qid)).toHaveLength(2);
  await world.say('yes after all', { to: qid });
  await waitFor('the answer to be kept', () => world.files('undelivered').includes(`${qid}.json`));
  expect(JSON.stringify(world.record('undelivered', qid))).toContain('yes after all');
});

// It takes the time after which the client gives up.
test.skipIf(!full)(
  'a send that is answered after the client gave up is sent once more, marked, and never again [DAEM-10 DAEM-12]',
  { timeout: 120_000 },
  async () => {
    await world.daemon();
    world.api.faults.add('sendMessage', { fault: 'delay_answer', ms: 22_000 });
    const qid = await ask('Late?');
    await waitFor('the repeat', () => world.questions(qid).length === 2, 60_000);
    expect(world.questions(qid)[1]?.text).toContain('(repeat)');
    await sleep(3_000);
    expect(world.questions(qid)).toHaveLength(2);
    await world.say('1', { to: qid });
    await planner.response(qid);
  },
);

test('nobody listens for a while: what surely was not sent is sent once it can be, unmarked and once [DAEM-10]', async () => {
  const bridge = await world.daemon();
  await world.polling();
  await world.api.goOffline();
  const qid = await ask('Patience?');
  await degraded(bridge, 'Telegram');
  await world.api.goOnline();
  const shown = await world.question(qid);
  expect(shown.text).not.toContain('(repeat)');
  await world.say('yes', { to: qid });
  await planner.response(qid);
  expect(world.questions(qid)).toHaveLength(1);
  await well(bridge);
});

test('a flood is waited out: each question is there once, unmarked, in the order it was asked, and status says why it takes so long [DAEM-10]', async () => {
  const bridge = await world.daemon();
  await world.polling();
  world.api.faults.add('sendMessage', tooManyRequests(2));
  const qid = await ask('Patience?');
  await degraded(bridge, 'more slowly');
  await world.question(qid);
  world.api.flood.set({ messagesMax: 1, perMs: 600 });
  const more = [await ask('One?'), await ask('Two?'), await ask('Three?')];
  for (const one of more) await world.question(one);
  for (const one of [qid, ...more]) {
    expect(world.questions(one)).toHaveLength(1);
    expect(world.questions(one)[0]?.text).not.toContain('(repeat)');
  }
  world.api.flood.set(null);
  for (const one of [qid, ...more]) {
    await world.say('1', { to: one });
    await planner.response(one);
  }
});

test('another poller: one request in flight, growing pauses, degraded, and well again without a restart [DAEM-10]', async () => {
  const bridge = await world.daemon();
  await world.polling();
  const qid = await ask('Still heard?');
  await world.question(qid);
  // Another one polls, which ends the daemon's poll, and goes on and on.
  const { root, token } = world.api;
  expect((await fetch(`${root}/bot${token}/getUpdates`)).ok).toBe(true);
  let polls = 0;
  world.api.faults.decide((method) => {
    if (method !== 'getUpdates') return null;
    polls += 1;
    return conflict;
  });
  await world.say('yes', { to: qid });
  await degraded(bridge, 'another program fetches the updates');
  await sleep(1_500);
  expect(polls).toBeLessThanOrEqual(4);
  expect(world.api.polling).toBe(0);
  expect(planner.responses).toEqual([]);
  world.api.faults.clear();
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  await well(bridge);
});

test.each<[string, Fault]>([
  ['a cut connection', { fault: 'drop_after' }],
  ['half an answer', { fault: 'drop_in_answer' }],
  ['a 502', badGateway],
  ['a flood of polls', tooManyRequests(1)],
  ['a token that is unknown for a moment', refusal(401, 'Unauthorized')],
])('a poll that ends in %s loses nothing that was said [DAEM-10]', async (_, fault) => {
  await world.daemon();
  await world.polling();
  const qid = await ask('Heard?');
  await world.question(qid);
  world.api.faults.add('getUpdates', fault, fault);
  await world.say('yes', { to: qid });
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(eventsOf(qid, 'answered')).toBe(1);
  noStrayWords();
});

// It takes the time that a poll may take, and more.
test.skipIf(!full)(
  'a connection that is dead without a word is noticed, told, and left for a new one [DAEM-10]',
  { timeout: 180_000 },
  async () => {
    const bridge = await world.daemon();
    await world.polling();
    const qid = await ask('Dead?');
    await world.question(qid);
    world.api.faults.add('getUpdates', { fault: 'never_answer' });
    // Ends the poll that waits now; the next one is dead.
    await world.say('/help');
    await waitFor('the help', () => world.texts().some((text) => text.includes('/cancel <code>')));
    await world.say('yes', { to: qid });
    await waitFor(
      'it to be noticed',
      async () => (await stateOf(bridge)).includes('no answer within'),
      120_000,
    );
    expect((await waitFor('the answer', () => planner.responses[0], 120_000)).response).toEqual({
      kind: 'selection',
      selections: ['Yes'],
    });
  },
);

test('a revoked token is said with the next step, and the daemon lives on [DAEM-05 DAEM-10]', async () => {
  const bridge = await world.daemon();
  await world.polling();
  world.api.world.say({ chat: CHAT, from: ANN, text: '/help' });
  world.api.world.revokeToken();
  await degraded(bridge, '@BotFather');
  expect(bridge.child.exitCode).toBeNull();
});

test('what was known of Telegram and cannot be read is set aside; what waits is heard all the same [DAEM-10]', async () => {
  const first = await world.daemon();
  const qid = await ask('Still?');
  await world.question(qid);
  await world.say('/help');
  await heardAll();
  expect(await first.terminate()).toBe(0);
  const folder = join(world.state, 'telegram');
  const [bot = ''] = readdirSync(folder);
  writeFileSync(join(folder, bot, 'updates.json'), '{"v":1,');
  await world.say('yes', { to: qid });
  const bridge = await world.daemon();
  expect((await planner.response(qid)).response).toEqual({ kind: 'selection', selections: ['Yes'] });
  expect(readdirSync(join(folder, bot))).toContain('updates.json.damaged');
  expect(bridge.stderr()).toContain('cannot be read');
});
