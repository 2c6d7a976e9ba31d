// Catches an answer thrown away that was good or might become good, and a file that hangs or floods the daemon.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import { comsScript, daemonScript, type World } from './support/world.ts';

const world = useWorld();
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const stranger = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';

const rejection = (given: World, file: string) =>
  given
    .log()
    .find(
      ({ event, detail }) =>
        event === 'answer_rejected' && JSON.stringify(detail).includes(JSON.stringify(file)),
    );
const rejected = (given: World, file: string) =>
  waitFor(`${file} to be rejected`, () => rejection(given, file));
const gone = (given: World, file: string) =>
  waitFor(`${file} to be removed`, () => !existsSync(join(given.questions, file)));

/** An open question whose asker counts what it gets. */
const open = async (given: World, flags: string[] = []) => {
  const bridge = await given.daemon(['--poll-ms', '100', ...flags]);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  return { bridge, planner, qid, file: `${qid}.answer.json` };
};

test('each of the six reasons is given, logged once, and its file removed, with nothing sent [BRID-10 BRID-11 BRID-12 BRID-13 BRID-14 BRID-15 BRID-16]', async () => {
  const given = world();
  const { planner, qid } = await open(given);
  const second = await planner.ask('And this?');
  const third = await planner.ask('And that?');
  given.put('notes.txt', given.answerBody(qid, 'x'));
  given.put(`${qid.toLowerCase()}.answer.json`, given.answerBody(qid, 'x'));
  given.put(`${stranger}.answer.json`, given.answerBody(stranger, 'x'));
  given.put(`${qid}.answer.json`, '{"qid":');
  given.put(`${second}.answer.json`, given.answerBody(second, 'x', { at: 'yesterday' }));
  given.put(`${third}.answer.json`, given.answerBody(qid, 'x'));
  const expected = {
    'notes.txt': 'invalid_path',
    [`${qid.toLowerCase()}.answer.json`]: 'invalid_qid',
    [`${stranger}.answer.json`]: 'foreign_qid',
    [`${qid}.answer.json`]: 'invalid_json',
    [`${second}.answer.json`]: 'invalid_schema',
    [`${third}.answer.json`]: 'qid_mismatch',
  };
  for (const [file, reason] of Object.entries(expected)) {
    expect((await rejected(given, file)).detail).toMatchObject({ reason, file });
    await gone(given, file);
  }
  expect(given.log().filter(({ event }) => event === 'answer_rejected')).toHaveLength(6);
  expect(planner.responses).toEqual([]);
  // All three are still open: a good answer counts.
  for (const each of [qid, second, third]) given.answer(each, 'now');
  for (const each of [qid, second, third])
    expect((await planner.response(each)).response).toEqual({ kind: 'freeform', text: 'now' });
});

test('a half-written answer is left alone for the grace window and taken the moment it is whole [BRID-13 DAEM-11]', async () => {
  const given = world();
  // With this poll interval only the watcher can be quick, and grace is 20 s.
  const bridge = await given.daemon(['--poll-ms', '10000']);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  const body = given.answerBody(qid, 'їжак 🙂');
  const path = join(given.questions, `${qid}.answer.json`);
  const bytes = Buffer.from(body);
  // In the middle of a character: first not UTF-8, then not JSON, then whole.
  const cut = bytes.indexOf(Buffer.from('🙂')) + 2;
  writeFileSync(path, bytes.subarray(0, cut));
  await sleep(300);
  writeFileSync(path, bytes.subarray(0, cut + 5));
  await sleep(300);
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, bytes);
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'їжак 🙂' });
  expect(given.log().some(({ event }) => event === 'answer_rejected')).toBe(false);
  expect(await bridge.terminate()).toBe(0);
});

test('grace counts from first sighting: one second at least, and not forever [BRID-13 BRID-10]', async () => {
  const given = world();
  const { file } = await open(given);
  const temporary = `.${file}.tmp`;
  const before = Date.now();
  writeFileSync(join(given.questions, file), '');
  writeFileSync(join(given.questions, temporary), 'half');
  for (const name of [file, temporary]) {
    const entry = await rejected(given, name);
    expect(Date.parse(entry.at) - before).toBeGreaterThanOrEqual(1000);
  }
});

