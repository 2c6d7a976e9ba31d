// The bugs: a question asked three times, or asked twice without a word; one that a kill swallowed; the options of a
// question in the wrong place; a group that moved and took the questions with it.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tooManyRequests } from '../../../../../tooling/src/bot-api/faults.ts';
import { chat, createTelegramWorld, otherQid, put, type TelegramWorld } from './telegram.fixture.ts';

let world: TelegramWorld;

beforeEach(async () => {
  world = await createTelegramWorld();
});
afterEach(() => world.end());

test('a question is one plain message with a button an option, named by chat and message [DAEM-06]', async () => {
  const { server, start, texts, buttons } = world;
  const raw = put({
    question: { question: '*Go* to <b>1_2</b> & http://h.example?', options: [{ title: 'Yes' }] },
  });
  expect(await start().deliver(raw)).toEqual({ code: 'delivered', messageIds: ['42:1'] });
  expect(texts()[0]).toContain('] *Go* to <b>1_2</b> & http://h.example?\n');
  expect(buttons(1)).toEqual(['1. Yes']);
  expect(server.calls[0]?.parameters).toMatchObject({ link_preview_options: { is_disabled: true } });
  expect(server.calls[0]?.parameters).not.toHaveProperty('parse_mode');
  expect(server.calls[0]?.parameters).not.toHaveProperty('message_thread_id');
});

test('a long question is sent in parts, in order, with the options and their buttons in the last [DAEM-06]', async () => {
  const { start, texts, buttons } = world;
  const long = put({ question: { question: 'word '.repeat(2_000), options: [{ title: 'Yes' }] } });
  expect(await start().deliver(long)).toEqual({ code: 'delivered', messageIds: ['42:1', '42:2', '42:3'] });
  expect(texts().map((text) => /\] (\(\d\/\d\))/.exec(text)?.[1])).toEqual(['(1/3)', '(2/3)', '(3/3)']);
  expect([1, 2, 3].map((message) => buttons(message).length)).toEqual([0, 0, 1]);
});

test('a question goes to its topic [DAEM-08]', async () => {
  const { server, start } = world;
  server.world.addChat({ id: -100, type: 'supergroup', is_forum: true });
  const topic = server.world.addTopic(-100, { id: 7 });
  expect(await start({ target: { chat: -100, topic } }).deliver(put())).toMatchObject({ code: 'delivered' });
  expect(server.calls[0]?.parameters).toMatchObject({ chat_id: -100, message_thread_id: topic });
});

test('a question that surely arrived is not sent again after a restart', async () => {
  const { start, texts } = world;
  await start().deliver(put());
  expect(await start().deliver(put({ repeat: true }))).toEqual({ code: 'delivered', messageIds: ['42:1'] });
  expect(texts()).toHaveLength(1);
});

test.each([
  ['taken, and the connection cut', { fault: 'drop_after' }, 2],
  ['lost with the connection', { fault: 'drop_before' }, 1],
  ['taken, and answered too late', { fault: 'never_answer_after' }, 2],
  ['answered by a proxy with 502', { fault: 'page', code: 502 }, 1],
] as const)(
  'one that may have been %s is sent once more, marked as a repeat [DAEM-12]',
  async (_, fault, there) => {
    const { server, start, texts, buttons } = world;
    server.faults.add('sendMessage', fault);
    expect(await start({ requestMs: 300 }).deliver(put())).toMatchObject({ code: 'delivered' });
    expect(texts()).toHaveLength(there);
    expect(texts().at(-1)).toContain('] (repeat) Go?');
    if (there === 2) expect(texts()[0]).not.toContain('(repeat)');
    // A press under either copy is a press of the same option.
    expect(buttons(there)).toEqual(['1. Yes', '2. No']);
  },
);

test('two sendings of unknown fate are an unknown delivery, and there is no third [DAEM-12 DAEM-23]', async () => {
  const { server, start } = world;
  server.faults.decide((method) => (method === 'sendMessage' ? { fault: 'drop_after' } : null));
  expect(await start().deliver(put())).toMatchObject({
    code: 'unknown',
    message: expect.stringContaining('telegram send failed'),
  });
  expect(server.calls).toHaveLength(2);
  // A kill came before the daemon could note that: an answer must still count.
  expect(await start().deliver(put({ repeat: true }))).toEqual({ code: 'delivered', messageIds: [] });
  expect(server.calls).toHaveLength(2);
});

test('of several parts only the one of unknown fate is sent again [DAEM-12]', async () => {
  const { server, start, texts } = world;
  const long = put({ question: { question: 'word '.repeat(2_000), options: [] } });
  server.faults.add('sendMessage', { fault: 'delay', ms: 0 }, { fault: 'drop_after' });
  expect(await start().deliver(long)).toMatchObject({ code: 'delivered' });
  expect(texts().map((text) => /\] (?:\(repeat\) )?\(\d\/\d\)/.exec(text)?.[0])).toEqual([
    '] (1/3)',
    '] (2/3)',
    '] (repeat) (2/3)',
    '] (3/3)',
  ]);
});

