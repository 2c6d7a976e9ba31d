// The bugs: a message sent twice because a server error was taken for "not sent"; a question lost to a flood; a call that
// never ends; a token in an error.
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pino } from 'pino';
import { tooManyRequests } from '../../../../../tooling/src/bot-api/faults.ts';
import { startBotApi, type BotApi } from '../../../../../tooling/src/bot-api/server.ts';
import { createTelegramClient, type CallBounds, type TelegramClient } from './api-client.ts';
import { redactorOf } from './redact.ts';
import { telegramLimits } from './telegram-limits.ts';

const chat = 42;
let server: BotApi;
let ending: AbortController;

const clientOf = (apiRoot: string): TelegramClient =>
  createTelegramClient({
    token: server.token,
    apiRoot,
    redact: redactorOf(server.token),
    log: pino({ level: 'silent' }),
  });
const send = (client: TelegramClient, more: Partial<CallBounds> = {}) =>
  client.call((api, signal) => api.sendMessage(chat, 'Go?', {}, signal), {
    signal: ending.signal,
    timeoutMs: 5_000,
    ...more,
  });

beforeEach(async () => {
  server = await startBotApi();
  server.world.addChat({ id: chat, type: 'private' });
  ending = new AbortController();
});
afterEach(() => server.close());

test('what the server did is given back, what it refused in its own words', async () => {
  const client = clientOf(server.root);
  expect(await send(client)).toMatchObject({ code: 'ok', value: { message_id: 1, text: 'Go?' } });
  server.faults.add('sendMessage', {
    fault: 'refuse',
    code: 403,
    description: 'Forbidden: bot was blocked by the user',
  });
  expect(await send(client)).toEqual({
    code: 'refused',
    status: 403,
    message: 'Forbidden: bot was blocked by the user',
    movedTo: null,
  });
});

test('a group that moved is told with its new id', async () => {
  server.faults.add('sendMessage', {
    fault: 'refuse',
    code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -100_043 },
  });
  expect(await send(clientOf(server.root))).toMatchObject({
    code: 'refused',
    status: 400,
    movedTo: -100_043,
  });
});

test.each([
  ['a server error', { fault: 'refuse', code: 500, description: 'Internal Server Error' }],
  ['a page of a proxy', { fault: 'page', code: 502 }],
  ['a connection closed before it was done', { fault: 'drop_before' }],
  ['a connection closed after it was done', { fault: 'drop_after' }],
  ['no answer in time', { fault: 'never_answer_after' }],
] as const)('%s is unknown, and not tried again', async (_, fault) => {
  server.faults.add('sendMessage', fault);
  const outcome = await send(clientOf(server.root), { timeoutMs: 300, floodMs: 5_000, reachMs: 5_000 });
  expect(outcome).toMatchObject({ code: 'unknown' });
  expect(server.calls).toHaveLength(1);
});

test('a page with a code of refusal is a refusal', async () => {
  server.faults.add('sendMessage', { fault: 'page', code: 403 });
  expect(await send(clientOf(server.root))).toMatchObject({ code: 'refused', status: 403 });
});

test.each([401, 404])('a page with %s, as of a hotel’s network, says nothing of the token', async (code) => {
  server.faults.add('sendMessage', { fault: 'page', code });
  expect(await send(clientOf(server.root))).toEqual({
    code: 'refused',
    status: 400,
    message: `HTTP ${code} without an answer of the Bot API: something in between gave it`,
    movedTo: null,
  });
});

test('a flood is waited out for as long as it may be, and shown meanwhile [DAEM-10]', async () => {
  const client = clientOf(server.root);
  server.faults.add('sendMessage', tooManyRequests(1));
  const sending = send(client, { floodMs: 2_000 });
  await expect.poll(() => client.flood()?.reason).toContain('waits for 1 s');
  expect(await sending).toMatchObject({ code: 'ok' });
  expect(client.flood()).toBeNull();
});

test('a flood longer than the call may wait is told at once, whatever it waited before', async () => {
  server.faults.add('sendMessage', tooManyRequests(1), tooManyRequests(1));
  const outcome = await send(clientOf(server.root), { floodMs: 1_500 });
  expect(outcome).toMatchObject({
    code: 'refused',
    status: 429,
    message: 'Too Many Requests: retry after 1',
  });
  expect(server.calls).toHaveLength(2);
});

test('a server that is not there is unreachable, is tried again, and no text names the token [DAEM-10]', async () => {
  await server.goOffline();
  const client = clientOf(server.root);
  const outcome = await send(client);
  expect(outcome).toMatchObject({ code: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(outcome)).not.toContain(server.token);
  const waiting = send(client, { reachMs: 60_000 });
  await server.goOnline();
  expect(await waiting).toMatchObject({ code: 'ok' });
});

test('an aborted call ends at once, also while it waits for a flood or for a server', async () => {
  server.faults.add('sendMessage', { fault: 'never_answer' });
  const hanging = send(clientOf(server.root));
  await expect.poll(() => server.calls).toHaveLength(1);
  ending.abort();
  expect(await hanging).toEqual({ code: 'aborted' });
  ending = new AbortController();
  server.faults.add('sendMessage', tooManyRequests(100));
  const flooded = send(clientOf(server.root), { floodMs: 200_000 });
  await expect.poll(() => server.calls).toHaveLength(2);
  ending.abort();
  expect(await flooded).toEqual({ code: 'aborted' });
  ending = new AbortController();
  const away = send(clientOf('http://127.0.0.1:1'), { reachMs: 100_000 });
  ending.abort();
  expect(await away).toEqual({ code: 'aborted' });
});

/** A client of a server that answers every request with this status and body; gives the outcome and the requests made. */
const answeredWith = async (body: string | Buffer, bounds: Partial<CallBounds> = {}, status = 200) => {
  let requests = 0;
  const odd = createServer((_, response) => {
    requests += 1;
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const address = odd.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return { outcome: await send(clientOf(`http://127.0.0.1:${port}`), bounds), requests: () => requests };
  } finally {
    odd.closeAllConnections();
    odd.close();
  }
};

test.each([
  ['nothing', ''],
  ['null', 'null'],
  ['no result', '{"ok":true}'],
  ['no reason', '{"ok":false}'],
  ['a reason that is no text', '{"ok":false,"error_code":400,"description":5}'],
  ['a code that is no number', '{"ok":false,"error_code":"400","description":"no"}'],
])('an answer with %s is not the Bot API’s, so nobody knows what was done', async (_, body) => {
  const { outcome } = await answeredWith(body);
  expect(outcome).toEqual({
    code: 'unknown',
    message: expect.stringContaining('HTTP 200 without an answer'),
  });
});

test('an answer without end is not read on', async () => {
  const { outcome } = await answeredWith(Buffer.alloc(telegramLimits.answerBytes + 1, ' '));
  expect(outcome).toEqual({
    code: 'unknown',
    message: expect.stringContaining('longer than 33554432 bytes'),
  });
});

test.each([0, -5])('a flood of %s seconds is waited out for one, not asked through', async (seconds) => {
  const { outcome, requests } = await answeredWith(
    JSON.stringify({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: seconds },
    }),
    { floodMs: 1_500 },
  );
  expect(outcome).toMatchObject({ code: 'refused', status: 429 });
  expect(requests()).toBe(2);
});
