/**
 * The bugs these exist to catch: anything but the reply on stdout; an exit code 0 without a delivery; a reply lost
 * between two terminals; a name lost to a kill.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noPython, startPythonPeer } from '../../../tooling/src/fake-coms-peer/python-peer.ts';
import { coms, openPlace, startComs, startServe, until, type Json } from './command.ts';

/** One envelope to an endpoint, and what came back. */
function exchange(endpoint: string, envelope: Json): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(endpoint, () => socket.write(`${JSON.stringify(envelope)}\n`));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (answer.endsWith('\n')) socket.end();
    });
    socket.once('error', reject).once('close', () => resolve(JSON.parse(answer)));
  });
}

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;

describe('send --await', () => {
  test('prints the reply alone on stdout, everything else on stderr [COMS-15 COND-01]', async () => {
    const place = openPlace();
    await startServe(place, ['--name', 'bob'], (prompt) => `re: ${String(prompt['prompt'])}`);
    const ran = await coms(place, ['send', 'bob', 'їжак', '🙂', '--await', '--timeout', '20000']);
    expect(ran).toMatchObject({ code: 0, out: 're: їжак 🙂\n' });
    expect(ran.err).toMatch(/^coms: bob took the message \w{26}; waiting for the reply\n$/);
  });

  test('a reply that is no string is printed as JSON; --json wraps it [COMS-15]', async () => {
    const place = openPlace();
    await startServe(place, ['--name', 'bob'], () => ({ a: [1, null] }));
    expect((await coms(place, ['send', 'bob', 'x', '--await'])).out).toBe('{"a":[1,null]}\n');
    const json = JSON.parse((await coms(place, ['send', 'bob', 'x', '--await', '--json'])).out) as Json;
    expect(json).toEqual({ ok: true, msg_id: expect.stringMatching(ulid), response: { a: [1, null] } });
  });

  test('an error reply is "peer error: …", a missing one "timeout after <ms>ms", both exit 1 with an empty stdout [COMS-15]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    const slow = await coms(place, ['send', 'bob', 'x', '--await', '--timeout', '300']);
    expect([slow.code, slow.out, slow.err.split('\n').at(-2)]).toEqual([1, '', 'timeout after 300ms']);
    const failing = coms(place, ['send', 'bob', 'y', '--await']);
    await until(() => serve.lines.length === 2, 'the prompt was printed');
    serve.write({ msg_id: serve.lines[1]?.['msg_id'], error: 'no idea' });
    const failed = await failing;
    expect([failed.code, failed.out, failed.err.split('\n').at(-2)]).toEqual([1, '', 'peer error: no idea']);
  });

  test('says why nothing was sent: nobody of that name, a dead peer, hops, a text too long [COMS-15 COMS-08 COMS-02]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    expect(await coms(place, ['send', 'eve', 'x', '--await'])).toMatchObject({
      code: 1,
      out: '',
      err: 'coms: no peer "eve" in project default (registered there: bob)\n',
    });
    const hops = await coms(place, ['send', 'bob', 'x', '--await', '--hops', '6']);
    expect([hops.code, hops.err]).toEqual([
      1,
      'coms: bob refused the message: hops 6 exceeds the maximum of 5\n',
    ]);
    const long = await coms(place, ['send', 'bob', '-', '--await'], 'x'.repeat(70_000));
    expect([long.code, long.err]).toEqual([1, expect.stringContaining('a line holds at most 65536')]);
    await serve.end('SIGKILL');
    const dead = await coms(place, ['send', 'bob', 'x', '--await', '--json']);
    expect([dead.code, JSON.parse(dead.out)]).toEqual([
      1,
      expect.objectContaining({ ok: false, code: 'PEER_DEAD' }),
    ]);
    expect(readdirSync(join(place.root, 'cli/projects/default/cli/pending'))).toEqual([]);
  });

  test('Ctrl-C tidies up: no entry, no socket, no record stays, and the exit code is 130', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    const { spawn } = await import('node:child_process');
    const { main } = await import('./command.ts');
    const child = spawn(process.execPath, [main, 'send', 'bob', 'x', '--await'], {
      env: place.env,
      stdio: 'ignore',
    });
    await until(() => serve.lines.length === 1, 'the prompt was printed');
    const code = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await code).toBe(130);
    expect(readdirSync(join(place.root, 'projects/default/agents'))).toEqual(['bob.json']);
    expect(readdirSync(join(place.root, 'sockets'))).toHaveLength(1);
    expect(readdirSync(join(place.root, 'cli/projects/default/cli/pending'))).toEqual([]);
  });
});

