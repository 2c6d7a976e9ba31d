/** Catches a half-written file removed because somebody set the clock, or kept for as long as it was set back. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openOperationalLog } from '../log/operational-log.ts';
import { openContractLog } from '../log/contract-log.ts';
import { openFolders, type Folders } from '../store/folders.ts';
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
    sink: { standing: () => Promise.reject(new Error('not asked')), answered: () => Promise.resolve(true) },
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
