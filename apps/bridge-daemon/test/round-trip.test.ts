// Catches a question or an answer whose bytes change on the way, and a daemon that leaves something behind.
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lookUp } from '@x/coms-envelope/node';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { waitFor } from './support/wait-for.ts';
import { daemonScript } from './support/world.ts';

const world = useWorld();

test('coms ask reaches the person and prints the answer, byte for byte, and SIGTERM leaves nothing behind [BRID-01 BRID-04 BRID-09 BRID-16]', async () => {
  const { daemon, comsCommand, hermes, answer, files, log, coms, comsDir } = world();
  const bridge = await daemon();
  expect(bridge.entry).toMatchObject({
    name: 'user-remote',
    purpose: 'Remote human via Hermes/Telegram',
    version: 1,
    explicit: false,
  });
  const ask = comsCommand([
    'ask',
    'Pick a database',
    '--option',
    'SQLite',
    '--option',
    'PostgreSQL',
    '--context',
    'їжак 🙂',
  ]);
  const [run] = await waitFor('a run of hermes', () => (hermes.runs().length > 0 ? hermes.runs() : null));
  const [qid = ''] = files('pending').map((file) => file.replace('.json', ''));
  expect(run).toEqual([
    'send',
    '--to',
    'telegram',
    `❓ [HUB-Q:${qid}] Pick a database\n\nContext: їжак 🙂\n\nOptions:\n1. SQLite\n2. PostgreSQL\n\n` +
      `↩ Reply to this message, or type: HUB-Q:${qid}: <answer>`,
  ]);
  await waitFor('the delivery to be logged', () => log().some(({ event }) => event === 'delivered'));
  answer(qid, ' postgresql ');
  expect(await ask.ended).toBe(0);
  expect(ask.stdout().trim()).toBe('PostgreSQL');
  await waitFor(
    'the record to be settled',
    () => files('closed').length === 1 && files('questions').length === 0,
  );
  expect(files('pending')).toEqual([]);
  expect(log().map(({ event }) => event)).toEqual(['question_received', 'delivered', 'answered']);

  expect(await bridge.terminate()).toBe(0);
  expect(lookUp(coms, 'default', 'user-remote').kind).toBe('absent');
  expect(readdirSync(join(comsDir, 'sockets'))).toEqual([]);
  expect(files('.removing')).toEqual([]);
  expect(files('.writing')).toEqual([]);
  expect(files('.').filter((file) => file.includes('lock'))).toEqual([]);
});

test('SIGINT ends it just so, and profile and target reach hermes without a shell [BRID-04 DAEM-04]', async () => {
  const { daemon, asker, hermes } = world();
  const target = 'telegram:docs; touch x $(id) "quoted"';
  const bridge = await daemon(['--hermes-profile', 'dev', '--to', target]);
  const planner = await asker('planner');
  const qid = await planner.ask('-n $HOME `id` "double" \'single\'\\');
  const [run] = await waitFor('a run of hermes', () => (hermes.runs().length > 0 ? hermes.runs() : null));
  expect(run?.slice(0, -1)).toEqual(['--profile', 'dev', 'send', '--to', target]);
  expect(run?.at(-1)).toBe(
    `❓ [HUB-Q:${qid}] -n $HOME \`id\` "double" 'single'\\\n\nContext: From planner @ /srv/repo\n\n` +
      `↩ Reply to this message, or type: HUB-Q:${qid}: <answer>`,
  );
  expect(await bridge.terminate('SIGINT')).toBe(0);
});

test('the one bundled file, copied alone to an empty folder, runs there with nothing but Node [DAEM-04]', async () => {
  const { daemon, asker, answer, root } = world();
  const alone = join(root, 'alone');
  mkdirSync(alone);
  const script = join(alone, 'bridge-daemon.mjs');
  cpSync(daemonScript, script);
  await daemon([], { script });
  const planner = await asker('planner');
  const qid = await planner.ask('Go?');
  answer(qid, 'yes');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
});

