/** The bugs these exist to catch: a live socket stolen, somebody's file removed, a path shortened in silence. */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestComs, startChildPeer, startPeer, tempFolder, until } from '../../test/coms-dir.ts';
import { listen, openComs, type Coms } from './index.ts';

function socketPath(coms: Coms, session: string): string {
  mkdirSync(coms.socketsDir, { recursive: true, mode: 0o700 });
  return join(coms.socketsDir, `${session}.sock`);
}

describe('what stands at the path', () => {
  test('a regular file, a folder and a link are left untouched, with an error [COMS-12]', async () => {
    const coms = openTestComs();
    const target = join(tempFolder(), 'target');
    writeFileSync(target, 'keep');
    writeFileSync(socketPath(coms, 'file'), 'keep');
    mkdirSync(socketPath(coms, 'folder'));
    symlinkSync(target, socketPath(coms, 'link'));
    symlinkSync(join(coms.socketsDir, 'nowhere'), socketPath(coms, 'dangling'));
    for (const sessionId of ['file', 'folder', 'link', 'dangling']) {
      const refused = await listen({ coms, name: 'bob', sessionId, handlers: {} });
      expect([sessionId, refused]).toEqual([
        sessionId,
        expect.objectContaining({ ok: false, code: 'ENDPOINT_BLOCKED' }),
      ]);
    }
    expect(readFileSync(socketPath(coms, 'file'), 'utf8')).toBe('keep');
    expect(readFileSync(target, 'utf8')).toBe('keep');
    expect(statSync(socketPath(coms, 'folder')).isDirectory()).toBe(true);
  });

  test('a socket that nobody answers on is removed and rebound [COMS-12]', async () => {
    const coms = openTestComs();
    const killed = await startChildPeer(coms, { name: 'bob', sessionId: 'again' });
    await killed.kill('SIGKILL');
    expect(statSync(socketPath(coms, 'again')).isSocket()).toBe(true);
    const peer = await startPeer(coms, { name: 'bob', sessionId: 'again' });
    expect([peer.name, peer.endpoint]).toEqual(['bob', socketPath(coms, 'again')]);
  });

  test('a socket that answers makes the start fail, and goes on answering [COMS-12]', async () => {
    const coms = openTestComs();
    const first = await startPeer(coms, { name: 'bob', sessionId: 'mine' });
    const refused = await listen({ coms, name: 'eve', sessionId: 'mine', handlers: {} });
    expect(refused).toMatchObject({ ok: false, code: 'ENDPOINT_IN_USE' });
    expect(statSync(first.endpoint).isSocket()).toBe(true);
  });

  test('a stopped owner keeps its socket: its kernel accepts [COMS-12]', async () => {
    const coms = openTestComs();
    const stopped = await startChildPeer(coms, { name: 'bob', sessionId: 'busy' });
    stopped.process.kill('SIGSTOP');
    expect(await listen({ coms, name: 'eve', sessionId: 'busy', handlers: {} })).toMatchObject({
      code: 'ENDPOINT_IN_USE',
    });
    stopped.process.kill('SIGCONT');
  });

  test('eight starts on one stale socket at once: one gets it, the others are refused [COMS-12]', async () => {
    const coms = openTestComs();
    const killed = await startChildPeer(coms, { name: 'bob', sessionId: 'race' });
    await killed.kill('SIGKILL');
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        listen({ coms, name: `n${index}`, sessionId: 'race', handlers: {} }),
      ),
    );
    for (const outcome of outcomes) if (outcome.ok) onTestFinished(() => outcome.close());
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    const codes = outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code));
    expect(new Set(codes)).toEqual(new Set(['ok', 'ENDPOINT_IN_USE']));
  });
});

describe('the length of the path', () => {
  /** A coms folder such that the socket of session `s` has exactly this many bytes. */
  function comsWithPath(bytes: number): Coms {
    const base = tempFolder();
    const rest = '/sockets/s.sock'.length;
    const root = join(base, 'x'.repeat(bytes - base.length - 1 - rest));
    const opened = openComs({ root });
    if (!opened.ok) throw new Error(opened.message);
    return opened.coms;
  }
  const limit = process.platform === 'linux' ? 107 : 103;

  for (const bytes of [limit - 1, limit]) {
    test(`a path of ${bytes} bytes works and really is a socket there [COMS-12]`, async () => {
      const coms = comsWithPath(bytes);
      const peer = await startPeer(coms, { sessionId: 's' });
      expect([peer.endpoint.length, statSync(peer.endpoint).isSocket()]).toEqual([bytes, true]);
      expect((await peer.request(peer.endpoint, peer.prompt({ prompt: 'x' }), { timeoutMs: 1 })).ok).toBe(
        false,
      );
    });
  }

  for (const bytes of [limit + 1, limit + 20]) {
    test(`a path of ${bytes} bytes is an error that names PI_COMS_DIR, and nothing is bound [COMS-12]`, async () => {
      const coms = comsWithPath(bytes);
      const refused = await listen({ coms, name: 'bob', sessionId: 's', handlers: {} });
      expect(refused).toMatchObject({ ok: false, code: 'SOCKET_PATH_TOO_LONG' });
      expect(!refused.ok && refused.message).toMatch(new RegExp(`${bytes} bytes.*${limit}.*PI_COMS_DIR`));
    });
  }
});

test('a start that was refused leaves nothing that keeps its process alive [COMS-12]', async () => {
  const coms = openTestComs();
  await startPeer(coms, { name: 'bob', sessionId: 'held' });
  const refused = await startChildPeer(coms, { name: 'bob', sessionId: 'held' });
  expect(refused.line).toMatchObject({ ok: false, code: 'ENDPOINT_IN_USE' });
  await until(() => refused.process.exitCode !== null, 'the refused process has ended by itself');
  expect(refused.process.exitCode).toBe(0);
});
