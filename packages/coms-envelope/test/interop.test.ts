/**
 * The bug these exist to catch: two sides that agree with each other and with nobody else. The other side here is
 * Python, written from the description of the wire alone.
 */
import { describe, expect, test } from 'vitest';
import { accepted, type Cancel, type Prompt } from '../src/index.ts';
import { listPeers, newestEndpoint, ping, send, sendCancel, senderOf } from '../src/node/index.ts';
import { openTestComs, startPeer, until } from './coms-dir.ts';
import { noPython, pythonSend, startPythonPeer } from '../../../tooling/src/fake-coms-peer/python-peer.ts';

const hostile = 'їжак 🙂 \u2028 \u2029 \u0085 "quotes" \\ end';

describe.skipIf(noPython !== '')(`with a peer in Python${noPython && ` (skipped: ${noPython})`}`, () => {
  test('we find it, ping it, ask it, and get its answer, its error and its refusal [COMS-01 COMS-03 COMS-04 COMS-06 COMS-10]', async () => {
    const coms = openTestComs();
    const theirs = await startPythonPeer(coms.root, 'snake');
    const ours = await startPeer(coms, { name: 'ours' });
    const { peers, warnings } = await listPeers(coms, 'default');
    expect([peers.map(({ entry }) => entry.name), warnings]).toEqual([['ours', 'snake'], []]);
    const pong = await ping(coms, theirs.endpoint);
    expect(pong.ok && pong.pong.agent_card).toMatchObject({
      name: 'snake',
      context_used_pct: 1.5,
      queue_depth: 2,
      status: 'fine',
    });
    const ask = (prompt: string) =>
      ours.request(theirs.endpoint, ours.prompt({ prompt }), { timeoutMs: 10_000 });
    expect(await ask(hostile)).toMatchObject({ ok: true, response: { response: { echo: hostile } } });
    expect(await ask('error:out of ideas')).toMatchObject({
      code: 'PEER_ERROR',
      message: 'out of ideas',
      response: { response: null },
    });
    expect(await ask('nack:busy now')).toMatchObject({ code: 'NACK', message: 'busy now' });
    expect(theirs.said).toContainEqual({ answered: expect.objectContaining({ type: 'ack' }) });
  });

  test('it takes our prompt with every field of the wire, and our cancel [COMS-03 COMS-05 BRID-20]', async () => {
    const coms = openTestComs();
    const theirs = await startPythonPeer(coms.root, 'snake');
    const ours = await startPeer(coms, { name: 'ours', cwd: '/w' });
    const prompt = ours.prompt({
      prompt: 'hold',
      hops: 2,
      conversationId: 'c',
      responseSchema: { a: 1 },
      replyTimeoutMs: 9,
    });
    expect((await send(coms, { endpoint: theirs.endpoint, envelope: prompt })).ok).toBe(true);
    await sendCancel(coms, {
      endpoint: theirs.endpoint,
      from: 'ours',
      to: 'snake',
      promptMsgId: prompt.msg_id,
    });
    await until(() => theirs.said.length === 2, 'both came');
    expect(Object.keys(theirs.said[0] ?? {}).toSorted()).toEqual([
      'conversation_id',
      'hops',
      'msg_id',
      'prompt',
      'reply_timeout_ms',
      'response_schema',
      'sender_cwd',
      'sender_endpoint',
      'sender_name',
      'sender_session',
      'timestamp',
      'type',
    ]);
    expect(theirs.said[0]).toMatchObject({
      sender_name: 'ours',
      sender_cwd: '/w',
      sender_session: ours.sessionId,
      hops: 2,
    });
    expect(theirs.said[1]).toEqual({
      type: 'cancel',
      msg_id: expect.any(String),
      from: 'ours',
      to: 'snake',
      created_at: expect.any(String),
      ref_msg_id: prompt.msg_id,
    });
  });

  for (const style of ['bytes', 'joined', 'crlf', 'blank', 'unfinished']) {
    test(`its envelopes reach us whole, written in the style "${style}" [COMS-01 COMS-02 COMS-03 COMS-05 COMS-06 BRID-20]`, async () => {
      const coms = openTestComs();
      const prompts: Prompt[] = [];
      const cancels: Cancel[] = [];
      const ours = await startPeer(coms, {
        name: 'ours',
        handlers: {
          prompt: (prompt) => (
            prompts.push(prompt),
            prompt.msg_id === 'no' ? { ok: false, error: 'no' } : accepted
          ),
          cancel: (cancel) => void cancels.push(cancel),
        },
      });
      const base = {
        type: 'prompt',
        prompt: hostile,
        sender_endpoint: '/nowhere',
        hops: 0,
        extra: { kept: [1] },
      };
      const cancel = { type: 'cancel', msg_id: 'c', from: 'a', to: 'b', created_at: 't', ref_msg_id: 'yes' };
      const replies = await pythonSend(ours.endpoint, style, [
        { ...base, msg_id: 'yes' },
        { ...base, msg_id: 'no' },
        { type: 'ping', msg_id: 'p' },
        cancel,
        { type: 'prompt', msg_id: 'short' },
      ]);
      expect(replies.map((reply) => [reply['type'], reply['msg_id']])).toEqual([
        ['ack', 'yes'],
        ['nack', 'no'],
        ['pong', 'p'],
        ['ack', 'c'],
        ['nack', 'short'],
      ]);
      expect(prompts.map((prompt) => [prompt.prompt, prompt['extra']])).toEqual([
        [hostile, { kept: [1] }],
        [hostile, { kept: [1] }],
      ]);
      expect(cancels).toEqual([cancel]);
    });
  }

  test('we answer its prompt at its endpoint, and know it as a sender [COMS-04 COMS-13]', async () => {
    const coms = openTestComs();
    const theirs = await startPythonPeer(coms.root, 'snake');
    const prompts: Prompt[] = [];
    const ours = await startPeer(coms, {
      name: 'ours',
      handlers: { prompt: (prompt) => (prompts.push(prompt), accepted) },
    });
    const [reply] = await pythonSend(ours.endpoint, 'joined', [
      {
        type: 'prompt',
        msg_id: 'q',
        prompt: 'x',
        sender_endpoint: theirs.endpoint,
        hops: 1,
        sender_name: 'snake',
        sender_cwd: process.cwd(),
      },
    ]);
    expect(reply).toEqual({ type: 'ack', msg_id: 'q' });
    const [prompt] = prompts;
    if (prompt === undefined) throw new Error('no prompt');
    const sender = senderOf(coms, prompt, 'default');
    expect(sender).toEqual({ name: 'snake', project: 'default', cwd: process.cwd() });
    expect(newestEndpoint(coms, sender)).toBe(theirs.endpoint);
    expect((await ours.respond(prompt, { response: hostile })).ok).toBe(true);
    await until(() => theirs.said.length === 1, 'the response came');
    expect(theirs.said[0]).toMatchObject({
      type: 'response',
      msg_id: 'q',
      response: hostile,
      hops: 1,
      sender_endpoint: ours.endpoint,
    });
  });
});
