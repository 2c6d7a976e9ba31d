// Catches an answer lost because its asker was away, given to somebody else, or held up by another asker.
import { createServer, type Server } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '@x/coms-envelope/node';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';

const world = useWorld();

test('a prompt repeated with the same content is acked and asked once, also over a restart [DAEM-16]', async () => {
  const given = world();
  const first = await given.daemon();
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  await planner.ask('Go?', { msgId: qid });
  await waitFor('the delivery', () => given.log().some(({ event }) => event === 'delivered'));
  await first.terminate();
  await given.daemon();
  await planner.ask('Go?', { msgId: qid });
  await sleep(300);
  expect(given.hermes.runs()).toHaveLength(1);
  given.answer(qid, 'yes');
  const response = await planner.response(qid);
  await planner.peer.close();
  // Closed now: the recorded outcome again, with the same bytes.
  const again = await given.asker('planner');
  await again.ask('Go?', { msgId: qid });
  expect(await again.response(qid)).toEqual(response);
  expect(given.hermes.runs()).toHaveLength(1);
});

test('the same msg_id with other content or from another sender is nacked and changes nothing [DAEM-16]', async () => {
  const given = world();
  await given.daemon();
  const planner = await given.asker('planner');
  const thief = await given.asker('thief');
  const movedIn = await given.asker('planner', { cwd: '/elsewhere' });
  const qid = await planner.ask('Go?');
  const refusals = await Promise.all([
    planner.prompt('Stop?', { msgId: qid }),
    thief.prompt('Go?', { msgId: qid }),
    movedIn.prompt('Go?', { msgId: qid }),
  ]);
  for (const { sent } of refusals) expect(sent).toMatchObject({ ok: false, code: 'NACK' });
  given.answer(qid, 'yes');
  await planner.response(qid);
  expect(thief.responses).toEqual([]);
  expect(movedIn.responses).toEqual([]);
});

