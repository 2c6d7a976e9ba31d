// Catches a daemon that starts and hears everybody, or nobody; two that share a bot; and a token where others can see it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conflict, unauthorized } from '../../../tooling/src/bot-api/faults.ts';
import { ANN, CHAT } from './support/telegram-world.ts';
import { useTelegramWorld } from './support/use-telegram-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import { daemonScript } from './support/world.ts';

const world = useTelegramWorld();
const refusedWith = async (
  flags: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | NodeJS.Signals | null; stderr: string }> => {
  const started = world().start([daemonScript, '--transport', 'telegram', ...flags], { env });
  return { code: await started.ended, stderr: started.stderr() };
};

test('chat, people and token that are missing are named in one run, and nothing is asked of Telegram [DAEM-08 DAEM-10]', async () => {
  const { api } = world();
  const { code, stderr } = await refusedWith([], { TELEGRAM_API_ROOT: api.root });
  expect(code).toBe(2);
  for (const words of ['--to names no chat', '--allow-user is missing', 'no bot token'])
    expect(stderr).toContain(words);
  expect(api.calls).toEqual([]);
});

test.each([
  [['--to', 'telegram:42'], '--allow-user is missing, and an empty list is not everybody'],
  [['--allow-user', '42'], '--to names no chat'],
  [['--to', 'telegram', '--allow-user', '42'], '--to names no chat'],
  [['--to', 'telegram:@team', '--allow-user', '42'], 'by a name'],
  [['--to', 'telegram:42', '--allow-user', '@ann'], 'is no user id'],
  [['--to', 'telegram:42', '--allow-user', '42', '--hermes-profile', 'x'], '--hermes-profile'],
])('%j is refused with exit code 2 [DAEM-08]', async (flags, words) => {
  const { code, stderr } = await refusedWith(flags, world().env());
  expect({ code, named: stderr.includes(words) ? words : stderr }).toEqual({ code: 2, named: words });
});

test('there is no flag for a token, and one that Telegram does not know is refused by name of the next step [DAEM-10]', async () => {
  const flags = ['--to', 'telegram:42', '--allow-user', '42'];
  expect((await refusedWith([...flags, '--token', '1:x'], world().env())).code).toBe(2);
  const { api } = world();
  api.faults.add('getMe', unauthorized);
  const { code, stderr } = await refusedWith(flags, world().env());
  expect(code).toBe(1);
  expect(stderr).toContain('does not know this bot token');
  expect(stderr).toContain('@BotFather');
  expect(api.pollsEnded).toBe(0);
});

test('a second start on the same token ends at once, naming the first, whatever its folders are [DAEM-10]', async () => {
  const first = await world().daemon();
  const flags = ['--to', 'telegram:42', '--allow-user', '42', '--name', 'second', '--project', 'other'];
  const questions = join(world().root, 'elsewhere', 'questions');
  const { code, stderr } = await refusedWith([...flags, '--questions-dir', questions], {
    ...world().env(),
    PI_COMS_DIR: join(world().root, 'c2'),
  });
  expect(code).toBe(1);
  expect(stderr).toContain(`user-remote (project default, process ${first.child.pid}`);
  // Killed, the first leaves nothing that would stop the next one.
  await first.terminate('SIGKILL');
  await world().daemon();
});

test('a network that is down at the start makes it degraded, not refused; what was asked meanwhile is asked once it is up [DAEM-05 DAEM-10]', async () => {
  const { api, daemon, asker, question } = world();
  await api.goOffline();
  const bridge = await daemon();
  const planner = await asker('planner');
  const asked = planner.ask('Go?');
  const card = await waitFor('it to be degraded', async () => {
    const found = await bridge.card();
    return JSON.stringify(found).includes('"degraded"') ? found : null;
  });
  expect(card).toMatchObject({ bridge: { transport: 'telegram', telegram_poll_s: null } });
  await api.goOnline();
  const qid = await asked;
  await question(qid);
  await world().say('yes', { to: qid });
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  await waitFor('it to be well again', async () =>
    JSON.stringify(await bridge.card()).includes('"state":"ok"'),
  );
});

test('status tells the transport, since when it is degraded and why, and when Telegram last answered a poll [DAEM-05]', async () => {
  const { api, daemon, start } = world();
  await daemon();
  await waitFor('a poll', () => api.polling > 0);
  const status = async (...flags: string[]): Promise<string> => {
    const asked = start([daemonScript, 'status', ...flags]);
    expect(await asked.ended).toBe(0);
    return asked.stdout();
  };
  expect(await status()).toMatch(
    /user-remote \(project default, process \d+\): ok\n {2}transport {7}telegram\n/,
  );
  expect(JSON.parse(await status('--json'))).toMatchObject({
    state: 'ok',
    telegram_poll_s: expect.any(Number),
  });
  const before = Date.now();
  api.faults.decide((method) => (method === 'getUpdates' ? conflict : null));
  api.world.say({ chat: CHAT, from: ANN, text: '/help' });
  const told = await waitFor('it to be degraded', async () => {
    const found: unknown = JSON.parse(await status('--json'));
    return JSON.stringify(found).includes('"degraded"') ? found : null;
  });
  expect(told).toMatchObject({ reason: expect.stringContaining('another program fetches the updates') });
  expect(JSON.stringify(told)).toContain(new Date(before).toISOString().slice(0, 15));
  api.faults.clear();
  await waitFor('it to be well', async () => (await status('--json')).includes('"state":"ok"'));
});

test('the token is in no argument, no child’s environment and no file of the state, from a variable or from a file [DAEM-10]', async () => {
  const { api, daemon, state } = world();
  const secret = api.token.slice(api.token.indexOf(':') + 1);
  const bridge = await daemon([], { env: { TELEGRAM_BOT_TOKEN_FILE: '', TELEGRAM_BOT_TOKEN: api.token } });
  await waitFor('a poll', () => api.polling > 0);
  if (existsSync('/proc/self/cmdline'))
    expect(readFileSync(`/proc/${bridge.child.pid}/cmdline`, 'utf8')).not.toContain(secret);
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
    expect(entry.name).not.toContain(secret);
    if (entry.isFile())
      expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secret);
  }
  expect(await bridge.terminate()).toBe(0);
  expect(bridge.stderr()).not.toContain(secret);
});

test('an answer given in time while the daemon was stopped past the deadline counts [DAEM-10 DAEM-12]', async () => {
  const { api, daemon, asker, question } = world();
  const bridge = await daemon();
  const planner = await asker('planner');
  const qid = await planner.ask('Go?', { replyTimeoutMs: 5_000 });
  const shown = await question(qid);
  bridge.child.kill('SIGSTOP');
  api.world.say({ chat: CHAT, from: ANN, text: 'yes, in time', reply_to: shown.message_id });
  await sleep(8_000);
  bridge.child.kill('SIGCONT');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes, in time' });
});
