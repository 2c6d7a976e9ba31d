import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, recordText, step, type QuestionRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openContractLog } from '../log/contract-log.ts';
import { openOperationalLog } from '../log/operational-log.ts';
import { openFolders, type Folders } from '../store/folders.ts';
import { openRecordStore } from '../store/record-store.ts';
import { pruneClosed } from './housekeeping.ts';
import { createQuestionDesk } from './question-desk.ts';

const day = 86_400_000;
const daemon = { name: 'user-remote', project: 'default', coms_dir: '/c' };
const qidOf = (at: number) => {
  const qid = parseQid(`01J00000000000000000000${String(at).padStart(3, '0')}`);
  if (qid === null) throw new Error('no qid');
  return qid;
};

let root = '';
let folders: Folders;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-prune-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  ({ folders } = opened);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A closed record on the disk, closed this long ago. */
const closed = (at: number, ageMs: number, more: Partial<QuestionRecord> = {}): void => {
  const qid = qidOf(at);
  const asker = { name: 'a', cwd: '/', project: 'default', session: null, endpoint: '/e', hops: 0 };
  const asked = {
    qid,
    daemon,
    asker,
    prompt_digest: 'd',
    question: { question: 'q', options: [] },
    timeout_ms: 1,
  };
  const from = { session: 's', endpoint: '/e' };
  const open = step(null, { event: 'question_received', asked }, 0).record;
  const { record } = step(open, { event: 'cancelled', by: null, from }, 0);
  if (record === null) throw new Error('no record');
  const path = join(folders.placed.closed, `${qid}.json`);
  writeFileSync(path, recordText({ ...record, owed: [], ...more }));
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(path, time, time);
};

const prune = (closedMax?: number) => {
  const store = openRecordStore(folders, daemon);
  const log = openOperationalLog('silent');
  const contractLog = openContractLog(folders.log);
  const desk = createQuestionDesk({
    daemon,
    store,
    contractLog,
    log,
    now: Date.now,
    onChange: () => undefined,
  });
  return pruneClosed({
    folders,
    store,
    desk,
    daemon,
    log,
    now: Date.now,
    isAlive: () => Promise.resolve(true),
    stopped: () => false,
    ...(closedMax === undefined ? {} : { closedMax }),
  });
};
const left = (): string[] => readdirSync(folders.placed.closed).map((file) => file.slice(-8, -5));

test('of too many closed questions the oldest go, but none that owes something [DAEM-17]', async () => {
  for (let at = 0; at < 30; at += 1)
    closed(at, (100 - at) * 60_000, at === 3 ? { owed: [{ do: 'respond' }] } : {});
  expect(await prune(20)).toBe(9);
  expect(left()).toHaveLength(21);
  expect(left()).toContain('003');
  for (const gone of ['000', '009']) expect(left()).not.toContain(gone);
  expect(left()).toContain('010');
});

test('closed questions older than 30 days go, however few [DAEM-17]', async () => {
  closed(1, 31 * day);
  closed(2, 29 * day);
  expect(await prune()).toBe(1);
  expect(left()).toEqual(['002']);
});
