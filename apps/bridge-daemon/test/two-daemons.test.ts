// Catches an answer that one daemon takes, rejects or removes although it belongs to another one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';

const world = useWorld();
const full = process.env['FULL'] === '1';

test(
  'two daemons on one questions folder, answers interleaved: none taken by the wrong one, none rejected [DAEM-14 BRID-12]',
  { timeout: 600_000 },
  async () => {
    const given = world();
    const each = full ? 500 : 40;
    await given.daemon(['--poll-ms', '100'], { project: 'docs' });
    await given.daemon(['--poll-ms', '100'], { project: 'code' });
    const askers = [
      await given.asker('planner', { project: 'docs' }),
      await given.asker('planner', { project: 'code' }),
    ];
    const asked: { asker: (typeof askers)[number]; qid: string }[] = [];
    for (let at = 0; at < each; at += 1)
      for (const asker of askers) asked.push({ asker, qid: await asker.ask(`question ${at}?`) });
    for (const { qid } of asked) given.answer(qid, `answer to ${qid}`);
    for (const { asker, qid } of asked)
      expect((await asker.response(qid)).response).toEqual({ kind: 'freeform', text: `answer to ${qid}` });
    await waitFor('all to be removed', () => given.files('questions').length === 0);
    expect(askers.map(({ responses }) => responses.length)).toEqual([each, each]);
    expect(given.log().filter(({ event }) => event === 'answered')).toHaveLength(2 * each);
    expect(given.log().filter(({ event }) => event === 'answer_rejected' || event === 'late_answer')).toEqual(
      [],
    );
  },
);

test('an answer for a daemon that is down is left alone, however long, and counts when it is back [DAEM-14]', async () => {
  const given = world();
  await given.daemon(['--poll-ms', '50'], { project: 'docs' });
  const code = await given.daemon([], { project: 'code' });
  const planner = await given.asker('planner', { project: 'code' });
  const qid = await planner.ask('Go?');
  await code.terminate('SIGKILL');
  given.answer(qid, 'yes');
  await sleep(1_500);
  expect(given.files('questions')).toEqual([`${qid}.answer.json`]);
  await given.daemon([], { project: 'code' });
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  expect(given.log().some(({ event }) => event === 'answer_rejected')).toBe(false);
});

test('a late answer to another daemon’s closed question is its own, and anybody’s once it is dead [DAEM-14 BRID-23]', async () => {
  const given = world();
  await given.daemon(['--poll-ms', '50'], { project: 'docs' });
  const code = await given.daemon(['--poll-ms', '5000'], { project: 'code' });
  const planner = await given.asker('planner', { project: 'code' });
  const qid = await planner.ask('Go?');
  given.answer(qid, 'yes');
  await planner.response(qid);
  await waitFor(
    'it to be settled',
    () =>
      given.files('closed').includes(`${qid}.json`) &&
      JSON.stringify(given.record('closed', qid)['owed']) === '[]',
  );
  code.child.kill('SIGSTOP');
  given.answer(qid, 'too late');
  await sleep(600);
  // Its daemon is alive, if slow: nobody else touches it.
  expect(given.files('questions')).toEqual([`${qid}.answer.json`]);
  await code.terminate('SIGKILL');
  await waitFor('the other daemon to take it', () =>
    given.log().some(({ event }) => event === 'late_answer'),
  );
  await waitFor('it to be removed', () => given.files('questions').length === 0);
  await waitFor('the person to be told', () =>
    given.sentTexts().some((text) => text.startsWith(`ℹ [HUB-Q:${qid}]`)),
  );
});

test('a record of a newer version, a damaged one and their answers are left alone and reported [DAEM-12 DAEM-14]', async () => {
  const given = world();
  const first = await given.daemon();
  const planner = await given.asker('planner');
  const newer = await planner.ask('newer?');
  const damaged = await planner.ask('damaged?');
  await waitFor('both records', () => given.files('pending').length === 2);
  await first.terminate('SIGKILL');
  const path = (qid: string) => join(given.state, 'pending', `${qid}.json`);
  const newerText = JSON.stringify({ ...given.record('pending', newer), v: 2, news: true });
  writeFileSync(path(newer), newerText);
  writeFileSync(path(damaged), '{"v":1,\n');
  const second = await given.daemon(['--poll-ms', '50']);
  for (const qid of [newer, damaged]) given.answer(qid, 'yes');
  await sleep(1_300);
  expect(given.files('questions')).toHaveLength(2);
  expect(given.files('pending')).toHaveLength(2);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(path(newer), 'utf8')).toBe(newerText);
  expect(second.stderr()).toContain('left alone');
  expect(second.stderr()).toContain('newer');
  expect(second.stderr()).toContain('damaged');
  expect((await planner.prompt('newer?', { msgId: newer })).sent).toMatchObject({ ok: false, code: 'NACK' });
});

test('a question of a daemon that went away is moved aside a day after its deadline, and what is said to it then is kept [DAEM-13]', async () => {
  const given = world();
  const code = await given.daemon([], { project: 'code' });
  const planner = await given.asker('planner', { project: 'code' });
  const old = await planner.ask('old?');
  const young = await planner.ask('young?');
  // The journal alone has them until they are put: other daemons look at files.
  await waitFor(
    'both to be put',
    () => given.log().filter(({ event }) => event === 'delivered').length === 2,
  );
  await code.terminate('SIGKILL');
  const day = 86_400_000;
  const overdue = (qid: string, byMs: number): void =>
    given.put(
      `${qid}.json`,
      JSON.stringify({
        ...given.record('pending', qid),
        deadline: new Date(Date.now() - byMs).toISOString(),
      }),
      join(given.state, 'pending'),
    );
  overdue(old, day + 1_000);
  overdue(young, day - 60_000);
  await given.daemon(['--poll-ms', '50'], { project: 'docs' });
  await waitFor('it to be moved', () => given.files('undelivered').includes(`${old}.json`));
  expect(given.files('pending')).toEqual([`${young}.json`]);
  given.answer(old, 'better late than never');
  await waitFor('it to be kept', () =>
    JSON.stringify(given.record('undelivered', old)).includes('better late than never'),
  );
});
