// Catches a question that a power cut leaves half on the disk, and a record of another daemon that is touched.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, recordText, type Daemon, type Placement, type QuestionRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Folders } from './folders.ts';
import { sumOf } from './journal-format.ts';
import {
  answered,
  asked,
  cancelled,
  delivered,
  failed,
  next,
  qid,
  started,
  theirs,
} from './record-store.fixture.ts';
import type { RecordStore } from './record-store.ts';
import { createStoreWorld, type StoreWorld } from './store-world.fixture.ts';

let world: StoreWorld;
let folders: Folders;
let store: RecordStore;
beforeEach(() => {
  world = createStoreWorld();
  ({ folders, store } = world);
});
afterEach(() => world.end());

const restarted = (of?: Daemon): RecordStore => world.restarted(of);
const writing = () => readdirSync(folders.writing);
const texts = () => writing().map((file) => readFileSync(join(folders.writing, file), 'utf8'));
const pending = () => join(folders.placed.pending, `${qid}.json`);

test('a record lies in exactly one folder, and goes where its content says [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  const put = next(record, { event: 'delivered', message_ids: ['7'] });
  await store.save(put, 'pending');
  expect(store.locate(qid)).toEqual({ placement: 'pending', reading: { code: 'record', record: put } });
  const closed = cancelled(put);
  await store.save(closed, 'pending');
  expect(store.locate(qid)).toEqual({ placement: 'closed', reading: { code: 'record', record: closed } });
  expect(existsSync(pending())).toBe(false);
  await store.close();
  expect(readdirSync(folders.writing)).toEqual([]);
});

/** After a power cut: the machine has started anew. */
const powerCut = (): RecordStore => {
  for (const file of readdirSync(folders.writing).filter((name) => name.startsWith('journal.'))) {
    const path = join(folders.writing, file);
    const text = readFileSync(path, 'utf8');
    // As another start of the machine would have written it: the chain begins with the head.
    const boot = /"boot":"([^"]*)"/.exec(text)?.[1] ?? '';
    if (boot === '') continue;
    writeFileSync(path, rebooted(text, boot));
  }
  return restarted();
};

const rebooted = (text: string, boot: string): string => {
  const [head = '', ...lines] = text.replace(boot, 'before').split('\n').slice(0, -1);
  let sum = sumOf('', head);
  const chained = lines.map((line) => {
    const rest = line.slice(17);
    sum = sumOf(sum, rest);
    return `${sum} ${rest}`;
  });
  return [head, ...chained, ''].join('\n');
};

const at = (placement: Placement) => join(folders.placed[placement], `${qid}.json`);
const reading = (of: RecordStore) => of.locate(qid);
const found = (placement: Placement, record: QuestionRecord) => ({
  placement,
  reading: { code: 'record', record },
});

test('a new question is known at once, survives a kill before it has a file, and has one a moment later [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  expect(existsSync(pending())).toBe(false);
  expect(reading(store)).toEqual(found('pending', record));
  expect(reading(restarted())).toEqual(found('pending', record));
  rmSync(pending());
  await waitFor('its file', () => existsSync(pending()));
  expect(readRecord(readFileSync(pending(), 'utf8'))).toEqual({ code: 'record', record });
});

test('a new question has its file before anything else is said of it [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  expect(readRecord(readFileSync(pending(), 'utf8'))).toEqual({ code: 'record', record: started(record) });
  expect(reading(restarted())).toEqual(found('pending', started(record)));
});

test.each([
  { hurt: 'gone', spoil: () => rmSync(pending()) },
  { hurt: 'empty', spoil: () => writeFileSync(pending(), '') },
  { hurt: 'full of holes', spoil: () => writeFileSync(pending(), `${'\0'.repeat(700)}}\n`) },
  { hurt: 'as it was before', spoil: () => writeFileSync(pending(), recordText(asked())) },
])('a question whose file is $hurt after a power cut is asked as a repeat [DAEM-12]', async ({ spoil }) => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  spoil();
  expect(reading(powerCut())).toEqual(found('pending', started(record)));
});

test('a delivery that was noted before a power cut stays noted [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  await store.save(delivered(record), 'pending');
  expect(reading(powerCut())).toEqual(found('pending', delivered(record)));
});

