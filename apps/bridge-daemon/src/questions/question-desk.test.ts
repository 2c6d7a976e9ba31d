import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, type NewQuestion, type QuestionRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { openContractLog, type ContractLog } from '../log/contract-log.ts';
import { openOperationalLog } from '../log/operational-log.ts';
import { openFolders, type Folders } from '../store/folders.ts';
import { openRecordStore, type RecordStore } from '../store/record-store.ts';
import { createQuestionDesk, type QuestionDesk } from './question-desk.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');
const daemon = { name: 'user-remote', project: 'default', coms_dir: '/c' };
const from = { session: 's', endpoint: '/e' };
const asked: NewQuestion = {
  qid,
  daemon,
  asker: { name: 'a', cwd: '/', project: 'default', session: null, endpoint: '/e', hops: 0 },
  prompt_digest: 'd',
  question: { question: 'q', options: [] },
  timeout_ms: 60_000,
};

let root = '';
let folders: Folders;
let store: RecordStore;
let contractLog: ContractLog;
let changes: QuestionRecord[] = [];
let desk: QuestionDesk;

const openDesk = (wrap: (store: RecordStore) => RecordStore = (same) => same): QuestionDesk =>
  createQuestionDesk({
    daemon,
    store: wrap(store),
    contractLog,
    log: openOperationalLog('silent'),
    now: Date.now,
    onChange: (record) => changes.push(record),
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-desk-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  ({ folders } = opened);
  store = openRecordStore(folders, daemon);
  contractLog = openContractLog(folders.log);
  changes = [];
  desk = openDesk();
});
afterEach(async () => {
  await desk.close();
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

test('a prompt over what a power cut left of its first writing is taken as new [DAEM-16 DAEM-21]', async () => {
  writeFileSync(join(folders.placed.pending, `${qid}.json`), '{"v":1,"qid"');
  expect(await desk.ask(asked)).toEqual({ code: 'taken' });
  expect(store.locate(qid)?.reading.code).toBe('record');
});

test('a damaged record keeps its msg_id: the prompt is refused and the file untouched [DAEM-16]', async () => {
  writeFileSync(join(folders.placed.closed, `${qid}.json`), '{"v":1}\n');
  expect(await desk.ask(asked)).toMatchObject({ code: 'refused' });
  expect(changes).toEqual([]);
});

test('what could not be stored did not happen: nothing is told, and the same answer counts later [DAEM-21]', async () => {
  let full = false;
  desk = openDesk((real) => ({
    ...real,
    save: (...given) => (full ? Promise.reject(new Error('ENOSPC')) : real.save(...given)),
  }));
  await desk.ask(asked);
  full = true;
  const answer = { qid, answer: 'yes', answered_by: 'a', at: new Date().toISOString() };
  const input = { event: 'answered', answer, digest: 'x', from, cutMark: '' } as const;
  const before = changes.length;
  await expect(desk.apply(qid, input)).rejects.toThrow('ENOSPC');
  expect(changes).toHaveLength(before);
  expect(desk.openCount()).toBe(1);
  expect(desk.storeHealth()).toMatchObject({ reason: expect.stringContaining('ENOSPC') });
  full = false;
  expect(await desk.apply(qid, input)).toMatchObject({ state: 'answered' });
  expect(desk.storeHealth()).toBeNull();
  expect(desk.openCount()).toBe(0);
});

test('what is done is struck off in memory at once and on the disk soon, and then forgotten [DAEM-17]', async () => {
  await desk.ask(asked);
  const answer = { qid, answer: 'yes', answered_by: 'a', at: new Date().toISOString() };
  await desk.apply(qid, { event: 'answered', answer, digest: 'x', from, cutMark: '' });
  await desk.apply(qid, { event: 'done', owed: { do: 'remove_answer', digest: 'x' } });
  expect(desk.held(qid)?.owed).toEqual([{ do: 'respond' }]);
  await desk.apply(qid, { event: 'done', owed: { do: 'respond' } });
  expect(desk.held(qid)).toBeNull();
  const located = store.locate(qid);
  expect(located).toMatchObject({ placement: 'closed', reading: { record: { owed: [] } } });
});

test('a closed desk takes nothing and changes nothing', async () => {
  await desk.ask(asked);
  await desk.close();
  expect(await desk.ask({ ...asked, prompt_digest: 'other' })).toMatchObject({ code: 'refused' });
  expect(await desk.apply(qid, { event: 'cancelled', by: null, from })).toBeNull();
  expect(await desk.applySurely(qid, { event: 'cancelled', by: null, from })).toBeNull();
});

test('a line that a kill left owed although it stands in the log is not written twice, whoever comes first [BRID-28]', async () => {
  const answer = { qid, answer: 'yes', answered_by: 'a', at: new Date().toISOString() };
  const input = { event: 'answered', answer, digest: 'x', from, cutMark: '' } as const;
  await desk.ask(asked);
  await desk.apply(qid, input);
  await desk.close();
  // Killed here: the record still owes the line that the log holds.
  const lines = () => readFileSync(folders.log, 'utf8').trim().split('\n');
  expect(lines()).toHaveLength(2);
  desk = openDesk();
  expect(await desk.ask({ ...asked, asker: { ...asked.asker, endpoint: '/moved' } })).toEqual({
    code: 'taken',
  });
  expect(lines()).toHaveLength(2);
  await desk.close();
  desk = openDesk();
  await desk.revive(qid);
  expect(desk.held(qid)?.owed.map((item) => item.do)).toEqual(['respond', 'remove_answer']);
  await desk.apply(qid, { ...input, answer: { ...answer, answer: 'no' }, digest: 'y' });
  expect(lines()).toHaveLength(3);
});

test('an answer that reaches its asker after all is stored where it then belongs, and goes on from there [DAEM-17]', async () => {
  const answer = { qid, answer: 'yes', answered_by: 'a', at: new Date().toISOString() };
  const input = { event: 'answered', answer, digest: 'x', from, cutMark: '' } as const;
  await desk.ask(asked);
  await desk.apply(qid, input);
  await desk.apply(qid, { event: 'unreachable' });
  const saved: string[] = [];
  await desk.close();
  desk = openDesk((real) => ({
    ...real,
    save: async (record, placement) => {
      saved.push(placement);
      await real.save(record, placement);
    },
  }));
  await desk.revive(qid);
  await desk.apply(qid, { event: 'repeated', asker: asked.asker });
  await desk.apply(qid, { event: 'done', owed: { do: 'respond' } });
  await waitFor('it to be saved', () => existsSync(join(folders.placed.closed, `${qid}.json`)));
  saved.length = 0;
  await desk.apply(qid, { event: 'done', owed: { do: 'remove_answer', digest: 'x' } });
  expect(saved).toEqual(['closed']);
  expect(store.locate(qid)).toMatchObject({ placement: 'closed', reading: { record: { owed: [] } } });
});