test('a project other than default shows in the question and only its own registry [DAEM-02 DAEM-04]', async () => {
  const { daemon, asker, sentTexts } = world();
  await daemon([], { project: 'docs' });
  const planner = await asker('planner', { project: 'docs' });
  const qid = await planner.ask('{"question":"Go?","context":"c"}');
  const [text] = await waitFor('a run of hermes', () => (sentTexts().length > 0 ? sentTexts() : null));
  expect(text).toContain(`❓ [HUB-Q:${qid}] Go?\n\n📁 Project: docs\n\nContext: c\n\n`);
});

test.each([
  [['--name', 'a', '--name', 'b'], '--name'],
  [['--to', '--x'], 'starts with a dash'],
  [['--hermes-profile', '--x'], 'starts with a dash'],
  [['--poll-ms', '0'], 'poll'],
  [['--timeout', '1.5'], 'timeout'],
  [['--transport', 'pigeon'], 'pigeon'],
  [['--allow-user', '1', '--allow-user', '2'], '--allow-user'],
  [['--to', ''], 'to'],
  [['--nonsense'], 'nonsense'],
  [['extra'], 'extra'],
])('a wrong command line %j ends with 2 and names the flag [DAEM-04]', async (flags, named) => {
  const started = world().start([daemonScript, ...flags]);
  expect(await started.ended).toBe(2);
  expect(started.stderr()).toContain(named);
});

test('status tells of a running daemon in words and JSON, and of none with exit 1 [DAEM-05 BRID-29]', async () => {
  const { daemon, asker, start, hermes, files } = world();
  const status = (...flags: string[]) => start([daemonScript, 'status', ...flags]);
  const none = status('--json');
  expect(await none.ended).toBe(1);
  expect(JSON.parse(none.stdout())).toMatchObject({ running: false, name: 'user-remote' });

  const bridge = await daemon();
  const planner = await asker('planner');
  await planner.ask('one?');
  await planner.ask('two?');
  expect(await bridge.card()).toMatchObject({ queue_depth: 2, purpose: 'Remote human via Hermes/Telegram' });
  const well = status('--json');
  expect(await well.ended).toBe(0);
  const told: unknown = JSON.parse(well.stdout());
  expect(told).toMatchObject({
    running: true,
    transport: 'hermes',
    state: 'ok',
    reason: null,
    open_questions: 2,
    undelivered: 0,
  });
  expect(told).toHaveProperty('last_poll_s', expect.any(Number));

  hermes.behave('echo "no route to chat" >&2; exit 3');
  const failed = await planner.ask('three?');
  expect((await planner.response(failed)).error).toBe('hermes send failed (3): no route to chat');
  const ill = status();
  expect(await ill.ended).toBe(0);
  expect(ill.stdout()).toMatch(
    /degraded[\s\S]*hermes send failed \(3\): no route to chat[\s\S]*since +\d{4}-/,
  );
  expect(files('.')).toEqual(
    expect.arrayContaining(['closed', 'log.ndjson', 'pending', 'questions', 'undelivered']),
  );
});

test('PI_COMS_DIR does not move the state and --questions-dir does, all of it 0700 and 0600 [DAEM-15 DAEM-18]', async () => {
  const { daemon, asker, root, state, files } = world();
  await daemon();
  const planner = await asker('planner');
  const qid = await planner.ask('Go?');
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  for (const folder of ['questions', 'pending', 'closed', 'undelivered'])
    expect(mode(join(state, folder))).toBe('700');
  await waitFor('its record', () => files('pending').includes(`${qid}.json`));
  expect(mode(join(state, 'pending', `${qid}.json`))).toBe('600');
  expect(mode(join(state, 'log.ndjson'))).toBe('600');
  expect(files('.').length).toBeGreaterThan(4);

  const elsewhere = join(root, 'elsewhere');
  await daemon(['--questions-dir', join(elsewhere, 'q')], { name: 'second' });
  expect(readdirSync(elsewhere).toSorted()).toEqual([
    '.removing',
    '.writing',
    'closed',
    'log.ndjson',
    'pending',
    'q',
    'undelivered',
  ]);
});

