import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { openOperationalLog } from '../log/operational-log.ts';
import { watchAnswers, type AnswerWatch } from './answer-watch.ts';

let root = '';
let watch: AnswerWatch | null = null;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-watch-'));
});
afterEach(() => {
  watch?.close();
  watch = null;
  rmSync(root, { recursive: true, force: true });
});

const start = (pollMs: number, more: { watching?: boolean; onPoll?: () => Promise<void> } = {}) => {
  const folder = join(root, 'questions');
  mkdirSync(folder, { recursive: true });
  const seen: (string | null)[] = [];
  let polls = 0;
  watch = watchAnswers({
    folder,
    pollMs,
    log: openOperationalLog('silent'),
    onName: (name) => seen.push(name),
    onPoll: () => {
      polls += 1;
      return more.onPoll?.() ?? Promise.resolve();
    },
    ...(more.watching === undefined ? {} : { watching: more.watching }),
  });
  return { folder, seen, polls: () => polls };
};

test('a new file is noticed by name without waiting for a poll [DAEM-11]', async () => {
  const { folder, seen, polls } = start(3_600_000);
  await waitFor('the first poll', () => polls() === 1);
  writeFileSync(join(folder, 'a'), '');
  await waitFor('the name', () => seen.includes('a'));
  expect(polls()).toBe(1);
});

test('without a watcher polls go on, also after one that failed [DAEM-11]', async () => {
  let failures = 2;
  const { seen, polls } = start(10, {
    watching: false,
    onPoll: () => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('unreadable')) : Promise.resolve();
    },
  });
  await waitFor('polls', () => polls() > 5);
  expect(seen).toEqual([]);
});

test('the age of the last completed poll grows while polls fail [DAEM-05]', async () => {
  const { polls } = start(10, { onPoll: () => Promise.reject(new Error('unreadable')) });
  await waitFor('polls', () => polls() > 10);
  expect(watch?.sincePollMs()).toBeGreaterThan(50);
});
