import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startFakeHerdr } from '../../../tooling/src/fake-herdr/fake-herdr.ts';
import type { FakeHerdr, FakeHerdrOptions } from '../../../tooling/src/fake-herdr/fake-herdr.ts';
import { run } from './command.ts';
import type { Finished } from './command.ts';

const CANARY = 'canary-91bd-never-to-be-seen';

let root = '';
let checkout = '';
let herdr: FakeHerdr | undefined;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'conductor-live-')));
  checkout = join(root, 'main.wt2');
  mkdirSync(join(checkout, '.pi', 'agents'), { recursive: true });
  writeFileSync(join(checkout, '.env.docs'), `TOKEN=${CANARY}\nPLAIN="two words"\n`);
  const teams =
    'docs:\n  - { name: a, persona: p, env_file: .env.docs }\n  - { name: b, persona: q }\nsolo: []\n';
  writeFileSync(join(checkout, '.pi', 'agents', 'peers.yaml'), teams);
});

afterEach(async () => {
  await herdr?.close();
  herdr = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function start(options: Partial<FakeHerdrOptions> = {}): Promise<FakeHerdr> {
  herdr = await startFakeHerdr({ socketPath: join(root, 'herdr.sock'), ...options });
  return herdr;
}

function open(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return run(words, { cwd: checkout, env: { HERDR_SOCKET_PATH: join(root, 'herdr.sock'), ...env } });
}

test('a team is opened beside its conductor, its env file with it, and the person is told how to get there [LAYO-03 LAYO-11 COND-02]', async () => {
  const fake = await start();
  const { status, stdout, stderr } = await open(['docs']);
  const [workspace] = fake.workspaces;
  const id = workspace?.workspaceId ?? '';
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `opened wt2-conductor-docs: workspace ${id}, 3 panes\nlook at it: herdr workspace focus ${id}\n`,
  );
  expect(workspace?.cwd).toBe(checkout);
  expect(
    workspace?.tabs.flatMap(({ panes }) =>
      panes.map(({ label, command, env }) => [label, command.join(' '), env]),
    ),
  ).toEqual([
    ['conductor', 'hermes -p dev', {}],
    ['a', 'just _peer p a', { TOKEN: CANARY, PLAIN: 'two words' }],
    ['b', 'just _peer q b', {}],
  ]);
  expect(stdout).not.toContain(CANARY);
});

test('~/.config/herdr/herdr.sock is the place where nothing else is named [LAYO-11]', async () => {
  const home = join(root, 'h');
  mkdirSync(join(home, '.config', 'herdr'), { recursive: true });
  const fake = await start({ socketPath: join(home, '.config', 'herdr', 'herdr.sock') });
  expect((await open(['solo'], { HOME: home, HERDR_SOCKET_PATH: '' })).status).toBe(0);
  expect(fake.workspaces.map(({ label }) => label)).toEqual(['wt2-conductor-solo']);
});

test('peers alone and a project open under labels of their own [LAYO-08 LAYO-11]', async () => {
  const fake = await start();
  expect((await open(['docs'])).status).toBe(0);
  expect((await open(['docs', '--no-conductor'])).status).toBe(0);
  expect((await open(['docs', '--project', 'acme'])).status).toBe(0);
  expect(fake.workspaces.map(({ label }) => label)).toEqual([
    'wt2-conductor-docs',
    'wt2-peers-docs',
    'wt2-conductor-docs--project.acme',
  ]);
});

test('a second start of the same team is refused, with how to focus or close what is there [LAYO-12]', async () => {
  const fake = await start();
  await open(['docs']);
  const { status, stdout, stderr } = await open(['docs']);
  const id = fake.workspaces[0]?.workspaceId ?? '';
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`herdr workspace focus ${id}`);
  expect(stderr).toContain(`herdr workspace close ${id}`);
  expect(fake.workspaces).toHaveLength(1);
});

