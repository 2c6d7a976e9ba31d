// Catches a question with no outcome, with two, or one that the person or the asker is not told.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import type { World } from './support/world.ts';

const world = useWorld();

const events = (given: World, qid: string): string[] =>
  given.log().flatMap((entry) => (entry.qid === qid ? [entry.event] : []));
const logged = (given: World, qid: string, event: string) =>
  waitFor(`${event} of ${qid}`, () =>
    given.log().find((entry) => entry.qid === qid && entry.event === event),
  );
const texts = (given: World, count: number) =>
  waitFor(`${count} messages`, () => (given.sentTexts().length >= count ? given.sentTexts() : null));
const settled = (given: World, folder: 'closed' | 'undelivered', qid: string) =>
  waitFor(`${qid} to owe nothing in ${folder}/`, () => {
    if (!given.files(folder).includes(`${qid}.json`)) return null;
    const record = given.record(folder, qid);
    return JSON.stringify(record['owed']) === '[]' ? record : null;
  });

test('a timeout tells asker, person and log, and the question is closed [BRID-25 BRID-24]', async () => {
  const given = world();
  const bridge = await given.daemon(['--timeout', '400']);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  const response = await planner.response(qid);
  expect(response).toMatchObject({ msg_id: qid, response: null, error: 'no remote answer within 400ms' });
  // On a busy machine the time may be up before the question is sent, which then is not.
  const note = await waitFor('the note', () => given.sentTexts().find((text) => text.startsWith('⌛')));
  expect(note).toBe(`⌛ [HUB-Q:${qid}] The question timed out after 400ms.`);
  expect(await settled(given, 'closed', qid)).toMatchObject({
    state: 'timeout',
    outcome: { kind: 'timeout' },
  });
  // On a busy machine the time may be up before the delivery is known.
  expect(events(given, qid).filter((event) => event !== 'delivered')).toEqual([
    'question_received',
    'timeout',
  ]);
  expect((await bridge.card()).queue_depth).toBe(0);
});

test('the environment gives the default timeout, and a prompt’s own replaces it within --timeout [BRID-24]', async () => {
  const given = world();
  await given.daemon([], { env: { PI_COMS_TIMEOUT_MS: '300' } });
  await given.daemon(['--timeout', '500'], { name: 'bounded', env: { PI_COMS_TIMEOUT_MS: '300' } });
  const planner = await given.asker('planner');
  const fromEnv = await planner.ask('a?');
  const own = await planner.ask('b?', { replyTimeoutMs: 450 });
  const bounded = await planner.ask('c?', { to: 'bounded', replyTimeoutMs: 60_000 });
  expect((await planner.response(fromEnv)).error).toBe('no remote answer within 300ms');
  expect((await planner.response(own)).error).toBe('no remote answer within 450ms');
  expect((await planner.response(bounded)).error).toBe('no remote answer within 500ms');
});

test('a timeout above what one timer can wait does not fire at once [BRID-24]', async () => {
  const given = world();
  const bridge = await given.daemon(['--timeout', '3000000000']);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  await sleep(200);
  expect((await bridge.card()).queue_depth).toBe(1);
  await waitFor('its record', () => given.files('pending').includes(`${qid}.json`));
});

test('a cancel closes the question, tells the person, and sends the asker nothing [BRID-20 BRID-21]', async () => {
  const given = world();
  const bridge = await given.daemon();
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  await logged(given, qid, 'delivered');
  expect(await bridge.cancel(qid)).toMatchObject({ ok: true, reply: { type: 'ack' } });
  const sent = await texts(given, 2);
  expect(sent[1]).toBe(`✖ [HUB-Q:${qid}] The question was cancelled — it was answered from the console.`);
  expect(await settled(given, 'closed', qid)).toMatchObject({ state: 'cancelled' });
  expect(events(given, qid)).toEqual(['question_received', 'delivered', 'cancelled']);
  expect((await bridge.card()).queue_depth).toBe(0);
  expect(planner.responses).toEqual([]);
});

test('a cancel of nothing, of nonsense and of a closed question is acked and changes nothing [BRID-22]', async () => {
  const given = world();
  const bridge = await given.daemon();
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  // Else the log still gets the delivery of a question that was answered first.
  await logged(given, qid, 'delivered');
  given.answer(qid, 'yes');
  await planner.response(qid);
  await settled(given, 'closed', qid);
  await logged(given, qid, 'answered');
  const before = given.log();
  for (const ref of [qid, '01J9ZQ4V7N3K8M2R5T6W8X9Y0A', 'no qid', '../../etc'])
    expect(await bridge.cancel(ref)).toMatchObject({ ok: true, reply: { type: 'ack' } });
  await sleep(300);
  expect(given.log()).toEqual(before);
  expect(given.sentTexts()).toHaveLength(1);
});

