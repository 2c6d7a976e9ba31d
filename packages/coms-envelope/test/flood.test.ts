/**
 * The bugs these exist to catch: descriptors that leak with clients that break off; honest clients locked out by
 * silent ones; a server that stops accepting for good when the limit of open files is reached.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { ping } from '../src/node/index.ts';
import { exchangeBytes, openSilent, openTestComs, startPeer, until } from './coms-dir.ts';

const full = process.env['FULL'] === '1';
const clients = full ? 1_000 : 150;

function openFiles(): number {
  return readdirSync('/dev/fd').length;
}

/** One client that breaks off in one of the ways clients do. */
function breakOff(endpoint: string, index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path: endpoint });
    socket.resume();
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.once('connect', () => {
      const way = index % 5;
      if (way === 0) socket.destroy();
      if (way === 1) socket.write('{"type":"prompt","msg_id"', () => socket.destroy());
      if (way === 2) socket.end('{"type":"ping","msg_id":"p"}');
      if (way === 3) socket.write(`${'{"type":"ping","msg_id":"p"}\n'.repeat(500)}`, () => socket.destroy());
      // The fifth stays silent until the server ends it.
    });
  });
}

test(
  `${clients} half-open and resetting clients (1,000 with FULL=1): descriptors return to the baseline, and a conversation beside them is unaffected [COMS-14]`,
  { timeout: 60_000 },
  async () => {
    const coms = openTestComs();
    // Time enough for an honest line when the machine is busy; the silent ones are waited for.
    const peer = await startPeer(coms, { name: 'busy', limits: { lineTimeoutMs: 1_500 } });
    const asker = await startPeer(coms, { name: 'asker' });
    await ping(coms, peer.endpoint);
    await until(() => peer.connections() === 0, 'the first ping is over');
    const before = openFiles();
    let talking = true;
    onTestFinished(() => void (talking = false));
    const failures: string[] = [];
    let rounds = 0;
    const talk = (async () => {
      while (talking) {
        const outcome = await asker.request(peer.endpoint, asker.prompt({ prompt: 'x' }), { timeoutMs: 1 });
        if (outcome.ok || outcome.code !== 'RESPONSE_TIMEOUT')
          failures.push(outcome.ok ? 'ok' : outcome.code);
        rounds += 1;
      }
    })();
    for (let from = 0; from < clients; from += 250) {
      const batch = Math.min(250, clients - from);
      await Promise.all(Array.from({ length: batch }, (_, index) => breakOff(peer.endpoint, from + index)));
    }
    await until(() => rounds > 5, 'a conversation went on beside them');
    talking = false;
    await talk;
    expect(failures).toEqual([]);
    await until(() => peer.connections() === 0, 'every connection has ended');
    await until(() => openFiles() <= before, `descriptors are back at ${before}, not ${openFiles()}`);
  },
);

test('a silent and a dripping connection end after their time; one in the middle of a handler does not [COMS-14]', async () => {
  const coms = openTestComs();
  let begun = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const peer = await startPeer(coms, {
    limits: { lineTimeoutMs: 80 },
    handlers: {
      prompt: async () => {
        begun += 1;
        await released;
        return { ok: true };
      },
    },
  });
  const prompt = '{"type":"prompt","msg_id":"m","prompt":"","sender_endpoint":"/x","hops":0}\n';
  const slow = await inHandler();
  const silent = await openSilent(peer.endpoint);
  const dripping = await openSilent(peer.endpoint);
  const drip = setInterval(() => dripping.write('x'), 10);
  await Promise.all(
    [silent, dripping].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
  );
  clearInterval(drip);
  // It was there before the two that have been ended.
  release();
  expect(await slow.answer).toBe('{"type":"ack","msg_id":"m"}\n');

  /** On a busy machine even an honest line may come too late: then it is sent again. */
  async function inHandler(): Promise<{ readonly answer: Promise<string> }> {
    for (;;) {
      let over = false;
      const answer = exchangeBytes(peer.endpoint, [prompt], { allowError: true });
      void answer.then(() => (over = true));
      await until(() => begun > 0 || over, 'the prompt is handled, or its connection ended');
      if (!over) return { answer };
    }
  }
});