describe('send, then await', () => {
  test('leaves a waiter that spools; the reply comes from the file, as often as it is asked for [COMS-16 COMS-17]', async () => {
    const place = openPlace({ COMS_CLI_PROJECT: 'docs', COMS_CLI_NAME: 'me' });
    const serve = await startServe(place, ['--name', 'bob']);
    const sent = await coms(place, ['send', 'bob', 'do', 'it']);
    const msgId = sent.out.trim();
    expect([sent.code, msgId]).toEqual([0, expect.stringMatching(ulid)]);
    const spool = join(place.root, 'cli/projects/docs/me');
    expect(JSON.parse(readFileSync(join(spool, 'pending', `${msgId}.json`), 'utf8'))).toMatchObject({
      msg_id: msgId,
      to: { name: 'bob' },
    });
    expect(serve.lines[0]).toMatchObject({
      type: 'prompt',
      msg_id: msgId,
      prompt: 'do it',
      sender_name: 'me',
    });
    expect(statSync(join(spool, 'pending', `${msgId}.json`)).mode & 0o777).toBe(0o600);
    const waiting = coms(place, ['await', msgId, '--timeout', '20000']);
    serve.write({ msg_id: msgId, response: 'done' });
    expect(await waiting).toEqual({ code: 0, out: 'done\n', err: '' });
    expect(await coms(place, ['await', msgId])).toEqual({ code: 0, out: 'done\n', err: '' });
    expect(JSON.parse(readFileSync(join(spool, 'responses', `${msgId}.json`), 'utf8'))).toMatchObject({
      type: 'response',
      msg_id: msgId,
      response: 'done',
    });
    await until(() => readdirSync(join(spool, 'pending')).length === 0, 'the waiter has tidied up');
    await until(() => !existsSync(join(place.root, 'projects/docs/agents/me.json')), 'the waiter is gone');
  });

  test('another name and project find the message too; an unknown id and a killed waiter are said [COMS-16]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    const msgId = (await coms(place, ['send', 'bob', 'x', '--name', 'one'])).out.trim();
    const early = await coms(place, ['await', msgId, '--name', 'two', '--timeout', '100']);
    expect([early.code, early.out, early.err]).toEqual([1, '', 'timeout after 100ms\n']);
    expect(await coms(place, ['await', '01ARZ3NDEKTSV4RRFFQ69G5FAV'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no message 01ARZ'),
    });
    const record = JSON.parse(
      readFileSync(join(place.root, `cli/projects/default/one/pending/${msgId}.json`), 'utf8'),
    ) as { waiter: { pid: number } };
    process.kill(record.waiter.pid, 'SIGKILL');
    const orphan = await coms(place, ['await', msgId]);
    expect([orphan.code, orphan.err]).toEqual([1, expect.stringContaining(`coms send --msg-id ${msgId}`)]);
    // Asked again under the same id, as it said: the same prompt is not shown twice, and its answer arrives.
    expect((await coms(place, ['send', 'bob', 'x', '--name', 'one', '--msg-id', msgId])).code).toBe(0);
    expect(serve.lines).toHaveLength(1);
    serve.write({ msg_id: msgId, response: 'late' });
    expect((await coms(place, ['await', msgId])).out).toBe('late\n');
  });

  test('the exit code of send is that of the delivery: a refusal leaves no waiter and no record [COMS-15 COMS-17]', async () => {
    const place = openPlace();
    await startServe(place, ['--name', 'bob']);
    const refused = await coms(place, ['send', 'bob', 'x', '--hops', '9']);
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringContaining('hops 9')]);
    expect(readdirSync(join(place.root, 'cli/projects/default/cli/pending'))).toEqual([]);
  });

  test('a waiter whose time is over records it, and await says so [COMS-17]', async () => {
    const place = openPlace();
    await startServe(place, ['--name', 'bob']);
    const msgId = (await coms(place, ['send', 'bob', 'x', '--timeout', '200'])).out.trim();
    const ran = await coms(place, ['await', msgId]);
    expect([ran.code, ran.out, ran.err]).toEqual([1, '', 'timeout after 200ms\n']);
  });
});