test('without herdr: exit 1, how to start it, and that the dry run works [LAYO-12]', async () => {
  const { status, stdout, stderr } = await open(['docs']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('no herdr at');
  expect(stderr).toContain('start it by running herdr');
  expect(stderr).toContain('--dry-run');
});

test('a herdr that is too old is told with both numbers [LAYO-11]', async () => {
  const fake = await start({ protocol: 13, version: '0.3.1' });
  const { status, stderr } = await open(['docs']);
  expect(status).toBe(1);
  expect(stderr).toBe(
    'conductor-layout: herdr 0.3.1 speaks protocol 13; a layout needs 14 or later: update herdr and restart it\n',
  );
  expect(fake.workspaces).toEqual([]);
});

test('a refused layout is told in herdr’s words without controls and without any value of an env file [LAYO-09 LAYO-12]', async () => {
  const message = `bad env TOKEN=${CANARY} \u001b[2J and "${CANARY}"\nPLAIN=two words`;
  const fake = await start({
    faults: { 'layout.apply': [{ kind: 'error', code: 'invalid_params', message }] },
  });
  const { status, stdout, stderr } = await open(['docs']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('layout.apply failed: bad env TOKEN=[value of an env file]');
  expect(stderr).toContain('was closed again');
  expect(stderr).not.toContain(CANARY);
  expect(stderr).not.toContain('two words');
  expect(stderr).not.toContain('\u001b');
  expect(fake.workspaces).toEqual([]);
});

test('an empty first tab that stays is an exit 1 that says the panes run and how to close it [LAYO-12]', async () => {
  const fake = await start({ faults: { 'tab.close': [{ kind: 'drop_before' }] } });
  const { status, stderr } = await open(['docs']);
  expect(status).toBe(1);
  expect(stderr).toContain('its panes run');
  expect(stderr).toContain(`herdr tab close ${fake.workspaces[0]?.tabs[0]?.tabId}`);
});

test('a missing env file is told before herdr is asked anything; without its peer the start goes through [LAYO-03]', async () => {
  rmSync(join(checkout, '.env.docs'));
  const fake = await start();
  const { status, stderr } = await open(['docs']);
  expect(status).toBe(2);
  expect(stderr).toBe('conductor-layout: env_file ".env.docs" does not exist\n');
  expect(fake.requests).toEqual([]);
  expect((await open(['solo'])).status).toBe(0);
});

test('a socket path that the system would cut off is refused, with the variable that shortens it [LAYO-12]', async () => {
  const { status, stderr } = await open(['docs'], { HERDR_SOCKET_PATH: join(root, 'x'.repeat(120)) });
  expect(status).toBe(2);
  expect(stderr).toContain('HERDR_SOCKET_PATH');
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often this process has gone to sleep so far; null where the system does not tell. */
function sleepsOf(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]);
}

/** Sends a signal to a process that waits, and settles when it waits again: the signal is taken before what comes next. */
async function signalTaken(pid: number, signal: NodeJS.Signals): Promise<void> {
  let before = sleepsOf(pid);
  for (let quietTurns = 0; before !== null && quietTurns < 5; quietTurns += 1) {
    await sleep(20);
    const now = sleepsOf(pid);
    if (now !== before) [before, quietTurns] = [now, 0];
  }
  process.kill(pid, signal);
  if (before === null) await sleep(1_000);
  else await expect.poll(() => sleepsOf(pid), { timeout: 60_000 }).toBeGreaterThan(before);
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the middle closes the new workspace again and exits 130 [LAYO-12]',
  async (signal) => {
    let finish = (): void => undefined;
    const until = new Promise<void>((resolve) => (finish = resolve));
    const fake = await start({ faults: { 'layout.apply': [{ kind: 'wait', until }] } });
    let child = 0;
    const finished = run(['docs'], {
      cwd: checkout,
      env: { HERDR_SOCKET_PATH: fake.socketPath },
      whileRunning: ({ pid }) => (child = pid),
    });
    await expect.poll(() => fake.requests.at(-1)?.method, { timeout: 10_000 }).toBe('layout.apply');
    await signalTaken(child, signal);
    finish();
    const { status, stderr } = await finished;
    expect(status).toBe(130);
    expect(stderr).toMatch(/cancelled: the new workspace \S+ was closed again/);
    expect(fake.workspaces).toEqual([]);
  },
);
