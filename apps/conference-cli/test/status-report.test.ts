/**
 * The bugs these exist to catch: a status that does not say who has the next move, a reader that waits for the writer's
 * lock, and a report made again with other bytes.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conference, freshFolder, makeFolder, removeFolder } from './support/command.ts';
import { planDigest, writeConferenceMd } from './support/conference-md.ts';
import { eventsNamed, readEvents, snapshot } from './support/folder.ts';
import { runOnce, startRun } from './support/run.ts';

async function statusOf(folder: string): Promise<Record<string, unknown>> {
  const ran = await conference(['status', '--json'], { cwd: folder });
  expect([ran.code, ran.err]).toEqual([0, '']);
  return JSON.parse(ran.out) as Record<string, unknown>;
}

describe('a finished conference', () => {
  let folder: string;
  beforeAll(async () => {
    const place = makeFolder();
    const ran = await runOnce({ place, values: { target: '>= 60' }, behaviours: ['B2=exit:3'] });
    expect(ran.code, ran.err).toBe(0);
    folder = ran.folder;
    return () => removeFolder(place);
  });

  test('is finished by status, with table, budget, decision record and nothing next', async () => {
    const document = await statusOf(folder);
    expect(document).toMatchObject({
      liveness: 'finished',
      holder: null,
      state: 'COMPLETE',
      round: 2,
      revision: readEvents(folder).length,
      outcome: 'CONVERGED',
      target_met: true,
      pending: null,
      budget: { rounds: { used: 2, max: 3 }, iterations: { used: 8, max: 12 } },
      record: { winner: 'target_reached' },
    });
    const dispatches = document['dispatches'] as { role: string; state: string }[];
    expect(dispatches.map(({ role, state }) => `${role} ${state}`).toSorted()).toEqual([
      'poster received',
      'poster received',
      'researcher failed',
      'researcher received',
      'researcher received',
      'researcher received',
      'reviewer received',
      'reviewer received',
      'synthesis received',
    ]);
    const words = await conference(['status', folder], { cwd: folder });
    expect(words.out).toContain('finished');
    expect(words.out).toContain('Next: nothing, the conference is finished.');
    expect(words.out).toMatch(/held +target_reached/);
  });

  test('gives the bytes of final_report.md again by report, wherever the file is gone to, and writes nothing [PROTO-38]', async () => {
    const written = readFileSync(join(folder, 'final_report.md'), 'utf8');
    const before = snapshot(folder);
    const words = await conference(['report', folder], {
      cwd: folder,
      env: { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' },
    });
    expect([words.code, words.out]).toEqual([0, written]);
    const { out } = await conference(['report', '--json'], { cwd: folder });
    expect(JSON.parse(out)).toEqual({ report: written, finished: true });
    expect(snapshot(folder)).toEqual(before);
    rmSync(join(folder, 'final_report.md'));
    expect((await conference(['report'], { cwd: folder })).out).toBe(written);
    writeFileSync(join(folder, 'final_report.md'), written);
  });

  test('opens with outcome, target, rounds, iterations and limitations, links findings to packets, and ends with the receipt [LEDG-13]', () => {
    const report = readFileSync(join(folder, 'final_report.md'), 'utf8');
    expect(report.split('\n')[0]).toMatch(/CONVERGED.*target_met: true.*rounds: 2 of 3.*iterations: 8 of 12/);
    expect(report).toContain('## Limitations');
    expect(report).toContain('B failed (host_failed)');
    const sections = report.split('\n').filter((line) => line.startsWith('## '));
    expect(sections.at(-1)).toMatch(/cleanup receipt/i);
    const digests = eventsNamed(folder, 'dispatch.received').map(({ digest }) => String(digest).slice(7, 19));
    expect(digests.some((digest) => report.includes(digest))).toBe(true);
    const written = readEvents(folder).find(({ payload }) => payload['path'] === 'final_report.md');
    expect(report).toContain(String((written?.seq ?? 0) - 1));
  });
});

test('while run holds the lock: running, with its holder named, and without waiting for it', async () => {
  const place = freshFolder();
  const run = await startRun({ place, behaviours: ['A=hang'] });
  await run.waitFor('received');
  const document = await statusOf(run.folder);
  expect(document).toMatchObject({
    liveness: 'running',
    state: 'COLLECTING',
    holder: { pid: run.child.pid },
  });
  const words = await conference(['status', run.folder], { cwd: place });
  expect(words.out).toContain(`running (process ${run.child.pid}`);
  const report = await conference(['report', run.folder, '--json'], { cwd: place });
  expect(JSON.parse(report.out)).toMatchObject({ finished: false });
  run.child.kill('SIGTERM');
  await run.ended;
  expect(await statusOf(run.folder)).toMatchObject({ liveness: 'interrupted', holder: null });
});

test('a pending decision is waiting for you, with the question, its options and their consequences', async () => {
  const place = freshFolder();
  const { folder } = await runOnce({ place, behaviours: ['review=garbage'] });
  const document = await statusOf(folder);
  expect(document).toMatchObject({
    liveness: 'waiting for you',
    pending: { options: expect.any(Array) as unknown[] },
  });
  const words = await conference(['status', folder], { cwd: place });
  const [asked] = eventsNamed(folder, 'decision.asked');
  expect(words.out).toContain(String(asked?.['question']));
  for (const { id, consequence } of (asked?.['options'] ?? []) as { id: string; consequence: string }[]) {
    expect(words.out).toContain(id);
    expect(words.out).toContain(consequence);
  }
});

test('a conference that was only confirmed is waiting for the caller [CLI-04]', async () => {
  const place = freshFolder();
  writeConferenceMd(place);
  const digest = await planDigest({ cwd: place });
  const refused = await conference(['confirm', '.', '--plan-digest', digest], { cwd: place });
  expect(refused.code).toBe(3);
  expect(refused.err).toMatch(/--write-to DIR or --grant FILE/);
  expect(existsSync(join(place, 'conference_events.jsonl'))).toBe(false);
  const wrong = await conference(['confirm', '.', '--plan-digest', 'sha256:00', '--write-to', '.'], {
    cwd: place,
  });
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('PLAN_DIGEST_MISMATCH');
  expect(existsSync(join(place, 'conference_events.jsonl'))).toBe(false);
  const confirmed = await conference(['confirm', '.', '--plan-digest', digest, '--write-to', '.', '--json'], {
    cwd: place,
  });
  expect(confirmed.code, confirmed.err).toBe(0);
  expect(JSON.parse(confirmed.out)).toMatchObject({ state: 'CONFIRMED', plan_digest: digest });
  expect(await statusOf(place)).toMatchObject({ liveness: 'waiting for the caller', state: 'CONFIRMED' });
});

test('an event that this version does not know is refused by name, never folded past [LEDG-24]', async () => {
  const place = freshFolder();
  const { folder } = await runOnce({ place });
  const { createHash } = await import('node:crypto');
  const lines = readFileSync(join(folder, 'conference_events.jsonl'), 'utf8').trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as { digest: string; seq: number; timestamp: string };
  const body = `"event":"dispatch.teleported","payload":{},"prev":"${last.digest}","seq":${last.seq + 1},"timestamp":"${last.timestamp}"}`;
  const digest = createHash('sha256').update(`{${body}`).digest('hex');
  appendFileSync(join(folder, 'conference_events.jsonl'), `{"digest":"sha256:${digest}",${body}\n`);
  for (const verb of ['status', 'verify', 'report']) {
    const ran = await conference([verb, folder], { cwd: place });
    expect(ran.code, verb).toBe(1);
    expect(ran.err).toMatch(/LEDGER_TOO_NEW.*dispatch\.teleported/);
  }
});