describe('reply, serve and cancel', () => {
  test('a prompt that serve received is answered from another terminal, by words or by stdin [COMS-16]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    const first = coms(place, ['send', 'bob', 'one', '--await']);
    await until(() => serve.lines.length === 1, 'one');
    const id = String(serve.lines[0]?.['msg_id']);
    expect(await coms(place, ['reply', id, 'by', 'words'])).toMatchObject({ code: 0, out: '' });
    expect((await first).out).toBe('by words\n');
    expect(await coms(place, ['reply', id, 'again'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open'),
    });
    const second = coms(place, ['send', 'bob', 'two', '--await']);
    await until(() => serve.lines.length === 2, 'two');
    expect((await coms(place, ['reply', String(serve.lines[1]?.['msg_id'])], 'line 1\nline 2\n')).code).toBe(
      0,
    );
    expect((await second).out).toBe('line 1\nline 2\n');
  });

  test('lines that are no reply are told on stderr and cost nothing [COMS-16]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    for (const line of [null, 42, [], {}, { msg_id: 'x' }, { msg_id: 'unknown', response: 1 }])
      serve.write(line);
    await until(() => serve.err().includes('unknown'), 'all were read');
    const asked = coms(place, ['send', 'bob', 'x', '--await']);
    await until(() => serve.lines.length === 1, 'the prompt');
    serve.write({ msg_id: serve.lines[0]?.['msg_id'], response: null });
    expect(await asked).toMatchObject({ code: 0, out: 'null\n' });
  });

  test('what was open when serve was killed is printed again at its next start, under its old name [COMS-16 COMS-11]', async () => {
    const place = openPlace();
    const killed = await startServe(place, ['--name', 'bob']);
    const asked = startComs(place, ['send', 'bob', 'x', '--await']);
    await until(() => killed.lines.length === 1, 'the prompt');
    // It is printed before it is acked, and a message that nobody acked is not waited for.
    await until(() => asked.err().includes('bob took the message'), 'the ack');
    await killed.end('SIGKILL');
    const again = await startServe(place, ['--name', 'bob', '--no-suffix'], () => 'after all');
    expect(again.err()).toContain('serving as bob in');
    expect((await asked.ended).out).toBe('after all\n');
    expect(again.lines).toEqual(killed.lines);
    expect(await again.end('SIGTERM')).toBe(0);
    expect(readdirSync(join(place.root, 'sockets'))).toEqual([]);
    expect(readdirSync(join(place.root, 'projects/default/agents'))).toEqual([]);
  });

  test('ids of other tools that are no file names share no file, and their prompts are printed again, too [COMS-16]', async () => {
    const place = openPlace();
    const killed = await startServe(place, ['--name', 'bob']);
    const listed = JSON.parse((await coms(place, ['list', '--json'])).out) as { endpoint: string }[];
    const endpoint = String(listed[0]?.endpoint);
    const ids = ['a/b', `${'long '.repeat(60)}1`, `${'long '.repeat(60)}2`];
    for (const msg_id of ids) {
      const prompt = { type: 'prompt', msg_id, prompt: 'x', sender_endpoint: endpoint, hops: 0 };
      expect(await exchange(endpoint, prompt)).toEqual({ type: 'ack', msg_id });
    }
    const idsOf = (lines: Json[]): string[] => lines.map((line) => String(line['msg_id'])).toSorted();
    await until(() => killed.lines.length === ids.length, 'the prompts');
    expect(JSON.parse((await coms(place, ['ping', 'bob', '--json'])).out)).toMatchObject({
      agent_card: { queue_depth: ids.length },
    });
    await killed.end('SIGKILL');
    const again = await startServe(place, ['--name', 'bob']);
    await until(() => again.lines.length === ids.length, 'the prompts again');
    expect(idsOf(again.lines)).toEqual(ids.toSorted());
  });

  test('a peer’s error keeps its lines and writes no escapes into a terminal [COMS-15]', async () => {
    const place = openPlace();
    const bob = await startServe(place, ['--name', 'bob']);
    const asked = coms(place, ['send', 'bob', 'x', '--await']);
    await until(() => bob.lines.length === 1, 'the prompt');
    bob.write({ msg_id: bob.lines[0]?.['msg_id'], error: 'no\n\u001b[2Jroute' });
    expect((await asked).err).toContain('peer error: no\n [2Jroute\n');
  });

  test('serve goes on when its stdin ends, and refuses a taken name with --no-suffix [COMS-16 COMS-11]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    serve.child.stdin?.end();
    expect((await coms(place, ['ping', 'bob', '--json'])).code).toBe(0);
    const refused = await coms(place, ['serve', '--name', 'bob', '--no-suffix']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/the name bob is taken by session \w+, process \d+/),
    ]);
    expect((await startServe(place, ['--name', 'bob'])).err()).toContain('serving as bob2');
  });

  test('cancel tells the peer and ends the wait, here and in another terminal [COMS-16 BRID-20]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob']);
    const waiting = coms(place, ['send', 'bob', 'x', '--await']);
    await until(() => serve.lines.length === 1, 'the prompt');
    const id = String(serve.lines[0]?.['msg_id']);
    expect(await coms(place, ['cancel', id])).toMatchObject({ code: 0, out: '' });
    const ended = await waiting;
    expect([ended.code, ended.err.split('\n').at(-2)]).toEqual([1, 'peer error: cancelled by the sender']);
    await until(() => serve.lines.length === 2, 'the cancel was printed');
    expect(serve.lines[1]).toEqual({
      type: 'cancel',
      msg_id: expect.stringMatching(ulid),
      from: 'cli',
      to: 'bob',
      created_at: expect.any(String),
      ref_msg_id: id,
    });
    expect((await coms(place, ['cancel', id])).code).toBe(1);
    const left = (await coms(place, ['send', 'bob', 'y'])).out.trim();
    await coms(place, ['cancel', left]);
    expect(await coms(place, ['await', left])).toMatchObject({
      code: 1,
      err: 'peer error: cancelled by the sender\n',
    });
  });
});