test('a late answer is logged, removed and noted, also after a restart, and an identical one silently removed [BRID-23 DAEM-17]', async () => {
  const given = world();
  const first = await given.daemon();
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  await logged(given, qid, 'delivered');
  const body = given.answerBody(qid, 'yes');
  given.put(`${qid}.answer.json`, body);
  await planner.response(qid);
  await settled(given, 'closed', qid);
  await first.terminate();
  await given.daemon();

  given.put(`${qid}.answer.json`, body);
  await waitFor('the repeat to go', () => given.files('questions').length === 0);
  given.answer(qid, 'no, wait');
  await logged(given, qid, 'late_answer');
  const sent = await texts(given, 2);
  expect(sent[1]).toBe(`ℹ [HUB-Q:${qid}] This question is already closed; the late answer was ignored.`);
  expect(await settled(given, 'closed', qid)).toMatchObject({
    state: 'answered',
    outcome: { answer: { answer: 'yes' } },
  });
  expect(given.files('questions')).toEqual([]);
  expect(events(given, qid).filter((event) => event === 'late_answer')).toHaveLength(1);
  expect(planner.responses).toHaveLength(1);
  expect(given.sentTexts()).toHaveLength(2);
});

/** A hermes that hangs is ended after this; nothing else here needs to be fast. */
const hangMs = 700;
const failures: [what: string, behave: string | null, error: RegExp, ambiguous: boolean][] = [
  [
    'ends with an exit code',
    'echo "chat not found" >&2; exit 7',
    /^hermes send failed \(7\): chat not found$/,
    false,
  ],
  ['is killed', 'echo "half sent" >&2; kill -KILL $$', /^hermes send failed \(SIGKILL\): half sent$/, true],
  [
    'hangs',
    'echo "connecting" >&2; sleep 60',
    /^hermes send failed \(timeout after 700ms\): connecting$/,
    true,
  ],
  [
    'hangs and ignores being told',
    "trap '' TERM; while :; do sleep 1; done",
    /^hermes send failed \(timeout after 700ms\)$/,
    true,
  ],
  ['is missing', null, /^hermes send failed \(ENOENT\): .*PATH/, false],
  ['talks without end', 'yes x >&2', /^hermes send failed \(timeout after 700ms\): x\nx/, true],
];
test.each(failures)(
  'a hermes that %s is a delivery error with its words at once, never a timeout [DAEM-03 DAEM-23 BRID-26]',
  async (_what, behave, error, ambiguous) => {
    const given = world();
    const hangs = error.source.includes('timeout');
    const runMs = String(hangs ? hangMs : 20_000);
    const bridge = await given.daemon([], { env: { HERMES_SEND_TIMEOUT_MS: runMs } });
    if (behave === null) given.hermes.uninstall();
    else given.hermes.behave(behave);
    const planner = await given.asker('planner');
    let qid = await planner.ask('Go?');
    let response = await planner.response(qid);
    // On a busy machine it may be ended before it has said anything.
    while (
      hangs &&
      response.error === `hermes send failed (timeout after ${hangMs}ms)` &&
      !error.test(response.error)
    ) {
      qid = await planner.ask('Go?');
      response = await planner.response(qid);
    }
    expect(response.response).toBeNull();
    expect(response.error).toMatch(error);
    const record = await settled(given, 'closed', qid);
    expect(record).toMatchObject({ state: null, outcome: { kind: 'delivery_error', ambiguous } });
    expect(await logged(given, qid, 'delivery_error')).toMatchObject({
      detail: expect.stringMatching(error),
    });
    expect((await bridge.card()).queue_depth).toBe(0);
  },
);

test('a grandchild that holds the pipe open does not hold up the delivery [DAEM-03]', async () => {
  const given = world();
  await given.daemon([], { env: { HERMES_SEND_TIMEOUT_MS: '300000' } });
  const noted = join(given.root, 'grandchild');
  given.hermes.behave(`sleep 600 & echo $! >"${noted}.new"; mv "${noted}.new" "${noted}"; exit 0`);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  const grandchild = await waitFor('the grandchild', () =>
    existsSync(noted) ? Number(readFileSync(noted, 'utf8')) : null,
  );
  try {
    await logged(given, qid, 'delivered');
    expect(() => process.kill(grandchild, 0), 'it still runs').not.toThrow();
  } finally {
    process.kill(grandchild, 'SIGKILL');
  }
});

