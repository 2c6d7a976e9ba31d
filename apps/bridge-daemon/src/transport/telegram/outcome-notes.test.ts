// The bugs: buttons that stay under a question that is over, an outcome that says nothing of who, a note for ever in the
// way of new questions because the network is down.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusal } from '../../../../../tooling/src/bot-api/faults.ts';
import {
  chat,
  createTelegramWorld,
  otherQid,
  put,
  putNote,
  qid,
  type TelegramWorld,
} from './telegram.fixture.ts';

let world: TelegramWorld;

beforeEach(async () => {
  world = await createTelegramWorld();
});
afterEach(() => world.end());

const answered = (answer: string) =>
  putNote('answered', { outcome: { kind: 'answered', answer, by: 'telegram:ann' } });
const done = { code: 'delivered', messageIds: [] };

test('an answer is shown where the question stands: by whom, which option, and no buttons [DAEM-09]', async () => {
  const { start, texts, buttons } = world;
  await start().deliver(put());
  expect(buttons(1)).toHaveLength(2);
  // After a restart too: what is known of the message is in the book.
  expect(await start().note(answered(' 2 '))).toEqual(done);
  expect(texts()).toEqual([
    `❓ [HUB-Q:${qid}] Go?\n\nOptions:\n1. Yes\n2. No\n\n✅ Answered by telegram:ann: No`,
  ]);
  expect(buttons(1)).toEqual([]);
});

test('a long answer is shown in one line, cut [DAEM-09]', async () => {
  const { start, texts } = world;
  const transport = start();
  await transport.deliver(put());
  await transport.note(answered(`first\n\nsecond ${'x'.repeat(9_000)}`));
  const last = texts()[0]?.split('\n').at(-1) ?? '';
  expect(last).toMatch(/^✅ Answered by telegram:ann: first second x+…$/);
  expect(last.length).toBeLessThan(500);
});

test('both copies of a question show the outcome, and of a long one the last part [DAEM-09]', async () => {
  const { server, start, texts } = world;
  const transport = start();
  // The first copy arrived before a kill and was told to the book by the second start only.
  await transport.deliver(put());
  server.faults.add('sendMessage', { fault: 'delay', ms: 0 }, { fault: 'drop_after' });
  const long = { question: 'word '.repeat(2_000), options: [{ title: 'Yes' }] };
  const other = otherQid;
  await transport.deliver(put({ qid: other, question: long }));
  const before = texts();
  await transport.note({ ...answered('1'), qid: other, question: long });
  const after = texts();
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  expect(after.at(-1)).toMatch(/^❓ \[.*\] \(3\/3\) [^]*\n\n✅ Answered by telegram:ann: Yes$/);
});

test('where nobody knows which message the last part is, no other part is written over [DAEM-09]', async () => {
  const { server, start, texts } = world;
  const transport = start();
  const question = { question: 'word '.repeat(2_000), options: [{ title: 'Yes' }] };
  const nothing = { fault: 'delay', ms: 0 } as const;
  server.faults.add('sendMessage', nothing, nothing, { fault: 'drop_after' }, { fault: 'drop_after' });
  expect(await transport.deliver(put({ question }))).toMatchObject({ code: 'unknown' });
  const before = texts();
  expect(before).toHaveLength(4);
  const messageIds = [`${chat}:1`, `${chat}:2`];
  expect(await transport.note({ ...answered('1'), question, messageIds })).toEqual(done);
  expect(texts()).toEqual(before);
  await transport.note({ ...putNote('timeout', { outcome: { kind: 'timeout' } }), question, messageIds });
  expect(texts().slice(0, -1)).toEqual(before);
  expect(server.world.message(chat, 5)?.reply_to_message?.message_id).toBe(2);
});

