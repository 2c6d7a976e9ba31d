// Catches a bot token in anything that others can read: whoever has it speaks as the bot. After each kind of failure, all
// that was written and printed is searched.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  badGateway,
  blocked,
  conflict,
  notFound,
  refusal,
  tooManyRequests,
  unauthorized,
  type Fault,
} from '../../../tooling/src/bot-api/faults.ts';
import { ANN, CHAT } from './support/telegram-world.ts';
import { useTelegramWorld } from './support/use-telegram-world.ts';
import { waitFor } from './support/wait-for.ts';
import { daemonScript, type StartedProcess } from './support/world.ts';

const world = useTelegramWorld();
const throwToken = fileURLToPath(new URL('support/throw-token.mjs', import.meta.url));

/** The whole token, its secret half, and both as they stand in an address. */
const spellings = (): string[] => {
  const { token } = world().api;
  const secret = token.slice(token.indexOf(':') + 1);
  return [token, encodeURIComponent(token), secret];
};

/** Everything below the world's folder but the token file itself: state, registry, logs, reports. */
const written = (): string[] =>
  readdirSync(world().root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (entry.parentPath.startsWith(join(world().root, 'tokens'))) return [];
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [path, readFileSync(path, 'latin1')] : [path];
  });

const expectNoToken = (what: string, texts: readonly string[]): void => {
  expect(texts.join('').length, what).toBeGreaterThan(0);
  for (const text of texts)
    for (const spelling of spellings())
      expect(
        text.includes(spelling),
        `${what}: ${text.replaceAll(spelling, '«THE TOKEN»').slice(0, 500)}`,
      ).toBe(false);
};

const ofProcess = ({ child }: Pick<StartedProcess, 'child'>): string[] => {
  const cmdline = `/proc/${child.pid}/cmdline`;
  return existsSync(cmdline) ? [readFileSync(cmdline, 'latin1')] : [];
};

test(
  'nothing that is written, printed or shown by ps holds the token, whatever failed, at the lowest level of the log [DAEM-10]',
  { timeout: 120_000 },
  async () => {
    const { api, daemon, asker, root } = world();
    const reports = join(root, 'reports');
    mkdirSync(reports);
    const bridge = await daemon(['--log-level', 'trace'], {
      node: ['--report-on-signal', `--report-directory=${reports}`],
      env: { TELEGRAM_BOT_TOKEN_FILE: '', TELEGRAM_BOT_TOKEN: api.token },
    });
    const planner = await asker('planner');
    await waitFor('a poll', () => api.polling > 0);
    const failures: Fault[] = [
      refusal(400, `Bad Request: chat not found at /bot${api.token}/sendMessage`),
      unauthorized,
      blocked,
      notFound,
      tooManyRequests(1),
      badGateway,
      { fault: 'page', code: 302 },
      { fault: 'drop_before' },
      { fault: 'drop_after' },
      { fault: 'drop_in_answer' },
      { fault: 'page_after', code: 504 },
    ];
    for (const fault of failures) {
      api.faults.add('sendMessage', fault);
      const { error } = await (async () => {
        const qid = await planner.ask(JSON.stringify({ question: 'Go?', options: [{ title: 'Yes' }] }));
        // Refused: an error comes. Sent all the same: it is answered.
        const shown = await waitFor(
          'the question or its end',
          () => world().questions(qid).at(-1) ?? planner.responses.find(({ msg_id }) => msg_id === qid),
        );
        if ('message_id' in shown) {
          api.faults.add('editMessageText', fault);
          await waitFor('the delivery', () =>
            world()
              .log()
              .some((entry) => entry.qid === qid && entry.event === 'delivered'),
          );
          await world().press(qid, 'Yes');
        }
        return planner.response(qid);
      })();
      expectNoToken('what the asker got', [JSON.stringify(error ?? 'none')]);
    }
    for (const fault of [conflict, unauthorized, badGateway, { fault: 'drop_in_answer' } as const]) {
      const polls = api.pollsEnded;
      api.faults.add('getUpdates', fault);
      api.world.say({ chat: CHAT, from: ANN, text: '/help' });
      await waitFor('the failed poll', () => api.pollsEnded > polls + 1);
      expectNoToken('what status says', [JSON.stringify(await bridge.card())]);
    }
    await api.goOffline();
    await waitFor('it to be degraded', async () => JSON.stringify(await bridge.card()).includes('degraded'));
    expectNoToken('what status says', [JSON.stringify(await bridge.card())]);
    // Everything Node knows of the process, its environment included.
    bridge.child.kill('SIGUSR2');
    await waitFor('the report', () => readdirSync(reports).some((file) => file.endsWith('.json')));
    expectNoToken('arguments', ofProcess(bridge).concat('-'));
    await api.goOnline();
    await waitFor('the report to be whole', () =>
      readdirSync(reports).every((file) => readFileSync(join(reports, file), 'utf8').trimEnd().endsWith('}')),
    );
    await bridge.terminate();
    expectNoToken('output', [bridge.stdout(), bridge.stderr()]);
    expectNoToken('files', written());
  },
);

test.each(['error', 'rejection'])(
  'a bug that ends it by an %s with the token in its words prints them without it [DAEM-10]',
  async (how) => {
    const { api, env, flags, start } = world();
    const bridge = start(['--import', throwToken, daemonScript, ...flags()], {
      env: { ...env(), TELEGRAM_BOT_TOKEN_FILE: '', TELEGRAM_BOT_TOKEN: api.token, THROW_TOKEN: how },
    });
    expect(await bridge.ended).toBe(1);
    expect(bridge.stderr()).toContain('getUpdates failed');
    expect(bridge.stderr()).toContain('[token]');
    expectNoToken('last words', [bridge.stdout(), bridge.stderr()]);
    expectNoToken('files', written());
  },
);

test.each<[string, Record<string, string>, Fault | null]>([
  ['a token that Telegram does not know', {}, unauthorized],
  ['an address that speaks no HTTP of ours', { TELEGRAM_API_ROOT: 'https://127.0.0.1:1' }, null],
  ['an address with the token in it', { TELEGRAM_API_ROOT: 'ftp://TOKEN' }, null],
  ['the token given twice', { TELEGRAM_BOT_TOKEN: 'TOKEN' }, null],
  ['a token with a character too much', { TELEGRAM_BOT_TOKEN: 'TOKEN!', TELEGRAM_BOT_TOKEN_FILE: '' }, null],
])('a start that fails by %s shows no token [DAEM-10]', async (_, more, fault) => {
  const { api, env, flags, start } = world();
  if (fault !== null) api.faults.add('getMe', fault);
  const given = Object.fromEntries(
    Object.entries({ ...env(), ...more }).map(([name, value]) => [name, value.replace('TOKEN', api.token)]),
  );
  const started = start([daemonScript, ...flags()], { env: given });
  // One that only cannot reach the network starts all the same.
  await waitFor('it to say something', () => started.stderr().includes('\n'));
  expectNoToken('arguments', ofProcess(started).concat('-'));
  started.child.kill('SIGTERM');
  await started.ended;
  expectNoToken('output', [started.stdout(), started.stderr()]);
  expectNoToken('files', written());
});
