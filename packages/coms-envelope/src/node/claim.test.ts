/**
 * The bugs these exist to catch: a process killed a moment ago comes back as `name2`; two processes hold one name;
 * a stopped owner loses its name.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestComs, startChildPeer, startPeer } from '../../test/coms-dir.ts';
import { listen, listPeers } from './index.ts';
import { agentsDir } from './registry.ts';

const full = process.env['FULL'] === '1';

test('a taken name gets 2, 3, … appended; a closed one is free again [COMS-11]', async () => {
  const coms = openTestComs();
  const first = await startPeer(coms, { name: 'bob' });
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob2');
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob3');
  await first.close();
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob');
});

test('with suffixes refused the holder is named [COMS-11]', async () => {
  const coms = openTestComs();
  const first = await startPeer(coms, { name: 'bridge-daemon', sessionId: 'holder' });
  const refused = await listen({ coms, name: 'bridge-daemon', onTakenName: 'refuse', handlers: {} });
  expect(refused).toMatchObject({
    code: 'NAME_TAKEN',
    holder: { session_id: 'holder', pid: process.pid, endpoint: first.endpoint },
  });
  expect(!refused.ok && refused.message).toContain(`process ${process.pid}`);
  expect(readdirSync(coms.socketsDir)).toEqual(['holder.sock']);
});

test('a process killed with SIGKILL gets its name back at once, although its heartbeat is fresh [COMS-11]', async () => {
  const coms = openTestComs();
  for (let turn = 0; turn < 2; turn += 1) {
    const killed = await startChildPeer(coms, { name: 'bob' });
    expect(killed.line['name']).toBe('bob');
    await killed.kill('SIGKILL');
  }
  expect((await listPeers(coms, 'default')).peers.map(({ entry }) => entry.name)).toEqual(['bob']);
  const back = await startPeer(coms, { name: 'bob', onTakenName: 'refuse' });
  expect(back.name).toBe('bob');
  expect(readdirSync(coms.socketsDir)).toEqual([`${back.sessionId}.sock`]);
});

test('a stopped owner keeps its name, also when its queue of connections is full [COMS-11 COMS-12]', async () => {
  const coms = openTestComs();
  const stopped = await startChildPeer(coms, { name: 'bob' });
  stopped.process.kill('SIGSTOP');
  expect(await listen({ coms, name: 'bob', onTakenName: 'refuse', handlers: {} })).toMatchObject({
    code: 'NAME_TAKEN',
  });
  const { connect } = await import('node:net');
  const endpoint = String(stopped.line['endpoint']);
  const waiting = Array.from({ length: 600 }, () => connect({ path: endpoint }).on('error', () => undefined));
  onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob2');
  stopped.process.kill('SIGCONT');
});

test('a peer of others, which makes no claim, holds its name by its entry and its endpoint [COMS-11]', async () => {
  const coms = openTestComs();
  const theirs = await startPeer(coms, { name: 'host', sessionId: 'theirs' });
  mkdirSync(agentsDir(coms, 'default'), { recursive: true });
  const entry = { ...theirs.entry, name: 'bob' };
  writeFileSync(join(agentsDir(coms, 'default'), 'bob.json'), JSON.stringify(entry));
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob2');
  const dead = { ...entry, endpoint: join(coms.socketsDir, 'nobody.sock') };
  writeFileSync(join(agentsDir(coms, 'default'), 'bob.json'), JSON.stringify(dead));
  expect((await startPeer(coms, { name: 'bob' })).name).toBe('bob');
});

test('names and projects that the patterns refuse are refused before anything is made [COMS-11]', async () => {
  const coms = openTestComs();
  expect(await listen({ coms, name: '../x', handlers: {} })).toMatchObject({ code: 'INVALID_NAME' });
  expect(await listen({ coms, name: 'projects', handlers: {} })).toMatchObject({ code: 'INVALID_NAME' });
  expect(await listen({ coms, name: 'bob', project: '..', handlers: {} })).toMatchObject({
    code: 'INVALID_PROJECT',
  });
  expect(await listen({ coms, name: 'bob', sessionId: '../x', handlers: {} })).toMatchObject({
    code: 'INVALID_SESSION',
  });
  expect(() => readdirSync(coms.root)).toThrow('ENOENT');
});

describe('many starts of one name at once', () => {
  test('50 in one process: all different, one keeps the plain name, over a dead holder [COMS-11]', async () => {
    const coms = openTestComs();
    const killed = await startChildPeer(coms, { name: 'bob' });
    await killed.kill('SIGKILL');
    const peers = await Promise.all(Array.from({ length: 50 }, () => startPeer(coms, { name: 'bob' })));
    const got = peers.map((peer) => peer.name).toSorted();
    expect(new Set(got).size).toBe(50);
    expect(got).toContain('bob');
    expect((await listPeers(coms, 'default')).peers).toHaveLength(50);
  });

  const processes = full ? 50 : 8;
  test(
    `${processes} processes (50 with FULL=1): all different, one keeps the plain name [COMS-11]`,
    { timeout: 120_000 },
    async () => {
      const coms = openTestComs();
      const killed = await startChildPeer(coms, { name: 'bob' });
      await killed.kill('SIGKILL');
      const peers = await Promise.all(
        Array.from({ length: processes }, () => startChildPeer(coms, { name: 'bob' })),
      );
      const got = peers.map((peer) => String(peer.line['name'])).toSorted();
      expect(new Set(got).size).toBe(processes);
      expect(got).toContain('bob');
      expect((await listPeers(coms, 'default')).peers).toHaveLength(processes);
    },
  );

  test(
    `${processes} processes that take no suffix: one survives, every other names it [COMS-11]`,
    { timeout: 120_000 },
    async () => {
      const coms = openTestComs();
      const peers = await Promise.all(
        Array.from({ length: processes }, () =>
          startChildPeer(coms, { name: 'bridge-daemon', onTakenName: 'refuse' }),
        ),
      );
      const survivors = peers.filter((peer) => peer.line['ok'] === true);
      expect(survivors).toHaveLength(1);
      const session = String(survivors[0]?.line['sessionId']);
      for (const peer of peers.filter((each) => each.line['ok'] === false)) {
        expect(peer.line).toMatchObject({ code: 'NAME_TAKEN' });
        expect(String(peer.line['message'])).toContain(session);
      }
    },
  );
});