test('a restarted asker repeats its question, is not asked again, and gets the answer at its newest endpoint [DAEM-20]', async () => {
  const given = world();
  await given.daemon();
  const old = await given.asker('planner');
  const qid = await old.ask('Go?');
  await waitFor('the delivery', () => given.log().some(({ event }) => event === 'delivered'));
  await old.peer.close();
  const restarted = await given.asker('planner');
  await restarted.ask('Go?', { msgId: qid });
  given.answer(qid, 'yes');
  expect((await restarted.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  expect(given.hermes.runs()).toHaveLength(1);
});

test('an asker that is away for a while gets its answer when it is back, even without asking again [DAEM-13 DAEM-20]', async () => {
  const given = world();
  await given.daemon();
  const old = await given.asker('planner');
  const qid = await old.ask('Go?');
  await old.peer.close();
  given.answer(qid, 'yes');
  await waitFor('the answer to be taken', () => given.log().some(({ event }) => event === 'answered'));
  await sleep(300);
  const back = await given.asker('planner');
  expect((await back.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  await waitFor('it to be settled', () => JSON.stringify(given.record('closed', qid)['owed']) === '[]');
});

test('an answer whose asker is away for good is kept in undelivered/, logged, and given when it asks again [DAEM-13 DAEM-05]', async () => {
  const given = world();
  // Long enough to be answered in time on a busy machine.
  const bridge = await given.daemon(['--timeout', '4000']);
  const old = await given.asker('planner');
  const qid = await old.ask('Go?');
  await old.peer.close();
  given.answer(qid, 'too good to lose');
  await waitFor('it to be kept', () => given.files('undelivered').includes(`${qid}.json`));
  expect(given.record('undelivered', qid)).toMatchObject({
    state: 'answered',
    kept: { reason: 'asker_unreachable' },
    outcome: { answer: { answer: 'too good to lose' } },
  });
  await waitFor('it to be logged', () =>
    given
      .log()
      .some(
        ({ event, detail }) =>
          event === 'late_answer' && JSON.stringify(detail).includes('asker_unreachable'),
      ),
  );
  await waitFor('status to say it', async () =>
    JSON.stringify((await bridge.card()).bridge).includes('"undelivered":1'),
  );
  const back = await given.asker('planner');
  await back.ask('Go?', { msgId: qid });
  expect((await back.response(qid)).response).toEqual({ kind: 'freeform', text: 'too good to lose' });
  await waitFor('it to be closed', () => given.files('closed').includes(`${qid}.json`));
  expect(given.files('undelivered')).toEqual([]);
});

test('an asker that never acks holds up nobody else [DAEM-13]', async () => {
  const given = world();
  await given.daemon();
  const planner = await given.asker('planner');
  // Takes connections and says nothing.
  mkdirSync(join(given.comsDir, 'sockets'), { recursive: true });
  const endpoint = join(given.comsDir, 'sockets', 'silent.sock');
  let taken = 0;
  const silent: Server = createServer(() => void (taken += 1));
  await new Promise<void>((resolve) => silent.listen(endpoint, resolve));
  try {
    const target = await waitFor('the daemon', async () => {
      const { lookUp } = await import('@x/coms-envelope/node');
      const found = lookUp(given.coms, 'default', 'user-remote');
      return found.kind === 'entry' ? found.entry.endpoint : null;
    });
    const mute = Array.from({ length: 40 }, () => ({
      ...planner.peer.prompt({ prompt: 'mute?' }),
      sender_name: 'mute',
      sender_endpoint: endpoint,
    }));
    for (const envelope of mute)
      expect(await send(given.coms, { endpoint: target, envelope })).toMatchObject({ ok: true });
    for (const { msg_id: qid } of mute) given.answer(qid, 'hello?');
    await waitFor(
      'all to be taken',
      () => given.log().filter(({ event }) => event === 'answered').length === mute.length,
    );
    const qid = await planner.ask('Go?');
    given.answer(qid, 'yes');
    expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
    // Few silent ones are tried at once, for 5 s each: had it waited for its turn, all would have been.
    expect(taken).toBeLessThan(mute.length);
  } finally {
    silent.close();
  }
});

test('answers of 63, 70 and 200 KiB reach a real coms send --await: whole while they fit, else cut with the file named [DAEM-13]', async () => {
  const given = world();
  await given.daemon();
  const long = async (kib: number) => {
    const asking = given.comsCommand([
      'send',
      'user-remote',
      `${kib} KiB?`,
      '--await',
      '--name',
      `cli${kib}`,
    ]);
    const qid = await waitFor('the question', () => {
      const found = given
        .files('pending')
        .find((file) =>
          JSON.stringify(given.record('pending', file.replace('.json', ''))['question']).includes(
            `"${kib} KiB?"`,
          ),
        );
      return found?.replace('.json', '');
    });
    const text = `${'слово 🙂 '.repeat(20)}${'x'.repeat(kib * 1024 - 500)}`;
    given.answer(qid, text);
    expect(await asking.ended).toBe(0);
    return { qid, text, printed: asking.stdout().replace(/\n$/, '') };
  };
  const small = await long(63);
  expect(small.printed).toContain(small.text);
  for (const kib of [70, 200]) {
    const { qid, text, printed } = await long(kib);
    const file = join(given.state, 'undelivered', `${qid}.json`);
    expect(printed).toContain(`… [cut: the whole answer is in ${file}]`);
    expect(printed.length).toBeGreaterThan(64_000);
    expect(printed.length).toBeLessThan(65_536);
    await waitFor('it to be settled', () => given.files('undelivered').includes(`${qid}.json`));
    expect(given.record('undelivered', qid)).toMatchObject({
      outcome: { answer: { answer: text } },
      kept: { reason: 'too_long' },
    });
  }
  expect(given.files('undelivered')).toHaveLength(2);
});