test('an answer to a question whose delivery failed is kept for a person to find, and status says so [DAEM-23]', async () => {
  const given = world();
  const bridge = await given.daemon();
  given.hermes.behave('kill -KILL $$');
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  await planner.response(qid);
  given.answer(qid, 'but I saw it');
  const record = await settled(given, 'undelivered', qid);
  expect(record).toMatchObject({ kept: { reason: 'delivery_error', answers: [{ answer: 'but I saw it' }] } });
  expect(given.files('questions')).toEqual([]);
  expect(given.files('closed')).toEqual([]);
  expect(await logged(given, qid, 'late_answer')).toMatchObject({ detail: { kept: 'delivery_error' } });
  await sleep(200);
  expect(planner.responses).toHaveLength(1);
  await waitFor('status to count it', async () => {
    const { bridge: card } = await bridge.card();
    return JSON.stringify(card).includes('"undelivered":1');
  });
});

test('slow deliveries hold up neither acks nor answers nor other questions’ outcomes [DAEM-03]', async () => {
  const given = world();
  await given.daemon();
  const go = join(given.root, 'go');
  given.hermes.behave(`while [ ! -e "${go}" ]; do sleep 0.05; done`);
  const planner = await given.asker('planner');
  const qids = await Promise.all(Array.from({ length: 12 }, (_, at) => planner.ask(`question ${at}?`)));
  const last = qids.at(-1) ?? '';
  given.answer(last, 'early');
  expect((await planner.response(last)).response).toEqual({ kind: 'freeform', text: 'early' });
  writeFileSync(go, '');
  // It waited for its turn when it was answered: nobody is asked any more.
  const others = qids.slice(0, -1);
  await Promise.all(others.map((qid) => logged(given, qid, 'delivered')));
  expect(given.sentTexts().filter((text) => text.includes(last))).toEqual([]);
});

test('prompts that cannot be asked are nacked with the reason, and asked of nobody [BRID-03 DAEM-16 DAEM-01]', async () => {
  const given = world();
  await given.daemon();
  const planner = await given.asker('planner');
  const nack = async (text: string, msgId?: string) => {
    const { sent } = await planner.prompt(text, msgId === undefined ? {} : { msgId });
    return sent.ok ? 'acked' : sent.message;
  };
  for (const msgId of ['x', '01j9zq4v7n3k8m2r5t6w8x9y0a', '550e8400-e29b-41d4-a716-446655440000'])
    expect(await nack('Go?', msgId)).toBe('prompt msg_id must be a 26-character Crockford ULID qid');
  const titles = JSON.stringify({
    question: 'Which?',
    options: Array.from({ length: 50 }, () => 't'.repeat(100)),
  });
  expect(await nack(titles)).toMatch(/option titles are too long .* by \d+/);
  const envelope = { ...planner.peer.prompt({ prompt: 'Go?' }), sender_endpoint: '/run/docker.sock' };
  const { send, lookUp } = await import('@x/coms-envelope/node');
  const found = lookUp(given.coms, 'default', 'user-remote');
  if (found.kind !== 'entry') throw new Error('no daemon');
  const outside = await send(given.coms, { endpoint: found.entry.endpoint, envelope });
  expect(outside.ok ? 'acked' : outside.message).toContain('sender_endpoint');
  await sleep(200);
  expect(given.hermes.runs()).toEqual([]);
  expect(given.files('pending')).toEqual([]);
});

test('a question with an answer to come at its deadline waits for the writer, and a NUL in it is no crash [DAEM-21]', async () => {
  const given = world();
  // With this poll interval a half-written file has 20 s to become whole.
  await given.daemon(['--timeout', '3000', '--poll-ms', '10000']);
  const planner = await given.asker('planner');
  const qid = await planner.ask('a\0b?');
  const body = given.answerBody(qid, 'in time');
  const path = join(given.questions, `${qid}.answer.json`);
  writeFileSync(path, body.slice(0, 20));
  await waitFor('its record', () => given.files('pending').includes(`${qid}.json`));
  const deadline = Date.parse(String(given.record('pending', qid)['deadline']));
  await sleep(Math.max(0, deadline - Date.now()) + 300);
  expect(planner.responses).toEqual([]);
  writeFileSync(path, body);
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'in time' });
  expect(given.sentTexts()[0]).toContain('a\uFFFDb?');
});
