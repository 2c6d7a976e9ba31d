// Catches a question that a power cut leaves half on the disk, and a record of another daemon that is touched.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, recordText, step, type Daemon, type QuestionRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolders, type Folders } from './folders.ts';
import { openRecordStore, type RecordStore } from './record-store.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');
const ours: Daemon = { name: 'user-remote', project: 'default', coms_dir: '/c' };
const theirs: Daemon = { ...ours, project: 'docs' };
const from = { session: 's', endpoint: '/e' };

const asked = (daemon: Daemon = ours): QuestionRecord => {
  const asker = { name: 'a', cwd: '/', project: 'default', session: null, endpoint: '/e', hops: 0 };
  const question = {
    qid,
    daemon,
    asker,
    prompt_digest: 'd',
    question: { question: 'q', options: [] },
    timeout_ms: 1_000,
  };
  const { record } = step(null, { event: 'question_received', asked: question }, 0);
  if (record === null) throw new Error('no record');
  return record;
};
const next = (record: QuestionRecord, input: Parameters<typeof step>[1]): QuestionRecord => {
  const stepped = step(record, input, 0).record;
  if (stepped === null) throw new Error('no record');
  return stepped;
};

let root = '';
let folders: Folders;
let store: RecordStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-store-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  ({ folders } = opened);
  store = openRecordStore(folders);
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

/** Without the empty files that the store keeps ready. */
const writing = () => readdirSync(folders.writing).filter((file) => !file.startsWith('spare.'));
const pending = () => join(folders.placed.pending, `${qid}.json`);

test('a record lies in exactly one folder, and goes where its content says [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  const delivered = next(record, { event: 'delivered', message_ids: ['7'] });
  await store.save(delivered, 'pending');
  expect(store.locate(qid)).toEqual({ placement: 'pending', reading: { code: 'record', record: delivered } });
  const cancelled = next(delivered, { event: 'cancelled', by: null, from });
  await store.save(cancelled, 'pending');
  expect(store.locate(qid)).toEqual({ placement: 'closed', reading: { code: 'record', record: cancelled } });
  expect(existsSync(pending())).toBe(false);
  await store.close();
  expect(readdirSync(folders.writing)).toEqual([]);
});

test('a power cut between a change and its sync costs the change, not the question [DAEM-12]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(next(record, { event: 'delivered', message_ids: [] }), 'pending');
  // What a disk may hold then: the new name, without its bytes.
  writeFileSync(pending(), '');
  const after = openRecordStore(folders);
  after.sweep(ours);
  expect(after.locate(qid)).toEqual({ placement: 'pending', reading: { code: 'record', record } });
  expect(writing()).toEqual([]);
  await after.close();
});

test('a kept version that is not needed goes, and another daemon’s stays [DAEM-12 DAEM-14]', async () => {
  const record = asked(theirs);
  await store.create(record);
  await store.save(next(record, { event: 'delivered', message_ids: [] }), 'pending');
  const kept = join(folders.writing, `${qid}.json.kept`);
  writeFileSync(join(folders.writing, `${qid}.json.999999999.1`), 'left by a kill');
  const second = openRecordStore(folders);
  second.sweep(ours);
  expect(writing()).toEqual([`${qid}.json.kept`]);
  expect(readFileSync(kept, 'utf8')).toBe(recordText(record));
  second.sweep(theirs);
  expect(writing()).toEqual([]);
  await second.close();
});

test('a file that never was a whole record is unfinished, a link and a folder are damaged, nothing throws [DAEM-12 DAEM-15]', () => {
  writeFileSync(pending(), recordText(asked()).slice(0, 40));
  expect(store.locate(qid)?.reading.code).toBe('unfinished');
  rmSync(pending());
  expect(store.locate(qid)).toBeNull();
  expect(store.list('pending')).toEqual([]);
});
