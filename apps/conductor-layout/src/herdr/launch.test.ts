import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startFakeHerdr } from '../../../../tooling/src/fake-herdr/fake-herdr.ts';
import type { FakeHerdr, FakeHerdrOptions, Fault } from '../../../../tooling/src/fake-herdr/fake-herdr.ts';
import type { WireNode } from '../plan/layout-node.ts';
import { launch } from './launch.ts';
import type { LaunchOutcome } from './launch.ts';
import { openSocketHerdr } from './socket-herdr.ts';

const LABEL = 'wt2-conductor-docs';
const CWD = '/repo/main.wt2';
const ROOT: WireNode = {
  type: 'split',
  direction: 'right',
  ratio: 0.35,
  first: { type: 'pane', command: ['hermes', '-p', 'dev'], cwd: CWD, label: 'conductor' },
  second: { type: 'pane', command: ['just', '_peer', 'p', 'a'], cwd: CWD, label: 'a', env: { A: '1' } },
};
const NEVER = new AbortController().signal;
const DROP: Fault = { kind: 'drop_before' };
const DROP_AFTER: Fault = { kind: 'drop_after' };
const DROP_IN_ANSWER: Fault = { kind: 'drop_in_answer' };

let folder = '';
let herdr: FakeHerdr | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conductor-herdr-'));
});