test('a writer’s temporary file beside the answers is left alone, and counts once it is renamed [BRID-10]', async () => {
  const given = world();
  // With this poll interval only the watcher can be quick, and grace is 20 s.
  await given.daemon(['--poll-ms', '10000']);
  const planner = await given.asker('planner');
  const qid = await planner.ask('Go?');
  const file = `${qid}.answer.json`;
  const temporary = join(given.questions, `${file}.part`);
  writeFileSync(temporary, given.answerBody(qid, 'yes'));
  await sleep(400);
  renameSync(temporary, join(given.questions, file));
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'yes' });
  expect(given.log().some(({ event }) => event === 'answer_rejected')).toBe(false);
});

test('links, FIFOs, folders, devices and files of others are invalid paths: never opened, never followed [DAEM-15]', async () => {
  const given = world();
  const { planner, qid } = await open(given);
  const qids = [qid];
  for (let more = 0; more < 5; more += 1) qids.push(await planner.ask(`question ${more}?`));
  const [link = '', dangling = '', fifo = '', empty = '', full = '', device = ''] = qids.map(
    (each) => `${each}.answer.json`,
  );
  const at = (file: string) => join(given.questions, file);
  const secret = join(given.root, 'secret.json');
  writeFileSync(secret, given.answerBody(qid, 'stolen'));
  symlinkSync(secret, at(link));
  symlinkSync(join(given.root, 'nowhere'), at(dangling));
  execFileSync('mkfifo', [at(fifo)]);
  mkdirSync(at(empty));
  // Filled before it has its name: the daemon removes an empty folder as soon as it sees one.
  const filled = join(given.root, 'filled');
  mkdirSync(filled);
  writeFileSync(join(filled, 'precious'), 'keep');
  renameSync(filled, at(full));
  if (isRoot) execFileSync('mknod', [at(device), 'c', '1', '5']);
  else symlinkSync('/dev/zero', at(device));
  for (const file of [link, dangling, fifo, empty, full, device]) {
    expect((await rejected(given, file)).detail, file).toMatchObject({ reason: 'invalid_path' });
    if (file !== full) await gone(given, file);
  }
  expect(readFileSync(secret, 'utf8')).toContain('stolen');
  // A folder that is not empty stays, with what is in it, and is reported once.
  await sleep(500);
  expect(readFileSync(join(at(full), 'precious'), 'utf8')).toBe('keep');
  writeFileSync(join(at(full), 'more'), 'x');
  await sleep(300);
  expect(given.log().filter(({ detail }) => JSON.stringify(detail)?.includes(full))).toHaveLength(1);
  expect(planner.responses).toEqual([]);
  // None of it kept the daemon from working.
  given.answer(qid, 'fine');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'fine' });
});

// Only root can make a file that belongs to somebody else.
test.runIf(isRoot)('an answer file of another user is an invalid path [DAEM-15]', async () => {
  const given = world();
  const { file, qid, planner } = await open(given);
  const prepared = join(given.root, 'theirs');
  writeFileSync(prepared, given.answerBody(qid, 'forged'));
  chownSync(prepared, nobody, nobody);
  renameSync(prepared, join(given.questions, file));
  expect((await rejected(given, file)).detail).toMatchObject({ reason: 'invalid_path' });
  await gone(given, file);
  expect(planner.responses).toEqual([]);
});