test('a folder that others may write to is refused with what to do [DAEM-15]', async () => {
  const { start, root } = world();
  const open = join(root, 'open');
  mkdirSync(open, { mode: 0o777 });
  const { chmodSync } = await import('node:fs');
  chmodSync(open, 0o777);
  const started = start([daemonScript, '--questions-dir', join(open, 'questions')]);
  expect(await started.ended).toBe(1);
  expect(started.stderr()).toContain('chmod go-w');
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be made is refused at once, also where the file system has none of that name',
  async () => {
    const { start } = world();
    const started = start([daemonScript, '--questions-dir', '/proc/no-such-folder/questions']);
    expect(await started.ended).toBe(1);
    expect(started.stderr()).toContain('the folder for questions cannot be used: ENOENT');
  },
);

test('a name whose endpoint answers is refused, naming the holder, and a killed daemon gets its name back at once [DAEM-22]', async () => {
  const { daemon, start } = world();
  const first = await daemon();
  const second = start([daemonScript]);
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toContain(first.entry.session_id);
  // A stopped owner is alive: its kernel accepts.
  first.child.kill('SIGSTOP');
  const third = start([daemonScript]);
  expect(await third.ended).toBe(1);
  first.child.kill('SIGKILL');
  await first.ended;
  const again = await daemon();
  expect(again.entry.name).toBe('user-remote');
});

test(
  'of many daemons started at once under one name exactly one survives, and the others name it [DAEM-22]',
  { timeout: 120_000 },
  async () => {
    const { start, coms } = world();
    const starts = process.env['FULL'] === '1' ? 50 : 6;
    const all = Array.from({ length: starts }, () => start([daemonScript, '--log-level', 'silent']));
    const over = new Set<(typeof all)[number]>();
    for (const one of all) void one.ended.then(() => over.add(one));
    await waitFor('all but one to end', () => over.size === starts - 1, 100_000);
    const [survivor] = all.filter((one) => !over.has(one));
    const found = lookUp(coms, 'default', 'user-remote');
    expect(found).toMatchObject({ kind: 'entry', entry: { pid: survivor?.child.pid } });
    for (const loser of over) {
      expect(await loser.ended).toBe(1);
      expect(loser.stderr()).toContain('user-remote is taken by');
    }
  },
);

test('SIGTERM ends a daemon whose hermes hangs within a bounded time, and the next one asks again [DAEM-04 DAEM-12]', async () => {
  const { daemon, asker, hermes, files, sentTexts } = world();
  hermes.behave('sleep 60');
  const bridge = await daemon();
  const planner = await asker('planner');
  const qid = await planner.ask('Go?');
  await waitFor('the run to begin', () => hermes.runs().length === 1);
  expect(await bridge.terminate()).toBe(0);
  expect(files('pending')).toEqual([`${qid}.json`]);
  expect(planner.responses).toEqual([]);
  hermes.behave(null);
  await daemon();
  const texts = await waitFor('the repeat', () => (sentTexts().length === 2 ? sentTexts() : null));
  expect(texts[1]).toContain('(repeat) Go?');
});

test('the help lists exactly what works: no deferred feature is promised by a flag or a command [BRID-30 DAEM-04]', async () => {
  const { start } = world();
  const help = start([daemonScript, 'run', '--help']);
  expect(await help.ended).toBe(0);
  const flags = [...help.stdout().matchAll(/^ *(?:-\w +)?(?:\[|\()?(--[a-z-]+)/gm)].map(([, flag]) => flag);
  expect(flags).toEqual([
    '--name',
    '--project',
    '--to',
    '--timeout',
    '--poll-ms',
    '--questions-dir',
    '--transport',
    '--hermes-profile',
    '--allow-user',
    '--log-level',
    '--help',
  ]);
  const top = start([daemonScript, '--help']);
  expect(await top.ended).toBe(0);
  const commands = top.stdout().slice(top.stdout().indexOf('COMMANDS'));
  expect([...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, command]) => command)).toEqual([
    'run',
    'status',
    'telegram-check',
  ]);
  expect(`${help.stdout()}${top.stdout()}`).not.toMatch(/kanban|conductor|group|voice|photo/i);
});
