// The bug: a fake that cannot misbehave, or whose faults do something else than they say, so that a send is taken for
// lost that was carried out.
import { expect, test } from 'vitest';
import { badGateway, blocked, conflict, notFound, refusal, tooManyRequests, unauthorized } from './faults.ts';
import { ANNA, CHAT, OTHERS, eventually, useServer } from './use-server.fixture.ts';

const { api, call } = useServer();
const send = (text = 'a'): Promise<Record<string, unknown>> => call('sendMessage', { chat_id: CHAT, text });
const posted = (): number => api().world.messages(CHAT).length;

test.each([
  [400, refusal(400, 'Bad Request: chat not found')],
  [401, unauthorized],
  [403, blocked],
  [404, notFound],
  [409, conflict],
  [429, tooManyRequests(3)],
])('a request is refused with %i, and nothing is posted', async (status, fault) => {
  api().faults.add('sendMessage', fault);
  expect(await send()).toMatchObject({ ok: false, status, error_code: status });
  expect(posted()).toBe(0);
  expect(api().calls).toMatchObject([{ method: 'sendMessage', carriedOut: false, bot: 'test_bot' }]);
  expect(await send()).toMatchObject({ ok: true });
});

test('a flood names the seconds to wait where programs look for them', async () => {
  api().faults.add('sendMessage', tooManyRequests(3));
  expect(await send()).toMatchObject({ parameters: { retry_after: 3 } });
});

test('a dropped answer has been carried out, a dropped request has not', async () => {
  api().faults.add(
    'sendMessage',
    { fault: 'drop_after' },
    { fault: 'drop_in_answer' },
    { fault: 'drop_before' },
  );
  await expect(send('first')).rejects.toThrow('fetch failed');
  expect(posted()).toBe(1);
  await expect(send('second')).rejects.toThrow('terminated');
  expect(posted()).toBe(2);
  await expect(send('third')).rejects.toThrow('fetch failed');
  expect(posted()).toBe(2);
});

test('a page of a proxy is no JSON, whether or not the request came through', async () => {
  api().faults.add('sendMessage', badGateway, { fault: 'page_after', code: 504 });
  await expect(send('first')).rejects.toThrow('not valid JSON');
  expect(posted()).toBe(0);
  await expect(send('second')).rejects.toThrow('not valid JSON');
  expect(posted()).toBe(1);
});

test('what is never answered hangs until the client gives up, done or not', async () => {
  const given = (): Promise<Response> =>
    fetch(`${api().root}/bot${api().token}/sendMessage?chat_id=${CHAT}&text=a`, {
      signal: AbortSignal.timeout(80),
    });
  api().faults.add('sendMessage', { fault: 'never_answer' }, { fault: 'never_answer_after' });
  await expect(given()).rejects.toThrow('timeout');
  expect(posted()).toBe(0);
  await expect(given()).rejects.toThrow('timeout');
  expect(posted()).toBe(1);
});

test('a delay comes before the work, a delayed answer after it', async () => {
  api().faults.add('sendMessage', { fault: 'delay', ms: 80 }, { fault: 'delay_answer', ms: 80 });
  const first = send();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(posted()).toBe(0);
  await first;
  const second = send();
  await eventually(posted, 2);
  expect(await second).toMatchObject({ ok: true });
});

test('updates are handed out again in the middle of polling', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'yes' });
  await call('getUpdates', { offset: 101 });
  api().faults.add('getUpdates', { fault: 'redeliver', count: 1 });
  expect((await call('getUpdates', { offset: 101 }))['result']).toMatchObject([{ update_id: 100 }]);
});

test('a poll whose answer is lost has confirmed what it confirms', async () => {
  api().world.say({ chat: CHAT, from: ANNA, text: 'one' });
  api().world.say({ chat: CHAT, from: ANNA, text: 'two' });
  api().faults.add('getUpdates', { fault: 'drop_after' });
  await expect(call('getUpdates', { offset: 101 })).rejects.toThrow('fetch failed');
  expect((await call('getUpdates', { offset: 0 }))['result']).toMatchObject([{ message: { text: 'two' } }]);
});

test('a group moves at the very moment it is written to', async () => {
  api().faults.add('sendMessage', { fault: 'migrate', from: OTHERS, to: -100_043 });
  const answer = await call('sendMessage', { chat_id: OTHERS, text: 'a' });
  expect(answer).toMatchObject({ status: 400, parameters: { migrate_to_chat_id: -100_043 } });
  expect(api().world.chat(OTHERS)).toBeUndefined();
});

test('a chooser sees what is asked for, after the queues; `*` is for methods without a queue', async () => {
  api().faults.decide((method, { text }) =>
    method === 'sendMessage' && text === 'unlucky' ? unauthorized : null,
  );
  api().faults.add('*', notFound);
  expect(await call('getMe')).toMatchObject({ status: 404 });
  expect(await send('lucky')).toMatchObject({ ok: true });
  expect(await send('unlucky')).toMatchObject({ status: 401 });
  api().faults.clear();
  expect(await send('unlucky')).toMatchObject({ ok: true });
});

test('flood control counts a chat of its own and says when there is room again', async () => {
  api().flood.set({ messagesMax: 2, perMs: 60_000 });
  await send();
  await send();
  const refused = await send();
  expect(refused).toMatchObject({ status: 429, parameters: { retry_after: 60 } });
  expect(posted()).toBe(2);
  expect(await call('sendMessage', { chat_id: OTHERS, text: 'a' })).toMatchObject({ ok: true });
  api().flood.set(null);
  expect(await send()).toMatchObject({ ok: true });
});

test('offline nobody listens; online all is as it was', async () => {
  await send();
  const poll = call('getUpdates', { timeout: 20 });
  const lost = poll.then(
    () => 'answered',
    () => 'lost',
  );
  await eventually(() => api().polling, 1);
  await api().goOffline();
  expect(await lost).toBe('lost');
  await expect(send()).rejects.toThrow('fetch failed');
  await api().goOnline();
  expect(await send()).toMatchObject({ ok: true });
  expect(posted()).toBe(2);
});