test('100 MB, one byte too many, bytes that are no UTF-8: an invalid schema; a BOM is skipped; exactly 1 MiB counts [DAEM-15 BRID-14]', async () => {
  const given = world();
  const { bridge, planner, qid } = await open(given);
  const huge = await planner.ask('huge?');
  const over = await planner.ask('one byte over?');
  const latin = await planner.ask('latin?');
  const marked = await planner.ask('with a mark?');
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${bridge.child.pid}/status`, 'utf8'))?.[1] ?? 0);
  const measured = existsSync(`/proc/${bridge.child.pid}/status`);
  const before = measured ? rss() : 0;
  const prepared = join(given.root, 'huge');
  writeFileSync(prepared, '{');
  truncateSync(prepared, 100 * 1024 * 1024);
  renameSync(prepared, join(given.questions, `${huge}.answer.json`));
  expect((await rejected(given, `${huge}.answer.json`)).detail).toMatchObject({ reason: 'invalid_schema' });
  if (measured) expect(rss() - before).toBeLessThan(50_000);

  const padded = (of: string, bytes: number) => {
    const body = given.answerBody(of, '');
    return given.answerBody(of, 'x'.repeat(bytes - Buffer.byteLength(body)));
  };
  given.put(`${over}.answer.json`, padded(over, 1_048_577));
  expect((await rejected(given, `${over}.answer.json`)).detail).toMatchObject({ reason: 'invalid_schema' });
  given.put(`${latin}.answer.json`, Buffer.from(given.answerBody(latin, 'caf\u00e9'), 'latin1'));
  expect((await rejected(given, `${latin}.answer.json`)).detail).toMatchObject({ reason: 'invalid_schema' });
  given.put(`${marked}.answer.json`, `\uFEFF${given.answerBody(marked, 'yes')}`);
  expect((await planner.response(marked)).response).toEqual({ kind: 'freeform', text: 'yes' });
  given.put(`${qid}.answer.json`, padded(qid, 1_048_576));
  expect((await planner.response(qid)).response).toMatchObject({ kind: 'freeform' });
});

test('names with line breaks, quotes and escapes cannot break the log, and none ends the daemon [BRID-28 BRID-11]', async () => {
  const given = world();
  const { planner, qid } = await open(given);
  const names = [
    'a\nb.answer.json',
    '"},{.answer.json',
    '\u001b[31m.answer.json',
    `${'x'.repeat(240)}.answer.json`,
    '.answer.json',
    'null',
  ];
  for (const name of names) given.put(name, 'null');
  for (const name of names) await gone(given, name);
  // Every line parses, and each names its file.
  for (const name of names) expect(rejection(given, name)?.detail).toMatchObject({ file: name });
  given.answer(qid, 'still here');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'still here' });
});

test('another answer written while the first is being rejected is not lost with it [BRID-16 DAEM-17]', async () => {
  const given = world();
  const { planner, qid, file } = await open(given);
  for (let round = 0; round < 30; round += 1) {
    given.put(file, given.answerBody(qid, 'x', { at: 'never' }));
    if (round === 29) given.answer(qid, 'the good one');
    await sleep(round % 3);
  }
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'the good one' });
});

test('an answer that cannot be read is said once and taken when it can be, by a daemon that is not root [DAEM-15 DAEM-11]', async () => {
  const given = world();
  const uid = isRoot ? nobody : undefined;
  if (uid !== undefined)
    for (const path of [given.root, given.home, join(given.root, 'hermes', 'runs')])
      chownSync(path, uid, uid);
  const as = uid === undefined ? {} : { uid };
  const bridge = given.start([daemonScript, '--poll-ms', '100'], as);
  await waitFor('the daemon to be ready', () => bridge.stderr().includes('ready'));
  const ask = given.start([comsScript, 'ask', 'Go?'], { ...as, cwd: '/' });
  const [record = ''] = await waitFor('the question', () =>
    given.files('pending').length > 0 ? given.files('pending') : null,
  );
  const qid = record.replace('.json', '');
  const path = join(given.questions, `${qid}.answer.json`);
  const prepared = join(given.root, 'unreadable');
  writeFileSync(prepared, given.answerBody(qid, 'at last'), { mode: 0o000 });
  if (uid !== undefined) chownSync(prepared, uid, uid);
  renameSync(prepared, path);
  await waitFor('it to be said', () => bridge.stderr().includes('cannot be read'));
  await sleep(500);
  expect(bridge.stderr().split('cannot be read')).toHaveLength(2);
  expect(existsSync(path)).toBe(true);
  chmodSync(path, 0o600);
  expect(await ask.ended).toBe(0);
  expect(ask.stdout().trim()).toBe('at last');
});

test('the questions folder deleted and made again is watched again, and polling alone works too [DAEM-11]', async () => {
  const given = world();
  const { planner, qid } = await open(given);
  rmSync(given.questions, { recursive: true });
  mkdirSync(given.questions, { mode: 0o700 });
  given.answer(qid, 'after all');
  expect((await planner.response(qid)).response).toEqual({ kind: 'freeform', text: 'after all' });
  rmSync(given.questions, { recursive: true });
  await waitFor('the folder to be made again', () => existsSync(given.questions));
  expect(lstatSync(given.questions).mode & 0o777).toBe(0o700);
  const next = await planner.ask('And now?');
  given.answer(next, 'yes');
  expect((await planner.response(next)).response).toEqual({ kind: 'freeform', text: 'yes' });
  expect(readdirSync(given.questions)).toEqual([]);
});