test('a cancel from the console and a timeout are shown and said, as the contract words them [BRID-21 BRID-25 DAEM-09]', async () => {
  const { server, start, texts, buttons } = world;
  const transport = start();
  await transport.deliver(put());
  expect(await transport.note(putNote('cancelled', { outcome: { kind: 'cancelled' } }))).toMatchObject({
    code: 'delivered',
  });
  expect(texts()[0]).toMatch(/\n\n✖ Cancelled — it was answered from the console\.$/);
  expect(buttons(1)).toEqual([]);
  expect(texts()[1]).toBe(`✖ [HUB-Q:${qid}] The question was cancelled — it was answered from the console.`);
  expect(server.world.message(chat, 2)?.reply_to_message?.message_id).toBe(1);
  await transport.note(putNote('timeout', { outcome: { kind: 'timeout' } }));
  expect(texts()[0]).toMatch(/\n\n⌛ Timed out after 60000ms\.$/);
  expect(texts()[2]).toBe(`⌛ [HUB-Q:${qid}] The question timed out after 60000ms.`);
});

test('a cancel by a person shows who, and is not told to them as if it had been the console [DAEM-09]', async () => {
  const { start, texts } = world;
  const transport = start();
  await transport.deliver(put());
  const outcome = { kind: 'cancelled', by: 'telegram:ann' };
  expect(await transport.note(putNote('cancelled', { outcome }))).toEqual(done);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toMatch(/\n\n✖ Cancelled by telegram:ann\.$/);
});

test('a late answer is told as a reply to the question, whose outcome stays [BRID-23]', async () => {
  const { server, start, texts } = world;
  const transport = start();
  await transport.deliver(put());
  await transport.note(answered('1'));
  const shown = texts()[0];
  await transport.note(putNote('late_answer'));
  expect(texts()).toEqual([
    shown,
    `ℹ [HUB-Q:${qid}] This question is already closed; the late answer was ignored.`,
  ]);
  expect(server.world.message(chat, 2)?.reply_to_message?.message_id).toBe(1);
});

test('a note made again changes nothing, and a message that is gone needs no change [DAEM-09]', async () => {
  const { server, start, texts } = world;
  const transport = start();
  await transport.deliver(put());
  for (let times = 0; times < 2; times += 1) expect(await transport.note(answered('1'))).toEqual(done);
  expect(texts()).toHaveLength(1);
  for (const words of ['message to edit not found', "message can't be edited"]) {
    server.faults.add('editMessageText', refusal(400, `Bad Request: ${words}`));
    expect(await transport.note(answered('2'))).toEqual(done);
  }
  expect(transport.health()).toEqual({ state: 'ok' });
});

test('without the book the record’s own names of messages are used, the last being the last part [DAEM-09]', async () => {
  const { server, start, texts } = world;
  server.world.post({ chat: { id: chat, type: 'private' }, from: server.world.bot, text: 'part 1' });
  server.world.post({ chat: { id: chat, type: 'private' }, from: server.world.bot, text: 'part 2' });
  await start().note({ ...answered('1'), messageIds: ['42:1', '42:2'] });
  expect(texts()[0]).toBe('part 1');
  expect(texts()[1]).toContain('✅ Answered by telegram:ann: Yes');
});

test.each([
  ['the network is down', async () => world.server.goOffline()],
  [
    'an edit may or may not have been made',
    async () => world.server.faults.add('editMessageText', { fault: 'drop_after' }),
  ],
  [
    'a flood is long',
    async () =>
      world.server.faults.add('editMessageText', {
        fault: 'refuse',
        code: 429,
        description: 'Too Many Requests: retry after 60',
        parameters: { retry_after: 60 },
      }),
  ],
])(
  'while %s a note is for later, and the next is not even tried for a while [DAEM-09 DAEM-10]',
  async (_, trouble) => {
    const { server, start, texts } = world;
    let clock = Date.now();
    const transport = start({ now: () => clock });
    await transport.deliver(put());
    await trouble();
    expect(await transport.note(answered('1'))).toMatchObject({ code: 'later' });
    const calls = server.calls.length;
    expect(await transport.note(answered('1'))).toMatchObject({ code: 'later' });
    expect(server.calls).toHaveLength(calls);
    server.faults.clear();
    await server.goOnline().catch(() => undefined);
    clock += 60_000;
    expect(await transport.note(answered('1'))).toEqual(done);
    expect(texts()[0]).toContain('✅ Answered by telegram:ann: Yes');
  },
);