describe('ask, ping, list', () => {
  test('ask sends a structured question to user-remote and prints the answer in words [COMS-16 COMS-07]', async () => {
    const place = openPlace();
    const answers: unknown[] = [
      { kind: 'selection', selections: ['yes'] },
      { kind: 'freeform', text: 'wait' },
    ];
    const serve = await startServe(place, ['--name', 'user-remote'], () => answers.shift());
    const args = ['ask', 'Deploy', 'now?', '--option', 'yes', '--option', 'no, wait', '--context', 'c'];
    expect(await coms(place, args)).toMatchObject({ code: 0, out: 'yes\n' });
    expect(JSON.parse(String(serve.lines[0]?.['prompt']))).toEqual({
      question: 'Deploy now?',
      context: 'c',
      options: ['yes', 'no, wait'],
    });
    expect(serve.lines[0]?.['msg_id']).toMatch(ulid);
    const left = await coms(place, ['ask', 'Sure?', '--no-await']);
    expect((await coms(place, ['await', left.out.trim(), '--json'])).out).toContain(
      '"response":{"kind":"freeform","text":"wait"}',
    );
  });

  test('list shows live peers, hides the hidden ones, and prints entries as JSON [COMS-15 COMS-10 COND-01]', async () => {
    const place = openPlace();
    expect(await coms(place, ['list'])).toEqual({
      code: 0,
      out: '',
      err: 'coms: no live peers in project default\n',
    });
    expect(existsSync(place.root)).toBe(false);
    await startServe(place, ['--name', 'bob', '--purpose', 'tests\u001b[31m red\nnext', '--model', 'm1']);
    await startServe(place, ['--name', 'shy', '--explicit']);
    await startServe(place, ['--name', 'amy', '--project', 'docs']);
    const table = (await coms(place, ['list'])).out;
    expect(table).toMatch(
      /^NAME {2}MODEL {2}CONTEXT {2}QUEUE {2}UP {2,3}PURPOSE\nbob {3}m1 .* tests \[31m red next\n$/,
    );
    const all = JSON.parse((await coms(place, ['list', '--all', '--json'])).out) as Json[];
    expect(all.map((entry) => [entry['project'], entry['name'], entry['explicit']])).toEqual([
      ['default', 'bob', false],
      ['default', 'shy', true],
    ]);
    expect((await coms(place, ['list', '--project', '*'])).out).toMatch(
      /\nbob {3}default [\s\S]*\namy {3}docs /,
    );
    expect((await coms(place, ['list', '--project', 'docs', '--json'])).out).toContain('"name":"amy"');
  });

  test('ping prints the card; nobody there is exit 1 [COMS-16 COMS-06]', async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob', '--color', 'red']);
    const card = JSON.parse((await coms(place, ['ping', 'bob', '--json'])).out) as Json;
    expect(card['agent_card']).toMatchObject({ name: 'bob', color: 'red', queue_depth: 0 });
    const sent = await coms(place, ['send', 'bob', 'x']);
    expect(sent.code).toBe(0);
    expect((await coms(place, ['ping', 'bob'])).out).toContain('  queue_depth: 1\n');
    await serve.end('SIGKILL');
    expect(await coms(place, ['ping', 'bob'])).toMatchObject({ code: 1, out: '' });
  });
});

describe.skipIf(noPython !== '')(`with a peer in Python${noPython && ` (skipped: ${noPython})`}`, () => {
  test('list, ping, send --await, an error, a refusal [COMS-15 COND-01]', async () => {
    const place = openPlace();
    mkdirSync(place.root, { mode: 0o700 });
    await startPythonPeer(place.root, 'snake');
    expect((await coms(place, ['list'])).out).toContain('snake');
    expect((await coms(place, ['ping', 'snake'])).out).toContain('status: fine');
    expect(await coms(place, ['send', 'snake', 'їжак\u2028🙂', '--await'])).toMatchObject({
      code: 0,
      out: '{"echo":"їжак\u2028🙂"}\n',
    });
    expect((await coms(place, ['send', 'snake', 'error:no', '--await'])).err).toContain('peer error: no\n');
    expect(await coms(place, ['send', 'snake', 'nack:no', '--await'])).toMatchObject({
      code: 1,
      err: 'coms: snake refused the message: no\n',
    });
  });
});
