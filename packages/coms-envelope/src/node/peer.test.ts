/**
 * The bugs these exist to catch: an ack before the prompt is safe; a cancel acted on before its ack; a response
 * handed on twice, or acked and lost; a handler that takes the process with it.
 */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchangeBytes, openTestComs, startPeer, tempFolder, until } from '../../test/coms-dir.ts';
import { accepted, type Cancel, type Prompt, type Response, type Verdict } from '../index.ts';
import {
  isSameSender,
  newestEndpoint,
  ping,
  send,
  sendCancel,
  sendResponse,
  senderOf,
  type PeerFault,
} from './index.ts';

const promptLine = (more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ type: 'prompt', msg_id: 'm', prompt: 'hi', sender_endpoint: '/x', hops: 0, ...more })}\n`;

describe('a server', () => {
  test('acks a prompt only after its handler has settled [COMS-01 COMS-03]', async () => {
    const coms = openTestComs();
    let release: (verdict: Verdict) => void = () => undefined;
    const gate = new Promise<Verdict>((resolve) => (release = resolve));
    const peer = await startPeer(coms, { handlers: { prompt: () => gate } });
    let answer = '';
    const exchange = exchangeBytes(peer.endpoint, [promptLine()]).then((text) => (answer = text));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answer).toBe('');
    release(accepted);
    expect(await exchange).toBe('{"type":"ack","msg_id":"m"}\n');
  });

  test('passes a refusal on as a nack, and nacks prompts where nobody takes any', async () => {
    const coms = openTestComs();
    const busy = await startPeer(coms, { handlers: { prompt: () => ({ ok: false, error: 'busy' }) } });
    const mute = await startPeer(coms, { handlers: {} });
    expect(await exchangeBytes(busy.endpoint, [promptLine()])).toBe(
      '{"type":"nack","msg_id":"m","error":"busy"}\n',
    );
    expect(await exchangeBytes(mute.endpoint, [promptLine()])).toContain('this peer takes no prompts');
  });

  test('nacks hops above the maximum, without asking the handler [COMS-08]', async () => {
    const coms = openTestComs({ PI_COMS_MAX_HOPS: '2' });
    const taken: number[] = [];
    const peer = await startPeer(coms, {
      handlers: { prompt: (prompt) => (taken.push(prompt.hops), accepted) },
    });
    const answers = await exchangeBytes(peer.endpoint, [promptLine({ hops: 2 }), promptLine({ hops: 3 })]);
    expect(answers).toBe(
      '{"type":"ack","msg_id":"m"}\n{"type":"nack","msg_id":"m","error":"hops 3 exceeds the maximum of 2"}\n',
    );
    expect(taken).toEqual([2]);
  });

  test('handles several lines of one connection in order, one at a time [COMS-01]', async () => {
    const coms = openTestComs();
    const running: string[] = [];
    let most = 0;
    const order: string[] = [];
    const prompt = async ({ msg_id }: Prompt): Promise<Verdict> => {
      running.push(msg_id);
      most = Math.max(most, running.length);
      await new Promise((resolve) => setTimeout(resolve, msg_id === 'a' ? 20 : 1));
      running.pop();
      order.push(msg_id);
      return accepted;
    };
    const peer = await startPeer(coms, { handlers: { prompt } });
    const lines = ['a', 'b', 'c'].map((msg_id) => promptLine({ msg_id })).join('\n\r\n');
    const answers = await exchangeBytes(peer.endpoint, [lines, '{"type":"ping","msg_id":"p"}']);
    const types = answers
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; msg_id: string });
    expect(types.map(({ type, msg_id }) => `${type} ${msg_id}`)).toEqual([
      'ack a',
      'ack b',
      'ack c',
      'pong p',
    ]);
    expect([order, most]).toEqual([['a', 'b', 'c'], 1]);
  });

  test('answers the lines that end other processes, and goes on [COMS-02 COMS-14]', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms);
    const lines = ['null', '42', '[]', '"x"', '{}', '\0\0', '{"__proto__":1}', 'nonsense', '\u{fffd}'];
    const answers = await exchangeBytes(peer.endpoint, [
      `${lines.join('\n')}\n`,
      Uint8Array.of(0xff, 0x0a),
      promptLine(),
    ]);
    const replies = answers
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; error?: string });
    expect(replies.map(({ type }) => type)).toEqual([...Array.from({ length: 10 }, () => 'nack'), 'ack']);
    expect(replies.slice(5, 10).map(({ error }) => error)).toEqual([
      'invalid json',
      'field type: expected a string',
      'invalid json',
      'invalid json',
      'invalid json',
    ]);
  });

  test('a line too large gets its nack, also in mid-write, and the connection is closed [COMS-02]', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms);
    const answers = await exchangeBytes(peer.endpoint, ['x'.repeat(65_537), 'y'.repeat(100_000)], {
      end: false,
    });
    expect(answers).toBe('{"type":"nack","msg_id":"","error":"line too large"}\n');
    const fits = await exchangeBytes(peer.endpoint, ['x'.repeat(65_536), '\n'], { end: true });
    expect(fits).toContain('invalid json');
  });

  test('a handler that throws costs a nack and a fault, not the process [COMS-14]', async () => {
    const coms = openTestComs();
    const faults: PeerFault[] = [];
    const peer = await startPeer(coms, {
      handlers: {
        prompt: () => {
          throw new Error('disk full');
        },
        cancel: () => Promise.reject(new Error('late')),
        card: () => {
          throw new Error('no card');
        },
        fault: (fault) => faults.push(fault),
      },
    });
    expect(await exchangeBytes(peer.endpoint, [promptLine()])).toContain(
      '"nack","msg_id":"m","error":"internal error"',
    );
    expect(
      (await sendCancel(coms, { endpoint: peer.endpoint, from: 'a', to: 'b', promptMsgId: 'm' })).ok,
    ).toBe(true);
    expect((await ping(coms, peer.endpoint)).ok).toBe(true);
    await until(() => faults.length >= 3, 'three faults');
    expect(faults.map(({ code }) => code)).toContain('HANDLER_FAILED');
  });

  test('answers a ping with the card of that moment, extra fields included [COMS-06]', async () => {
    const coms = openTestComs();
    let open = 0;
    const peer = await startPeer(coms, {
      name: 'bob',
      purpose: 'p',
      model: 'm',
      color: 'c',
      handlers: {
        card: () => ({
          queue_depth: (open += 1),
          status: 'ok',
          pane_id: '%1',
          bridge: { open: 2 },
          name: 'liar',
        }),
      },
    });
    open = 4;
    const outcome = await ping(coms, peer.endpoint);
    expect(outcome.ok && outcome.pong.agent_card).toEqual({
      name: 'bob',
      purpose: 'p',
      model: 'm',
      color: 'c',
      context_used_pct: 0,
      queue_depth: 5,
      status: 'ok',
      pane_id: '%1',
      bridge: { open: 2 },
    });
    const second = await startPeer(coms, { name: 'bob' });
    const pong = await ping(coms, second.endpoint);
    expect(pong.ok && pong.pong.agent_card['name']).toBe('bob2');
  });

  test('acks a cancel before it acts on it; a malformed one is nacked and not acted on [BRID-20 COMS-05]', async () => {
    const coms = openTestComs();
    const cancels: Cancel[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const peer = await startPeer(coms, {
      handlers: {
        cancel: async (cancel) => {
          await gate;
          cancels.push(cancel);
        },
      },
    });
    const sent = await sendCancel(coms, { endpoint: peer.endpoint, from: 'a', to: 'b', promptMsgId: 'qid' });
    expect([sent.ok, cancels.length]).toEqual([true, 0]);
    const bad = { type: 'cancel', msg_id: 'c', from: 'a', to: 'b', created_at: 't', ref_msg_id: '' };
    expect(await exchangeBytes(peer.endpoint, [`${JSON.stringify(bad)}\n`])).toContain('"nack","msg_id":"c"');
    release();
    await until(() => cancels.length === 1, 'the cancel was acted on');
    expect(cancels[0]).toMatchObject({ type: 'cancel', from: 'a', to: 'b', ref_msg_id: 'qid' });
  });
});

describe('a request', () => {
  test('gives the response, which comes over a new connection to the sender_endpoint [COMS-04]', async () => {
    const coms = openTestComs();
    const asker = await startPeer(coms, { name: 'asker' });
    const prompts: Prompt[] = [];
    const helper = await startPeer(coms, {
      name: 'helper',
      handlers: { prompt: (prompt) => (prompts.push(prompt), accepted) },
    });
    let acked = false;
    const outcome = asker.request(helper.endpoint, asker.prompt({ prompt: 'q', hops: 1 }), {
      onAck: () => (acked = true),
    });
    await until(() => prompts.length === 1, 'the prompt came');
    const [prompt] = prompts;
    if (prompt === undefined) throw new Error('no prompt');
    expect(prompt.sender_endpoint).toBe(asker.endpoint);
    expect((await helper.respond(prompt, { response: { a: ['їжак 🙂'] } })).ok).toBe(true);
    expect(await outcome).toMatchObject({
      ok: true,
      response: { msg_id: prompt.msg_id, hops: 1, response: { a: ['їжак 🙂'] } },
    });
    expect(acked).toBe(true);
  });

  test('a response that overtakes the ack is not lost [COMS-04]', async () => {
    const coms = openTestComs();
    const asker = await startPeer(coms, { name: 'asker' });
    const helper = await startPeer(coms, {
      name: 'helper',
      handlers: {
        prompt: async (prompt) => {
          const sent = await helper.respond(prompt, { response: 'early' });
          return sent.ok ? accepted : { ok: false, error: sent.message };
        },
      },
    });
    const outcome = await asker.request(helper.endpoint, asker.prompt({ prompt: 'q' }));
    expect(outcome).toMatchObject({ ok: true, response: { response: 'early' } });
  });

  test('an error response, a nack and a silence are told apart [COMS-04]', async () => {
    const coms = openTestComs();
    const asker = await startPeer(coms, { name: 'asker' });
    const failing = await startPeer(coms, {
      name: 'failing',
      handlers: {
        prompt: (prompt) => {
          setTimeout(() => void failing.respond(prompt, { error: 'no answer' }), 5);
          return accepted;
        },
      },
    });
    const refusing = await startPeer(coms, {
      name: 'refusing',
      handlers: { prompt: () => ({ ok: false, error: 'no' }) },
    });
    const silent = await startPeer(coms, { name: 'silent' });
    const ask = (endpoint: string, timeoutMs: number) =>
      asker.request(endpoint, asker.prompt({ prompt: 'q' }), { timeoutMs });
    expect(await ask(failing.endpoint, 5_000)).toMatchObject({
      code: 'PEER_ERROR',
      message: 'no answer',
      response: { response: null },
    });
    expect(await ask(refusing.endpoint, 5_000)).toMatchObject({
      code: 'NACK',
      message: 'no',
      sent: 'refused',
    });
    expect(await ask(silent.endpoint, 20)).toEqual({
      ok: false,
      code: 'RESPONSE_TIMEOUT',
      message: 'timeout after 20ms',
    });
  });

  test('a response is acked after keep has settled; a keep that fails is a nack, and a repeat then counts', async () => {
    const coms = openTestComs();
    const prompts: Prompt[] = [];
    const asker = await startPeer(coms, { name: 'asker' });
    const helper = await startPeer(coms, {
      name: 'helper',
      handlers: { prompt: (prompt) => (prompts.push(prompt), accepted) },
    });
    const kept: Response[] = [];
    let failures = 1;
    const outcome = asker.request(helper.endpoint, asker.prompt({ prompt: 'q' }), {
      keep: async (response) => {
        await Promise.resolve();
        if ((failures -= 1) >= 0) throw new Error('disk full');
        kept.push(response);
        return accepted;
      },
    });
    await until(() => prompts.length === 1, 'the prompt came');
    const [prompt] = prompts;
    if (prompt === undefined) throw new Error('no prompt');
    expect(await helper.respond(prompt, { response: 1 })).toMatchObject({
      code: 'NACK',
      message: 'internal error',
    });
    for (let repeat = 0; repeat < 3; repeat += 1)
      expect((await helper.respond(prompt, { response: 1 })).ok).toBe(true);
    expect(await outcome).toMatchObject({ ok: true, response: { response: 1 } });
    expect(kept).toHaveLength(1);
  });

  test('a response nobody waits for is nacked, or goes to its handler once a msg_id', async () => {
    const coms = openTestComs();
    const handed: Response[] = [];
    const strict = await startPeer(coms, { name: 'strict' });
    const open = await startPeer(coms, {
      name: 'open',
      handlers: { response: (response) => (handed.push(response), accepted) },
    });
    const line = '{"type":"response","msg_id":"old","response":1}\n';
    expect(await exchangeBytes(strict.endpoint, [line])).toContain(
      '"error":"no open prompt has the msg_id old"',
    );
    expect(await exchangeBytes(open.endpoint, [line, line])).toBe(
      '{"type":"ack","msg_id":"old"}\n'.repeat(2),
    );
    expect(handed).toHaveLength(1);
  });

  test('ends by a signal, and at the bound of open requests', async () => {
    const coms = openTestComs();
    const asker = await startPeer(coms, { name: 'asker', limits: { openRequestsMax: 1 } });
    const silent = await startPeer(coms, { name: 'silent' });
    const controller = new AbortController();
    const prompt = asker.prompt({ prompt: 'q' });
    const first = asker.request(silent.endpoint, prompt, { signal: controller.signal });
    expect(await asker.request(silent.endpoint, prompt)).toMatchObject({ code: 'ALREADY_OPEN' });
    expect(await asker.request(silent.endpoint, asker.prompt({ prompt: 'r' }))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    controller.abort();
    expect(await first).toMatchObject({ code: 'ABORTED' });
    expect(
      await asker.request(silent.endpoint, asker.prompt({ prompt: 'r' }), { timeoutMs: 5 }),
    ).toMatchObject({ code: 'RESPONSE_TIMEOUT' });
  });
});

test('a response that keep refused does not settle its request: the one that is kept does', async () => {
  const coms = openTestComs();
  const prompts: Prompt[] = [];
  const asker = await startPeer(coms, { name: 'asker' });
  const helper = await startPeer(coms, {
    name: 'helper',
    handlers: { prompt: (prompt) => (prompts.push(prompt), accepted) },
  });
  const outcome = asker.request(helper.endpoint, asker.prompt({ prompt: 'q' }), {
    keep: (response) => (response.response === 'good' ? accepted : { ok: false, error: 'not that' }),
  });
  await until(() => prompts.length === 1, 'the prompt came');
  const [prompt] = prompts;
  if (prompt === undefined) throw new Error('no prompt');
  expect(await helper.respond(prompt, { response: 'bad' })).toMatchObject({
    code: 'NACK',
    message: 'not that',
  });
  expect((await helper.respond(prompt, { response: 'good' })).ok).toBe(true);
  expect(await outcome).toMatchObject({ ok: true, response: { response: 'good' } });
});

describe('where we connect', () => {
  test('never outside the sockets folder, however the endpoint is spelled [COMS-13]', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms);
    const outside = join(tempFolder(), 'other.sock');
    let connections = 0;
    const other = createServer(() => (connections += 1)).listen(outside);
    onTestFinished(() => void other.close());
    symlinkSync(outside, join(coms.socketsDir, 'link.sock'));
    for (const endpoint of [outside, join(coms.socketsDir, 'link.sock')]) {
      const prompt = { type: 'prompt', msg_id: 'm', prompt: '', sender_endpoint: endpoint, hops: 0 } as const;
      const sender = { sessionId: 's', endpoint: peer.endpoint };
      const sent = await sendResponse(coms, { prompt, body: { response: 1 }, sender });
      expect([endpoint, sent]).toEqual([
        endpoint,
        expect.objectContaining({ code: 'ENDPOINT_REFUSED', sent: 'no' }),
      ]);
    }
    expect(connections).toBe(0);
  });

  test('another spelling of the same folder is the same folder', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms);
    const alias = join(tempFolder(), 'alias');
    symlinkSync(coms.root, alias);
    const endpoint = join(alias, 'sockets', `${peer.sessionId}.sock`);
    expect((await ping(coms, endpoint)).ok).toBe(true);
  });

  test('nobody there is told apart from no answer, and a refusal in time from a late one', async () => {
    const coms = openTestComs();
    mkdirSync(coms.socketsDir, { recursive: true, mode: 0o700 });
    const endpoint = join(coms.socketsDir, 'mute.sock');
    const envelope = { type: 'ping', msg_id: 'p' } as const;
    expect(await send(coms, { endpoint, envelope })).toMatchObject({ code: 'PEER_DEAD', sent: 'no' });
    const answers = [
      '',
      '{"type":"ack","msg_id":"other"}\n',
      'garbage\n',
      '{"type":"pong","msg_id":"p","agent_card":{}}',
    ];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answers.shift() ?? ''));
    }).listen(endpoint);
    onTestFinished(() => void server.close());
    await until(() => existsSync(endpoint), 'the server listens');
    expect(await send(coms, { endpoint, envelope })).toMatchObject({ code: 'NO_ANSWER', sent: 'maybe' });
    expect(await send(coms, { endpoint, envelope })).toMatchObject({ code: 'BAD_ANSWER', sent: 'maybe' });
    expect(await send(coms, { endpoint, envelope })).toMatchObject({ code: 'BAD_ANSWER', sent: 'maybe' });
    expect((await send(coms, { endpoint, envelope })).ok).toBe(true);
    server.removeAllListeners('connection');
    // Long enough to connect on a busy machine.
    expect(await send(coms, { endpoint, envelope }, { timeoutMs: 1_000 })).toMatchObject({
      code: 'NO_ANSWER',
      sent: 'maybe',
    });
  });

  test('an envelope that does not fit in a line is not sent [COMS-02]', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms);
    const prompt = peer.prompt({ prompt: 'x'.repeat(70_000) });
    expect(await peer.request(peer.endpoint, prompt)).toMatchObject({ code: 'LINE_TOO_LARGE', sent: 'no' });
  });
});

describe('who sent it', () => {
  test('name, project and folder: a restarted asker is the same sender and is found at its newest endpoint', async () => {
    const coms = openTestComs();
    const first = await startPeer(coms, { name: 'asker', project: 'docs', cwd: '/w' });
    const before = first.prompt({ prompt: 'q' });
    const sender = senderOf(coms, before, 'default');
    expect(sender).toEqual({ name: 'asker', project: 'docs', cwd: '/w' });
    await first.close();
    const second = await startPeer(coms, { name: 'asker', project: 'docs', cwd: '/w' });
    expect(isSameSender(senderOf(coms, second.prompt({ prompt: 'q' }), 'default'), sender)).toBe(true);
    expect(newestEndpoint(coms, sender)).toBe(second.endpoint);
    expect(newestEndpoint(coms, { ...sender, cwd: '/elsewhere' })).toBeNull();
    expect(newestEndpoint(coms, { ...sender, name: '../x' })).toBeNull();
  });

  test('a sender without an entry counts as one of our project', () => {
    const coms = openTestComs();
    const prompt = {
      type: 'prompt',
      msg_id: 'm',
      prompt: '',
      sender_endpoint: '/x',
      hops: 0,
      sender_name: 'a',
    } as const;
    expect(senderOf(coms, prompt, 'docs')).toEqual({ name: 'a', project: 'docs', cwd: '' });
  });
});

describe('a place that is lost', () => {
  test('an entry removed by somebody comes back at the next heartbeat', async () => {
    const coms = openTestComs();
    const peer = await startPeer(coms, { name: 'bob' });
    const { removeEntry } = await import('./registry.ts');
    removeEntry(coms, 'default', peer.entry);
    await peer.refresh();
    expect(newestEndpoint(coms, { name: 'bob', project: 'default', cwd: peer.entry.cwd })).toBe(
      peer.endpoint,
    );
  });

  test('an entry of another process that answers is left there, and a removed socket is noticed', async () => {
    const coms = openTestComs();
    const faults: string[] = [];
    const peer = await startPeer(coms, { name: 'bob', handlers: { fault: ({ code }) => faults.push(code) } });
    const other = await startPeer(coms, { name: 'eve' });
    const { writeEntry } = await import('./registry.ts');
    writeEntry(coms, 'default', { ...other.entry, name: 'bob' });
    await peer.refresh();
    expect(faults).toEqual(['NAME_LOST']);
    await peer.close();
    expect(newestEndpoint(coms, { name: 'bob', project: 'default', cwd: other.entry.cwd })).toBe(
      other.endpoint,
    );
    const third = await startPeer(coms, {
      name: 'carol',
      handlers: { fault: ({ code }) => faults.push(code) },
    });
    const { unlinkSync } = await import('node:fs');
    unlinkSync(third.endpoint);
    await third.refresh();
    expect(faults).toEqual(['NAME_LOST', 'SOCKET_LOST']);
  });
});