test('a handler that never settles, and a client that never reads, end too [COMS-14]', async () => {
  const coms = openTestComs();
  const peer = await startPeer(coms, {
    limits: { lineTimeoutMs: 200, handlerTimeoutMs: 80 },
    handlers: { prompt: () => new Promise(() => undefined) },
  });
  const prompt = '{"type":"prompt","msg_id":"m","prompt":"","sender_endpoint":"/x","hops":0}\n';
  expect(await exchangeBytes(peer.endpoint, [prompt], { end: false })).toBe('');
  const deaf = connect({ path: peer.endpoint });
  deaf.pause();
  deaf.on('error', () => undefined);
  const closed = new Promise((resolve) => deaf.once('close', resolve));
  deaf.write('{"type":"ping","msg_id":"p"}\n'.repeat(20_000));
  // What it writes and nobody takes fails when it was ended.
  await until(() => peer.connections() === 1 || deaf.destroyed, 'it is connected');
  await until(() => peer.connections() === 0, 'it was ended');
  deaf.resume();
  await closed;
});

test('at the bound of connections the longest silent one makes room [COMS-14]', async () => {
  const coms = openTestComs();
  const peer = await startPeer(coms, { limits: { connectionsMax: 3 } });
  const silent = [
    await openSilent(peer.endpoint),
    await openSilent(peer.endpoint),
    await openSilent(peer.endpoint),
  ];
  onTestFinished(() => silent.forEach((socket) => socket.destroy()));
  await until(() => peer.connections() === 3, 'three are open');
  const firstClosed = new Promise((resolve) => silent[0]?.once('close', resolve));
  expect((await ping(coms, peer.endpoint)).ok).toBe(true);
  await firstClosed;
  expect(silent.map((socket) => socket.destroyed)).toEqual([true, false, false]);
});

interface Lines {
  readonly process: ChildProcess;
  next(): Promise<string>;
}

/** A child whose stdout is read line by line, ended with the test. */
function startLines(command: string, args: string[]): Lines {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Interface = createInterface({ input: child.stdout });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    process: child,
    next: async () => {
      const step = await iterator.next();
      return step.done === true ? '' : step.value;
    },
  };
}

test(
  'with 1,024 open files and 1,100 half-open clients honest ones get through, then and after [COMS-14]',
  { timeout: 60_000 },
  async () => {
    const coms = openTestComs();
    const here = import.meta.dirname;
    const options = JSON.stringify({ root: coms.root, name: 'bob', limits: { lineTimeoutMs: 1_500 } });
    const serve = `ulimit -n 1024 && exec "$0" "$1" "$2"`;
    const server = startLines('sh', ['-c', serve, process.execPath, join(here, 'child-peer.mjs'), options]);
    const { endpoint } = JSON.parse(await server.next()) as { endpoint: string };
    const flood = [1, 2].map(() =>
      startLines(process.execPath, [join(here, 'silent-clients.mjs'), endpoint, '550']),
    );
    for (const each of flood) expect(await each.next()).toBe('ready');
    for (let turn = 0; turn < 20; turn += 1) {
      const outcome = await ping(coms, endpoint);
      expect(outcome.ok ? 'pong' : outcome.message).toBe('pong');
    }
    const stillOpen = async (): Promise<number> => {
      let open = 0;
      for (const each of flood) {
        each.process.stdin?.write('\n');
        open += Number(await each.next());
      }
      return open;
    };
    for (let turn = 0; turn < 600 && (await stillOpen()) > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await stillOpen()).toBe(0);
    expect((await ping(coms, endpoint)).ok).toBe(true);
  },
);