afterEach(async () => {
  await herdr?.close();
  herdr = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<FakeHerdrOptions> = {}): Promise<FakeHerdr> {
  herdr = await startFakeHerdr({ socketPath: join(folder, 'herdr.sock'), ...options });
  return herdr;
}

function open(
  fake: { readonly socketPath: string },
  signal: AbortSignal = NEVER,
  timeoutMs?: number,
): Promise<LaunchOutcome> {
  return launch(openSocketHerdr(fake.socketPath, timeoutMs), { label: LABEL, cwd: CWD, root: ROOT }, signal);
}

function methodsOf(fake: FakeHerdr): string[] {
  return fake.requests.map(({ method }) => method);
}

test('a start asks in the documented order, one request a connection, and leaves the layout alone in its workspace [LAYO-11 COND-02]', async () => {
  const fake = await start();
  const outcome = await open(fake);
  expect(fake.requests.map(({ method, params }) => [method, params])).toEqual([
    ['ping', {}],
    ['workspace.list', {}],
    ['workspace.create', { label: LABEL, cwd: CWD, focus: false }],
    ['layout.apply', { workspace_id: expect.any(String), root: ROOT }],
    ['tab.close', { tab_id: expect.any(String) }],
  ]);
  const [workspace, ...others] = fake.workspaces;
  expect(others).toEqual([]);
  expect(outcome).toEqual({ code: 'OPENED', workspaceId: workspace?.workspaceId });
  expect(workspace?.label).toBe(LABEL);
  expect(workspace?.tabs.map(({ panes }) => panes.map(({ label, env }) => [label, env]))).toEqual([
    [
      ['conductor', {}],
      ['a', { A: '1' }],
    ],
  ]);
});

test('a workspace of that label is a refusal that names it, and nothing is made [LAYO-12]', async () => {
  const fake = await start();
  fake.addWorkspace('another');
  const taken = fake.addWorkspace(LABEL);
  expect(await open(fake)).toEqual({ code: 'LABEL_TAKEN', workspaceId: taken.workspaceId });
  expect(methodsOf(fake)).toEqual(['ping', 'workspace.list']);
  expect(fake.workspaces).toHaveLength(2);
});

test.each([
  [13, 'HERDR_TOO_OLD'],
  [14, 'OPENED'],
])('a herdr of protocol %i gives %s [LAYO-11]', async (protocol, code) => {
  const fake = await start({ protocol });
  expect((await open(fake)).code).toBe(code);
  if (code === 'HERDR_TOO_OLD') expect(methodsOf(fake)).toEqual(['ping']);
});

test('a layout that herdr refuses is told in its words, and the workspace is closed again [LAYO-12]', async () => {
  const error: Fault = { kind: 'error', code: 'layout_failed', message: 'no room for 2 panes' };
  const fake = await start({ faults: { 'layout.apply': [error] } });
  fake.addWorkspace('another');
  expect(await open(fake)).toMatchObject({
    code: 'FAILED',
    step: 'layout.apply',
    fault: { code: 'REFUSED', herdrCode: 'layout_failed', message: 'no room for 2 panes' },
    undo: { state: 'CLOSED' },
  });
  expect(methodsOf(fake)).toEqual([
    'ping',
    'workspace.list',
    'workspace.create',
    'layout.apply',
    'workspace.close',
  ]);
  expect(fake.workspaces.map(({ label }) => label)).toEqual(['another']);
});

test.each<[string, Fault, string, string]>([
  ['ping', DROP, 'NOTHING_MADE', ''],
  ['ping', DROP_IN_ANSWER, 'NOTHING_MADE', ''],
  ['workspace.list', DROP, 'NOTHING_MADE', ''],
  ['workspace.list', DROP_AFTER, 'NOTHING_MADE', ''],
  ['workspace.create', DROP, 'NOTHING_MADE', ''],
  ['workspace.create', DROP_AFTER, 'CLOSED', ''],
  ['workspace.create', DROP_IN_ANSWER, 'CLOSED', ''],
  ['layout.apply', DROP, 'CLOSED', ''],
  ['layout.apply', DROP_AFTER, 'CLOSED', ''],
  ['layout.apply', DROP_IN_ANSWER, 'CLOSED', ''],
])(
  'a connection dropped at %s (%j) ends with undo %s and no workspace of ours open [LAYO-12]',
  async (step, fault, state) => {
    const fake = await start({ faults: { [step]: [fault] } });
    fake.addWorkspace('another');
    expect(await open(fake)).toMatchObject({
      code: 'FAILED',
      step,
      fault: { code: 'UNANSWERED' },
      undo: { state },
    });
    expect(fake.workspaces.map(({ label }) => label)).toEqual(['another']);
  },
);

test.each([DROP, DROP_AFTER])(
  'once the panes run, a connection dropped at tab.close (%j) closes none of them [LAYO-12]',
  async (fault) => {
    const fake = await start({ faults: { 'tab.close': [fault] } });
    expect(await open(fake)).toMatchObject({ code: 'OPENED_WITH_EMPTY_TAB', fault: { code: 'UNANSWERED' } });
    expect(methodsOf(fake)).not.toContain('workspace.close');
    expect(fake.workspaces[0]?.tabs.some(({ panes }) => panes.length === 2)).toBe(true);
  },
);

test('a workspace that cannot be closed again is named, not passed over [LAYO-12]', async () => {
  const fake = await start({ faults: { 'layout.apply': [DROP], 'workspace.close': [DROP] } });
  const outcome = await open(fake);
  expect(outcome).toMatchObject({
    undo: { state: 'MAY_BE_OPEN', workspaceId: fake.workspaces[0]?.workspaceId },
  });
});

test('a create without an answer closes no workspace that was there before or that is not empty [LAYO-12]', async () => {
  let finish = (): void => undefined;
  const until = new Promise<void>((resolve) => (finish = resolve));
  const fake = await start({
    faults: { 'workspace.create': [DROP_AFTER], 'workspace.list': [null, { kind: 'wait', until }] },
  });
  const outcome = open(fake);
  await expect.poll(() => fake.requests.filter(({ method }) => method === 'workspace.list').length).toBe(2);
  // Meanwhile somebody else opens one of the same label: which of the two is ours cannot be known.
  fake.addWorkspace(LABEL);
  finish();
  expect(await outcome).toMatchObject({ undo: { state: 'MAY_BE_OPEN' } });
  expect(methodsOf(fake)).not.toContain('workspace.close');
  expect(fake.workspaces).toHaveLength(2);
});

test('a create without an answer, and a list without one, say that one may be open [LAYO-12]', async () => {
  const fake = await start({ faults: { 'workspace.create': [DROP_AFTER], 'workspace.list': [null, DROP] } });
  expect(await open(fake)).toMatchObject({ undo: { state: 'MAY_BE_OPEN', workspaceId: null } });
});

test('a herdr that never answers is a fault within the time given, and undone like any other [LAYO-12]', async () => {
  const fake = await start({ faults: { 'layout.apply': [{ kind: 'hang' }] } });
  expect(await open(fake, NEVER, 200)).toMatchObject({
    step: 'layout.apply',
    fault: { code: 'UNANSWERED', why: 'no answer within 200 ms' },
    undo: { state: 'CLOSED' },
  });
  expect(fake.workspaces).toEqual([]);
});

test.each([
  ['not json', 'the answer is not JSON'],
  ['{}', 'the answer has neither a result nor an error'],
  ['null', 'the answer has neither a result nor an error'],
  ['{"id":"x","result":{"type":"pong","protocol":20,"version":"1"}}', 'the answer is to another request'],
  ['{"id":"conductor-layout-1","result":{"type":"pong"}}', 'the result of ping has not the published shape'],
  ['{"id":"conductor-layout-1","result":null}', 'the result of ping has not the published shape'],
])('the answer %s is a fault: %s [LAYO-11]', async (line, why) => {
  const fake = await start({ faults: { ping: [{ kind: 'answer', line }] } });
  expect(await open(fake)).toMatchObject({ step: 'ping', fault: { code: 'UNANSWERED', why } });
});

test('answers a byte at a time are answers [LAYO-11]', async () => {
  const slow: Fault = { kind: 'byte_at_a_time' };
  const fake = await start({ faults: { ping: [slow], 'workspace.list': [slow], 'layout.apply': [slow] } });
  expect((await open(fake)).code).toBe('OPENED');
});

test('an answer without end is not held without end [LAYO-11]', async () => {
  const socketPath = join(folder, 'endless.sock');
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const server = createServer((socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) continue;
    };
    socket.on('drain', more).on('error', () => socket.destroy());
    more();
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  try {
    expect(await open({ socketPath })).toMatchObject({
      fault: { code: 'UNANSWERED', why: 'an answer of more than 8388608 bytes' },
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('a server that fills the first tab instead of adding one keeps it: nothing is closed [LAYO-11]', async () => {
  const answerFor = (tabId: string): Fault => ({
    kind: 'answer',
    line: JSON.stringify({
      id: 'conductor-layout-4',
      result: { type: 'layout_apply', layout: { tab_id: tabId } },
    }),
  });
  const probe = await start();
  await open(probe);
  const firstTab = String(probe.requests.find(({ method }) => method === 'tab.close')?.params['tab_id']);
  await probe.close();
  const fake = await start({ faults: { 'layout.apply': [answerFor(firstTab)] } });
  expect((await open(fake)).code).toBe('OPENED');
  expect(methodsOf(fake)).not.toContain('tab.close');
});

test.each(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])(
  'no herdr (%s) is told as such, and nothing is waited for [LAYO-12]',
  async (why) => {
    const socketPath = join(folder, 'herdr.sock');
    if (why === 'ECONNREFUSED') {
      // A socket file whose owner is gone: bound in a process that ends without removing it.
      const { execFileSync } = await import('node:child_process');
      const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
      expect(() => execFileSync(process.execPath, ['-e', script, socketPath], { stdio: 'ignore' })).toThrow(
        /SIGKILL|failed/,
      );
    }
    if (why === 'ENOTSOCK') {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(socketPath, '');
    }
    const outcome = await open({ socketPath });
    const code =
      outcome.code === 'FAILED' && outcome.fault.code === 'UNREACHABLE' ? outcome.fault.why : outcome.code;
    // Linux answers a connection to a regular file with ECONNREFUSED, macOS with ENOTSOCK.
    expect(why === 'ENOTSOCK' ? ['ENOTSOCK', 'ECONNREFUSED'] : [why]).toContain(code);
  },
);

test('a cancel before anything is made makes nothing [LAYO-12]', async () => {
  const fake = await start();
  expect(await open(fake, AbortSignal.abort())).toEqual({
    code: 'CANCELLED',
    undo: { state: 'NOTHING_MADE' },
  });
  expect(fake.workspaces).toEqual([]);
});

test.each(['workspace.create', 'layout.apply'])(
  'a cancel during %s waits for its answer and closes the workspace again [LAYO-12]',
  async (step) => {
    let finish = (): void => undefined;
    const until = new Promise<void>((resolve) => (finish = resolve));
    const fake = await start({ faults: { [step]: [{ kind: 'wait', until }] } });
    const controller = new AbortController();
    const outcome = open(fake, controller.signal);
    await expect.poll(() => methodsOf(fake).at(-1)).toBe(step);
    controller.abort();
    finish();
    expect(await outcome).toMatchObject({ code: 'CANCELLED', undo: { state: 'CLOSED' } });
    expect(fake.workspaces).toEqual([]);
  },
);