test('what Telegram refuses is refused in its words with what to do, and may be sent later unmarked [DAEM-03]', async () => {
  const { server, start, texts } = world;
  server.faults.add('sendMessage', {
    fault: 'refuse',
    code: 400,
    description: 'Bad Request: chat not found',
  });
  const transport = start();
  expect(await transport.deliver(put())).toEqual({
    code: 'refused',
    message:
      'telegram send failed (400): Bad Request: chat not found — write to the bot first or add it to the group, and check the chat id after --to',
  });
  expect(await transport.deliver(put())).toMatchObject({ code: 'delivered' });
  expect(texts()[0]).not.toContain('(repeat)');
});

test('a question of which a part arrived and another was refused may be answered, so its fate is unknown [DAEM-23]', async () => {
  const { server, start } = world;
  server.faults.add(
    'sendMessage',
    { fault: 'delay', ms: 0 },
    { fault: 'refuse', code: 403, description: 'Forbidden' },
  );
  const long = put({ question: { question: 'word '.repeat(2_000), options: [] } });
  expect(await start().deliver(long)).toMatchObject({
    code: 'unknown',
    message: expect.stringContaining('Forbidden'),
  });
});

test('a flood is waited out, and a question waits unbooked: ended meanwhile, it surely was not sent [DAEM-10 DAEM-12]', async () => {
  const { server, start, texts } = world;
  server.faults.add('sendMessage', tooManyRequests(1));
  expect(await start().deliver(put())).toMatchObject({ code: 'delivered' });
  expect(texts()).toHaveLength(1);
  const other = put({ qid: otherQid });
  for (let starts = 0; starts < 3; starts += 1) {
    server.faults.add('sendMessage', tooManyRequests(50));
    const transport = start();
    const calls = server.calls.length;
    const waiting = transport.deliver(other);
    await expect.poll(() => server.calls.length).toBe(calls + 1);
    await transport.close(0);
    expect(await waiting).toEqual({ code: 'aborted' });
  }
  expect(await start().deliver(other)).toMatchObject({ code: 'delivered' });
  expect(texts().at(-1)).not.toContain('(repeat)');
});

test('a flood longer than the question may wait is told at once, in Telegram’s words [DAEM-03]', async () => {
  const { server, start } = world;
  server.faults.add('sendMessage', tooManyRequests(3_600));
  expect(await start().deliver(put())).toMatchObject({
    code: 'refused',
    message: 'telegram send failed (429): Too Many Requests: retry after 3600',
  });
});

test('a network that is down is refused as not sent, and health says since when [DAEM-03 DAEM-10]', async () => {
  const { server, start } = world;
  await server.goOffline();
  const transport = start();
  expect(await transport.deliver(put({ timeoutMs: 300 }))).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(transport.health()).toMatchObject({ state: 'degraded' });
  await server.goOnline();
  expect(await transport.deliver(put())).toMatchObject({ code: 'delivered' });
  expect(transport.health()).toEqual({ state: 'ok' });
});

test('a network that is down for a moment is waited for [DAEM-10]', async () => {
  const { server, start, texts } = world;
  await server.goOffline();
  const sending = start().deliver(put());
  await new Promise((resolve) => setTimeout(resolve, 100));
  await server.goOnline();
  expect(await sending).toMatchObject({ code: 'delivered' });
  expect(texts()[0]).not.toContain('(repeat)');
});

test('a group that became a supergroup is followed, after a restart too [DAEM-08]', async () => {
  const { server, start, texts } = world;
  server.world.addChat({ id: 43, type: 'group', title: 'Docs' });
  const target = { chat: 43, topic: null };
  server.faults.add('sendMessage', { fault: 'migrate', from: 43, to: -100_043 });
  expect(await start({ target }).deliver(put())).toEqual({
    code: 'delivered',
    messageIds: [expect.stringMatching(/^-100043:\d+$/)],
  });
  const other = put({ qid: otherQid });
  const calls = server.calls.length;
  expect(await start({ target }).deliver(other)).toMatchObject({ code: 'delivered' });
  expect(server.calls.length).toBe(calls + 1);
  expect(texts(-100_043).filter((text) => text.includes('Go?'))).toHaveLength(2);
});

test('a title that no message holds is refused before it is asked [DAEM-06]', () => {
  const options = [{ title: 't'.repeat(5_000) }];
  const transport = world.start();
  expect(transport.refusal(put({ question: { question: 'q', options } }))).toContain('option 1 is too long');
  expect(transport.refusal(put({ question: { question: 'q'.repeat(60_000), options: [] } }))).toBeNull();
});

test('what cannot be noted first is not sent', async () => {
  const { server, start, folder } = world;
  const transport = start();
  rmSync(folder, { recursive: true });
  expect(await transport.deliver(put())).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('it could not be noted first'),
  });
  expect(server.world.messages(chat)).toEqual([]);
});
