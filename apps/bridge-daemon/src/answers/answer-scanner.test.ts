/**
 * Catches a half-written file removed because somebody set the clock, or kept for as long as it was set back; and an
 * answer removed whose question a power cut left in a journal alone.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerFileName, parseQid } from '@x/bridge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openOperationalLog } from '../log/operational-log.ts';
import { openContractLog } from '../log/contract-log.ts';
import { openFolders, type Folders } from '../store/folders.ts';
import { createJournal } from '../store/journal.ts';
import { createAnswerScanner, type AnswerScanner } from './answer-scanner.ts';
import { createRemover } from './remove-answer.ts';

const hourMs = 3_600_000;
const name = 'writing.tmp';

let root = '';
let folders: Folders;
let scanner: AnswerScanner;
let wallMs = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  root = mkdtempSync(join(tmpdir(), 'bd-scan-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  ({ folders } = opened);
  wallMs = Date.parse('2026-11-30T10:00:00Z');
  scanner = createAnswerScanner({
    folders,
    sink: { standing: () => Promise.resolve('nobody'), answered: () => Promise.resolve(true) },
    remover: createRemover(folders),
    contractLog: openContractLog(folders.log, { onFault: (error) => expect(error).toBeNull() }),
    log: openOperationalLog('silent'),
    pollMs: 1_000,
    now: () => wallMs,
  });
});
afterEach(() => {
  scanner.close();
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});

test('the grace window lasts as long when the clock jumps forwards [BRID-10]', async () => {
  writeFileSync(join(folders.questions, name), 'half');
  expect(await scanner.look(name)).toBe('waiting');
  wallMs += hourMs;
  await vi.advanceTimersByTimeAsync(1_900);
  expect(await scanner.look(name)).toBe('waiting');
  expect(readdirSync(folders.questions)).toEqual([name]);
});

test('the grace window ends in time when the clock is set back [BRID-10]', async () => {
  writeFileSync(join(folders.questions, name), 'half');
  expect(await scanner.look(name)).toBe('waiting');
  wallMs -= hourMs;
  await vi.advanceTimersByTimeAsync(2_001);
  // The window is over; the disk takes what it takes, while the faked clock stands still.
  for (const end = Date.now() + 20_000; readdirSync(folders.questions).length > 0 && Date.now() < end;)
    await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync(folders.questions)).toEqual([]);
});

test('an answer whose question stands in the journal of a daemon that is down is left alone until that is settled [DAEM-14]', async () => {
  const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
  if (qid === null) throw new Error('no qid');
  const journal = createJournal({
    folder: folders.writing,
    name: 'journal.0123456789abcdef',
    bytesMax: 1_000_000,
    quietMs: 60_000,
    boot: 'before',
    settle: () => Promise.resolve(),
    retryMs: 1_000,
  });
  await journal.append(qid, '{}');
  const answer = answerFileName(qid);
  const at = new Date(wallMs).toISOString();
  writeFileSync(
    join(folders.questions, answer),
    JSON.stringify({ qid, answer: 'yes', answered_by: 'ann', at }),
  );
  expect(await scanner.look(answer)).toBe('settled');
  await scanner.pass();
  expect(readdirSync(folders.questions)).toEqual([answer]);
  await journal.close();
  await scanner.pass();
  expect(readdirSync(folders.questions)).toEqual([]);
});
