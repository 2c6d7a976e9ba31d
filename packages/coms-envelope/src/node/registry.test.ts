/** The bugs these exist to catch: one bad file hides the others; pruning removes the entry of a new owner. */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestComs, startChildPeer, startPeer } from '../../test/coms-dir.ts';
import { findPeer, listPeers, listProjects, openComs, type Coms } from './index.ts';
import { agentsDir, removeEntry, writeEntry } from './registry.ts';

const isRoot = process.getuid?.() === 0;
const deadPid = 4_194_303;

function plant(coms: Coms, name: string, changes: Record<string, unknown> = {}): string {
  mkdirSync(agentsDir(coms, 'default'), { recursive: true, mode: 0o700 });
  const path = join(agentsDir(coms, 'default'), `${name}.json`);
  const entry = {
    session_id: `session-${name}`,
    name,
    purpose: '',
    model: '',
    color: '',
    pid: process.pid,
    endpoint: join(coms.socketsDir, `session-${name}.sock`),
    cwd: '/w',
    started_at: new Date().toISOString(),
    explicit: false,
    version: 1,
    heartbeat_at: new Date().toISOString(),
    ...changes,
  };
  writeFileSync(path, JSON.stringify(entry));
  return path;
}

async function names(coms: Coms, includeExplicit = false): Promise<string[]> {
  const { peers } = await listPeers(coms, 'default', { includeExplicit });
  return peers.map(({ entry }) => entry.name);
}

test('a listening peer has the entry of the wire, complete [COMS-09]', async () => {
  const coms = openTestComs();
  const peer = await startPeer(coms, {
    name: 'bob',
    purpose: 'p',
    model: 'm',
    color: 'c',
    cwd: '/w',
    sessionId: 's1',
  });
  const text = readFileSync(join(agentsDir(coms, 'default'), 'bob.json'), 'utf8');
  const entry = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(entry)).toEqual([
    'session_id',
    'name',
    'purpose',
    'model',
    'color',
    'pid',
    'endpoint',
    'cwd',
    'started_at',
    'explicit',
    'version',
    'queue_depth',
    'context_used_pct',
    'heartbeat_at',
  ]);
  expect(entry).toMatchObject({
    session_id: 's1',
    pid: process.pid,
    endpoint: peer.endpoint,
    version: 1,
    explicit: false,
  });
  expect(peer.endpoint).toBe(join(coms.root, 'sockets', 's1.sock'));
  expect(readdirSync(agentsDir(coms, 'default'))).toEqual(['bob.json']);
});

test('the entry is refreshed with the queue depth of the card [COMS-09]', async () => {
  const coms = openTestComs();
  let depth = 0;
  const peer = await startPeer(coms, {
    name: 'bob',
    handlers: { card: () => ({ queue_depth: depth }) },
    limits: { heartbeatMs: 15 },
  });
  depth = 7;
  const seen = async (): Promise<unknown> => {
    const found = await findPeer(coms, 'default', 'bob');
    return found.ok ? found.peer.entry.queue_depth : found.message;
  };
  for (let turn = 0; turn < 200 && (await seen()) !== 7; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await seen()).toBe(7);
  await peer.close();
  expect(existsSync(join(agentsDir(coms, 'default'), 'bob.json'))).toBe(false);
  expect(existsSync(peer.endpoint)).toBe(false);
});

