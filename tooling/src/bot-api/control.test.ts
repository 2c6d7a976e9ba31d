// The bug: a server that can be used from a test's own process alone, so that nobody can look at a conversation, and a
// server that runs beside its clients cannot be worked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { rootFolder } from '../root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { CHAT, eventually, useServer } from './use-server.fixture.ts';

const { api, call } = useServer();

const order = async (given: object, root = api().root): Promise<Record<string, unknown>> => {
  const response = await fetch(`${root}/control`, { method: 'POST', body: JSON.stringify(given) });
  const answer: unknown = await response.json();
  return typeof answer === 'object' && answer !== null ? { ...answer } : {};
};

test('a conversation is held by orders alone', async () => {
  await order({ do: 'addChat', id: 77, first_name: 'Cleo' });
  const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'x' }]] };
  await call('sendMessage', { chat_id: 77, text: 'Deploy?', reply_markup });
  expect(await order({ do: 'say', chat: 77, from: 77, text: 'hm', reply_to: 1 })).toMatchObject({ ok: true });
  await order({ do: 'edit', chat: 77, message: 2, text: 'yes' });
  await order({ do: 'press', chat: 77, message: 1, from: { id: 77, username: 'cleo' }, button: 'Yes' });
  await order({ do: 'fault', method: 'getMe', faults: [{ fault: 'page', code: 502 }] });
  await expect(call('getMe')).rejects.toThrow('not valid JSON');
  expect((await call('getUpdates'))['result']).toMatchObject([
    { message: { text: 'hm', from: { id: 77, first_name: 'User 77' }, reply_to_message: { message_id: 1 } } },
    { edited_message: { text: 'yes' } },
    { callback_query: { from: { username: 'cleo' }, data: 'x' } },
  ]);
  const state: unknown = await (await fetch(`${api().root}/control`)).json();
  expect(state).toMatchObject({
    result: {
      bots: [{ pending: [{}, {}, {}], chats: expect.arrayContaining([expect.objectContaining({ id: 77 })]) }],
    },
  });
});

test('a wrong order is named and does nothing', async () => {
  for (const [given, words] of [
    [{ do: 'dance' }, 'do must be one of'],
    [{ do: 'say', chat: 'x', from: 7, text: 'a' }, 'chat must be a whole number'],
    [{ do: 'say', chat: 99, from: 7, text: 'a' }, 'no chat 99'],
    [{ do: 'say', bot: 3, chat: CHAT, from: 7, text: 'a' }, '1 bots'],
    [{ do: 'press', chat: CHAT, message: 1, from: 7, button: 'x' }, 'no message 1'],
    [{ do: 'fault', method: 'getMe', faults: ['page'] }, 'a field fault'],
  ] as const)
    expect(await order(given)).toMatchObject({ ok: false, error: expect.stringContaining(words) });
  expect((await call('getUpdates'))['result']).toEqual([]);
});

test('it runs as a process of its own, which says where it is', async () => {
  const outfile = join(temporaryFolder(), 'server.mjs');
  buildSync({
    entryPoints: [join(rootFolder, 'tooling/src/bot-api-server.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const child = spawn(process.execPath, [outfile, '--bots', '2'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout, 'data');
    const { root, control, tokens } = JSON.parse(String(line));
    expect(control).toBe(`${root}/control`);
    expect(new Set(tokens).size).toBe(2);
    await order({ do: 'addChat', id: 5 }, root);
    await order({ do: 'say', bot: 1, chat: 5, from: 5, text: 'hello' }, root);
    const answer: unknown = await (await fetch(`${root}/bot${tokens[1]}/getUpdates`)).json();
    expect(answer).toMatchObject({ result: [{ message: { text: 'hello' } }] });
    await order({ do: 'offline', ms: 1_500 }, root);
    const reached = (): Promise<boolean> =>
      fetch(`${root}/bot${tokens[0]}/getMe`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(reached, false);
    await eventually(reached, true);
  } finally {
    child.kill('SIGKILL');
  }
});