test('a closing survives a power cut that takes its file and brings the old one back [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  const before = readFileSync(pending(), 'utf8');
  await store.save(cancelled(record), 'pending');
  expect(existsSync(pending())).toBe(false);
  rmSync(at('closed'));
  writeFileSync(pending(), before);
  expect(reading(powerCut())).toEqual(found('closed', cancelled(record)));
  expect(existsSync(pending())).toBe(false);
  rmSync(at('closed'));
  expect(reading(powerCut())).toEqual(found('closed', cancelled(record)));
});

test('a kill between the two names of a closing leaves one of them [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  const before = readFileSync(pending(), 'utf8');
  await store.save(cancelled(record), 'pending');
  writeFileSync(pending(), before);
  expect(reading(restarted())).toEqual(found('closed', cancelled(record)));
  expect(existsSync(pending())).toBe(false);
});

test.each([
  { cut: 'in the middle', keep: 300 },
  { cut: 'at its beginning', keep: 0 },
])(
  'a closing cut short $cut is finished, and one whose bytes a power cut took is written again [DAEM-12]',
  async ({ keep }) => {
    const record = asked();
    await store.create(record);
    await store.save(started(record), 'pending');
    const before = readFileSync(pending());
    await store.save(cancelled(record), 'pending');
    const after = readFileSync(at('closed'));
    rmSync(at('closed'));
    writeFileSync(pending(), Buffer.concat([after.subarray(0, keep), before.subarray(keep)]));
    expect(reading(restarted())).toEqual(found('closed', cancelled(record)));
    expect(existsSync(pending())).toBe(false);
    writeFileSync(at('closed'), before);
    expect(reading(powerCut())).toEqual(found('closed', cancelled(record)));
  },
);

test('what was kept of answers after the end survives a power cut that brings the file before back [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  const unknown = failed(record);
  await store.save(unknown, 'pending');
  const one = answered(unknown, 'yes');
  await store.save(one, 'closed');
  const before = readFileSync(at('undelivered'));
  const two = answered(one, 'no');
  expect(two.kept?.answers.length).toBe(2);
  await store.save(two, 'undelivered');
  writeFileSync(at('undelivered'), before);
  expect(reading(powerCut())).toEqual(found('undelivered', two));
  expect(existsSync(at('closed'))).toBe(false);
});

test('nothing that somebody put in the place of a record is touched, and no start fails for it [DAEM-12 DAEM-15]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  rmSync(pending());
  mkdirSync(pending());
  expect(reading(restarted())?.reading.code).toBe('damaged');
  rmSync(pending(), { recursive: true });
  writeFileSync(pending(), '{"v":1}\n');
  expect(reading(restarted())?.reading.code).toBe('damaged');
  writeFileSync(pending(), '{"v":2}\n');
  expect(reading(powerCut())?.reading).toEqual({ code: 'newer', v: 2 });
});

test('when nothing happens the journal goes, and what it said is on the disk [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await waitFor('the journal to be settled', () => texts().every((text) => !text.startsWith('{"journal":1')));
  expect(reading(restarted())).toEqual(found('pending', record));
});

test('what somebody has taken away after its end does not come back by a kill [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(cancelled(record), 'pending');
  rmSync(at('closed'));
  expect(reading(restarted())).toBeNull();
});

test('what the file says is not undone by an older entry [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  const closed = cancelled(record);
  await store.save(closed, 'pending');
  const done = { ...closed, owed: [] };
  await store.save(done, 'closed');
  expect(reading(restarted())).toEqual(found('closed', done));
  expect(reading(powerCut())).toEqual(found('closed', done));
});

test('of an other daemon’s journal and of a record that is no longer ours nothing is touched [DAEM-12 DAEM-14]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  const kept = writing();
  expect(kept.length).toBe(1);
  rmSync(pending());
  expect(reading(restarted(theirs))).toBeNull();
  expect(writing()).toEqual(kept);
  writeFileSync(pending(), recordText(asked(theirs)));
  expect(reading(powerCut())).toEqual(found('pending', asked(theirs)));
});

test('a file that never was a whole record is unfinished, a link and a folder are damaged, nothing throws [DAEM-12 DAEM-15]', () => {
  writeFileSync(pending(), recordText(asked()).slice(0, 40));
  expect(store.locate(qid)?.reading.code).toBe('unfinished');
  rmSync(pending());
  expect(store.locate(qid)).toBeNull();
  expect(store.list('pending')).toEqual([]);
});