describe('who is listed', () => {
  test('live ones; dead ones are pruned by whoever lists; hidden ones only when asked for [COMS-10]', async () => {
    const coms = openTestComs();
    const old = new Date(Date.now() - 200_000).toISOString();
    plant(coms, 'beating', { pid: deadPid });
    plant(coms, 'running', { heartbeat_at: old });
    plant(coms, 'silent', { heartbeat_at: undefined });
    plant(coms, 'foreign-pid', { pid: 1, heartbeat_at: old });
    plant(coms, 'hidden', { explicit: true });
    const dead = plant(coms, 'dead', { pid: deadPid, heartbeat_at: old });
    const listing = await listPeers(coms, 'default');
    expect(listing.pruned).toBe(1);
    expect(existsSync(dead)).toBe(false);
    expect(await names(coms)).toEqual(['beating', 'foreign-pid', 'running', 'silent']);
    expect(await names(coms, true)).toEqual(['beating', 'foreign-pid', 'hidden', 'running', 'silent']);
  });

  test('one corrupt file hides nobody else, and each is named [COMS-10]', async () => {
    const coms = openTestComs();
    plant(coms, 'good');
    const dir = agentsDir(coms, 'default');
    writeFileSync(join(dir, 'torn.json'), '{"session_id":"s","na');
    writeFileSync(join(dir, 'empty.json'), '');
    writeFileSync(join(dir, 'null.json'), 'null');
    writeFileSync(join(dir, 'liar.json'), readFileSync(join(dir, 'good.json')));
    writeFileSync(join(dir, 'bad name.json'), '{}');
    writeFileSync(join(dir, 'huge.json'), 'x'.repeat(100_000));
    mkdirSync(join(dir, 'folder.json'));
    symlinkSync(join(dir, 'good.json'), join(dir, 'link.json'));
    execFileSync('mkfifo', [join(dir, 'fifo.json')]);
    writeFileSync(join(dir, '.good.s.tmp'), 'half');
    const { peers, warnings } = await listPeers(coms, 'default');
    expect(peers.map(({ entry }) => entry.name)).toEqual(['good']);
    expect(warnings.map(({ path }) => path.slice(dir.length + 1))).toEqual([
      'bad name.json',
      'empty.json',
      'fifo.json',
      'folder.json',
      'huge.json',
      'liar.json',
      'link.json',
      'null.json',
      'torn.json',
    ]);
  });

  test.skipIf(!isRoot)(
    'an entry of another user is ignored with a warning (needs root to make one) [COMS-13]',
    async () => {
      const coms = openTestComs();
      chownSync(plant(coms, 'theirs'), 12_345, 12_345);
      plant(coms, 'ours');
      const { peers, warnings } = await listPeers(coms, 'default');
      expect(peers.map(({ entry }) => entry.name)).toEqual(['ours']);
      expect(warnings.map(({ message }) => message)).toEqual(['ignored: belongs to user id 12345']);
    },
  );

  test('an absent registry has nobody; projects are those with a folder', async () => {
    const opened = openComs({ root: '/tmp/coms-that-is-not-there' });
    if (!opened.ok) throw new Error(opened.message);
    expect(await listPeers(opened.coms, 'default')).toEqual({ peers: [], warnings: [], pruned: 0 });
    const coms = openTestComs();
    await startPeer(coms, { project: 'b.c' });
    await startPeer(coms, { project: 'a' });
    expect(listProjects(coms)).toEqual(['a', 'b.c']);
  });

  test('the socket of a pruned peer goes with it, one that answers stays [COMS-10 COMS-12]', async () => {
    const coms = openTestComs();
    const killed = await startChildPeer(coms, { name: 'gone', sessionId: 'gone' });
    await killed.kill('SIGKILL');
    const live = await startPeer(coms, { name: 'live', sessionId: 'live' });
    const old = new Date(Date.now() - 200_000).toISOString();
    plant(coms, 'gone', {
      session_id: 'gone',
      pid: deadPid,
      heartbeat_at: old,
      endpoint: join(coms.socketsDir, 'gone.sock'),
    });
    plant(coms, 'liar', { pid: deadPid, heartbeat_at: old, endpoint: live.endpoint });
    expect((await listPeers(coms, 'default')).pruned).toBe(2);
    expect(readdirSync(coms.socketsDir)).toEqual(['live.sock']);
  });
});

test('an entry is removed for its own session only: the new owner of a name keeps its entry [COMS-10]', () => {
  const coms = openTestComs();
  const path = plant(coms, 'bob', { session_id: 'new' });
  expect(removeEntry(coms, 'default', { name: 'bob', session_id: 'old' })).toBe(false);
  expect(existsSync(path)).toBe(true);
  expect(removeEntry(coms, 'default', { name: 'bob', session_id: 'new' })).toBe(true);
  expect(readdirSync(agentsDir(coms, 'default'))).toEqual([]);
});

test('entries rewritten while they are pruned and listed are never lost [COMS-10]', async () => {
  const coms = openTestComs();
  const old = new Date(Date.now() - 200_000).toISOString();
  const peer = await startPeer(coms, { name: 'bob' });
  for (let turn = 0; turn < 50; turn += 1) {
    plant(coms, 'bob', { session_id: `dead-${turn}`, pid: deadPid, heartbeat_at: old });
    const lists = [listPeers(coms, 'default'), listPeers(coms, 'default')];
    writeEntry(coms, 'default', { ...peer.entry, heartbeat_at: new Date().toISOString() });
    await Promise.all(lists);
    expect(await names(coms)).toEqual(['bob']);
  }
});

describe('finding one', () => {
  test('by name, by session id, hidden ones too; a miss says who is there', async () => {
    const coms = openTestComs();
    plant(coms, 'bob');
    plant(coms, 'shy', { explicit: true });
    for (const key of ['bob', 'shy', 'session-bob'])
      expect((await findPeer(coms, 'default', key)).ok).toBe(true);
    expect(await findPeer(coms, 'default', 'eve')).toEqual({
      ok: false,
      code: 'NO_SUCH_PEER',
      message: 'no peer "eve" in project default (registered there: bob)',
    });
    expect(await findPeer(coms, 'default', '../../etc/passwd')).toMatchObject({ ok: false });
  });
});
