/**
 * The bugs these exist to catch: a run that starts or writes before it may, that says something else on stdout than it
 * promised, and an exit code that a script cannot trust.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childScript, conference, freshFolder } from './support/command.ts';
import { planDigest, writeConferenceMd } from './support/conference-md.ts';
import { eventsNamed, modesOf, readEvents } from './support/folder.ts';
import { noteOf, prepareRun, readNotes, runOnce, startRun, temporaryRoots } from './support/run.ts';

interface Document {
  readonly end: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly target_met: boolean;
  readonly report?: string;
  readonly code?: string;
  readonly pending: { readonly decision_id: string } | null;
}

describe('before anything is confirmed', () => {
  test('another digest than the plan has is refused with exit 2, and nothing is written, not even the folder [AUTO-11 CLI-02]', async () => {
    const place = freshFolder();
    const { args } = await prepareRun({ place });
    args[args.indexOf('--confirm') + 1] = `sha256:${'0'.repeat(64)}`;
    const ran = await conference(args, { cwd: place });
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain('PLAN_DIGEST_MISMATCH');
    expect(ran.err).toContain(await planDigest({ cwd: place }));
    expect(readdirSync(place).toSorted()).toEqual(['conference.md', 'notes']);
    expect(readdirSync(join(place, 'notes'))).toEqual([]);
  });

  test.each([
    { flag: ['--accept', `sha256:${'0'.repeat(64)}`], next: '--resume DIR' },
    { flag: ['--at', '2026-11-30T10:00:00Z'], next: '--resume DIR --accept DIGEST' },
    { flag: ['--resume', 'out', '--confirm', `sha256:${'0'.repeat(64)}`], next: '--accept' },
  ])(
    '$flag that would decide nothing is refused with exit 2 and the next step [CLI-02]',
    async ({ flag, next }) => {
      const place = freshFolder();
      await prepareRun({ place });
      const ran = await conference(['run', '--host', 'exec:true', ...flag], { cwd: place });
      expect(ran).toMatchObject({ code: 2, out: '' });
      expect(ran.err).toContain('does nothing here');
      expect(ran.err).toContain(next);
    },
  );

  test('without a terminal and without --confirm the conditions are shown, exit 3, and nothing is written [AUTO-11 CLI-02]', async () => {
    const place = freshFolder();
    const { args } = await prepareRun({ place });
    args.splice(args.indexOf('--confirm'), 2);
    const ran = await conference(args, { cwd: place });
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain('Find the setting with the highest score.');
    expect(ran.err).toContain(`--confirm ${await planDigest({ cwd: place })}`);
    expect(readdirSync(place).toSorted()).toEqual(['conference.md', 'notes']);
  });

  test('an incomplete plan is asked for with exit 3 before a host is looked at [AUTO-12]', async () => {
    const place = freshFolder();
    writeFileSync(join(place, 'conference.md'), '## Goal\n\nSomething.\n');
    const ran = await conference(['run', '--host', 'exec:true', '--confirm', 'sha256:0', '--json'], {
      cwd: place,
    });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.out)).toMatchObject({ complete: false });
    expect(readdirSync(place)).toEqual(['conference.md']);
  });

  test.each([
    ['teleport:home', /names no host/],
    ['exec:', /names no command/],
    ['exec:sh "unclosed', /quotes/],
    ['replay:nowhere', /is not a folder/],
  ])('the host %s is refused with exit 2, and says what is accepted [CLI-02]', async (host, why) => {
    const place = freshFolder();
    writeConferenceMd(place);
    const digest = await planDigest({ cwd: place });
    const ran = await conference(['run', '--host', host, '--confirm', digest, '--write-to', 'out'], {
      cwd: place,
    });
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(why);
    expect(existsSync(join(place, 'out'))).toBe(false);
  });
});

test('a grant gives the whole folder, 0700 and 0600 under any umask, and the ledger tells the whole job [AUTO-19 AUTO-20 AUTO-21]', async () => {
  const place = freshFolder();
  const { args, folder, notes } = await prepareRun({ place, noting: true, values: { target: '>= 60' } });
  const ran = await conference(args, {
    cwd: place,
    wrapper: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'umask'],
  });
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).toBe('');
  expect(
    readdirSync(folder)
      .filter((name) => name !== 'ledger.lock')
      .toSorted(),
  ).toEqual([
    'conference.md',
    'conference_events.jsonl',
    'conference_results.tsv',
    'final_report.md',
    'objects',
    'packets',
    'peer_review_round_1.md',
    'peer_review_round_2.md',
    'poster_session_round_1.md',
    'poster_session_round_2.md',
    'synthesis.md',
  ]);
  expect(modesOf(folder)).toEqual(new Set(['folder 700', 'file 600']));
  // What the person wrote stands first, byte for byte; the log that the root maintains comes after it.
  const source = readFileSync(join(place, 'conference.md'));
  const kept = readFileSync(join(folder, 'conference.md'));
  expect(kept.subarray(0, source.length)).toEqual(source);
  expect(kept.toString()).toContain('## Conference Log');
  const names = readEvents(folder).map(({ event }) => event);
  expect(names.at(-1)).toBe('cleanup.receipt');
  expect(eventsNamed(folder, 'conference.completed')).toMatchObject([
    { outcome: 'CONVERGED', target_met: true, final_report_path: 'final_report.md', total_iterations: 8 },
  ]);
  expect(eventsNamed(folder, 'conference.started')).toMatchObject([
    { driver: 'run', host: 'exec', slots: 2 },
  ]);
  // In a pipe: a line an event, no escapes, the files at the end.
  expect(ran.out).toMatch(/issued {5}researcher A of round 1/);
  expect(ran.out).toContain(`${folder}/final_report.md`);
  // oxlint-disable-next-line no-control-regex -- there must be none
  expect(ran.out).not.toMatch(/\u001B/);
  expect(temporaryRoots(place)).toEqual([]);
  expect([...readNotes(notes).keys()].toSorted()).toEqual([
    'A1',
    'A2',
    'B1',
    'B2',
    'poster1',
    'poster2',
    'review1',
    'review2',
    'synthesis2',
  ]);
});

test('without a grant nothing touches the disk: the report comes on stdout with BLOCKED_WRITE_AUTHORITY_MISSING, and is the one that a grant writes [AUTO-22 PROTO-41]', async () => {
  const place = freshFolder();
  const { args } = await prepareRun({ place, writeTo: null });
  const before = readdirSync(place).toSorted();
  const words = await conference(args, { cwd: place });
  expect(words.code).toBe(0);
  expect(words.err).toContain('BLOCKED_WRITE_AUTHORITY_MISSING');
  expect(words.err).toContain('an interruption loses everything');
  expect(readdirSync(place).toSorted()).toEqual(before);
  const ran = await conference([...args, '--json'], { cwd: place });
  const document = JSON.parse(ran.out) as Document;
  expect(document).toMatchObject({
    end: 'done',
    outcome: 'CONVERGED',
    code: 'BLOCKED_WRITE_AUTHORITY_MISSING',
  });
  const granted = await runOnce({ place: freshFolder() });
  const written = readFileSync(join(granted.folder, 'final_report.md'), 'utf8');
  // Ids and packet digests are other ones, for the conference is another; what is said is the same.
  const said = (report: string): string[] => report.split('\n').filter((line) => /^(#|##) /.test(line));
  expect(said(document.report ?? '')).toEqual(said(written));
  expect(words.out).toContain(said(written)[0]);
  expect(readdirSync(place).toSorted()).toEqual(before);
});

test('--ndjson gives one event a line as they are in the ledger, and the final document last', async () => {
  const { code, out, folder } = await runOnce({ place: freshFolder(), args: ['--ndjson'] });
  expect(code).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const last = lines.pop();
  expect(last).toMatchObject({ end: 'done', outcome: 'CONVERGED', target_met: true, state: 'COMPLETE' });
  expect(lines).toEqual(
    readEvents(folder).map(({ event, seq, timestamp, payload }) => ({ event, seq, timestamp, payload })),
  );
});

test('--json gives one document alone on stdout, also for what is refused [CLI-01]', async () => {
  const place = freshFolder();
  const { code, out, args } = await runOnce({ place, args: ['--json'] });
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(out)).toMatchObject({ end: 'done', folder: join(place, 'out') });
  const again = await conference(args, { cwd: place });
  expect(again.code).toBe(2);
  expect(JSON.parse(again.out)).toMatchObject({ error: { code: 'CONFERENCE_EXISTS' } });
});

describe('exit codes', () => {
  test('3: a person is asked, with the decision and the next commands [CLI-02]', async () => {
    const place = freshFolder();
    const ran = await runOnce({ place, behaviours: ['poster=garbage'] });
    expect(ran.code).toBe(3);
    const [asked] = eventsNamed(ran.folder, 'decision.asked');
    expect(ran.out).toContain(String(asked?.['question']));
    expect(ran.out).toContain(`conference decide ${ran.folder} ${String(asked?.['decision_id'])}`);
    expect(ran.out).toContain(`conference run --resume ${ran.folder}`);
    expect(temporaryRoots(place)).toEqual([]);
  });

  test('4: BLOCKED, the code in the output; 3 lanes that all fail give no valid packet [CLI-02]', async () => {
    const place = freshFolder();
    const ran = await runOnce({ place, behaviours: ['all=exit:3'], args: ['--json'], values: { lanes: 3 } });
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.out)).toMatchObject({
      end: 'asked',
      state: 'BLOCKED',
      blocked: { code: 'BLOCKED_NO_VALID_PACKET' },
    });
    expect(temporaryRoots(place)).toEqual([]);
  });

  test('6: a time budget that ends before anything was reviewed [CLI-02 AUTO-23]', async () => {
    const place = freshFolder();
    const ran = await runOnce({
      place,
      behaviours: ['all=hang'],
      values: { constraints: ['**Time budget:** 1s'] },
    });
    expect(ran.code).toBe(6);
    expect(readEvents(ran.folder).at(-1)?.event).toBe('cleanup.receipt');
    expect(eventsNamed(ran.folder, 'dispatch.cancelled')).toHaveLength(2);
    expect(temporaryRoots(place)).toEqual([]);
  });

  test('0 with BUDGET_STOP in words: rounds are used up, and what was reviewed is synthesized [CLI-02]', async () => {
    const ran = await runOnce({
      place: freshFolder(),
      values: { rounds: 1, target: '>= 99' },
      args: ['--json'],
    });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      state: 'COMPLETE',
      outcome: 'BUDGET_STOP',
      target_met: false,
    });
  });

  test('2 and no stack for a wrong command line [CLI-02]', async () => {
    const cwd = freshFolder();
    for (const args of [
      ['nonsense'],
      ['run'],
      ['run', '--host', 'exec:true', '--slots', '0'],
      ['status', 'a', 'b'],
      ['plan', '--colour'],
    ]) {
      const ran = await conference(args, { cwd });
      expect(ran.code, args.join(' ')).toBe(2);
      expect(ran.err).not.toBe('');
      expect(ran.err).not.toMatch(/\n\s+at /);
      expect(ran.out).toBe('');
    }
  });

  test('1 with how to go on: the disk refuses a write, and what is recorded stands [CLI-02]', async () => {
    const place = freshFolder();
    mkdirSync(join(place, 'out', 'synthesis.md'), { recursive: true });
    const ran = await runOnce({ place });
    expect([1, 4]).toContain(ran.code);
    expect(ran.err).toContain('synthesis.md');
    expect(ran.err).not.toMatch(/\n\s+at /);
    expect(readEvents(ran.folder).at(-1)?.event).not.toBe('cleanup.receipt');
    expect(temporaryRoots(place)).toEqual([]);
  });
});

test('a folder that cannot be made is bad input, named, with the reason [CLI-02]', async () => {
  const place = freshFolder();
  writeFileSync(join(place, 'file'), '');
  const ran = await runOnce({ place, writeTo: 'file/out' });
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/file\/out.*ENOTDIR/);
});

test('other people’s bytes under the name of an artifact are never overwritten [PROTO-38]', async () => {
  const place = freshFolder();
  mkdirSync(join(place, 'out'));
  writeFileSync(join(place, 'out', 'synthesis.md'), 'mine\n');
  chmodSync(join(place, 'out', 'synthesis.md'), 0o644);
  const ran = await runOnce({ place });
  expect(ran.code).toBe(4);
  expect(ran.out + ran.err).toContain('BLOCKED_STALE_CONFERENCE_STATE');
  expect(readFileSync(join(place, 'out', 'synthesis.md'), 'utf8')).toBe('mine\n');
});

describe('slots', () => {
  test.each(process.env['FULL'] === '1' ? [1, 2, 3, 5] : [2])(
    'with %i slots never more children at once, and every lane is issued in waves [PROTO-24 CLI-18]',
    async (slots) => {
      const { code, folder, notes } = await runOnce({
        place: freshFolder(),
        slots,
        noting: true,
        behaviours: ['A=slow', 'B=slow', 'C=slow', 'D=slow', 'E=slow'],
        values: { lanes: 5 },
      });
      expect(code).toBe(0);
      const atOnce = [...readNotes(notes).values()].map((lines) => Number(noteOf(lines, 'at_once')));
      expect(atOnce).toHaveLength(8);
      expect(Math.max(...atOnce)).toBeLessThanOrEqual(slots);
      let open = 0;
      let most = 0;
      for (const { event, payload } of readEvents(folder)) {
        if (event === 'dispatch.issued' && payload['role'] === 'researcher') open += 1;
        if (event === 'dispatch.received') open -= 1;
        most = Math.max(most, open);
      }
      expect(most).toBe(slots);
      const lines = readEvents(folder);
      const collecting = lines.findIndex(({ payload }) => payload['next_state'] === 'COLLECTING');
      const issuedBefore = lines.slice(0, collecting).filter(({ event }) => event === 'dispatch.issued');
      expect(issuedBefore.map(({ payload }) => payload['lane'])).toEqual(['A', 'B', 'C', 'D', 'E']);
    },
  );

  test('a run on one slot is one child after the other, and the ledger says one slot [AUTO-07]', async () => {
    const { folder } = await runOnce({ place: freshFolder(), slots: 1 });
    expect(eventsNamed(folder, 'conference.started')).toMatchObject([{ slots: 1 }]);
    const order = readEvents(folder)
      .filter(({ event }) => event === 'dispatch.issued' || event === 'dispatch.received')
      .map(({ event }) => event);
    expect(order).toEqual(order.map((_, at) => (at % 2 === 0 ? 'dispatch.issued' : 'dispatch.received')));
    expect(readFileSync(join(folder, 'final_report.md'), 'utf8')).not.toMatch(/concurrent|parallel/i);
  });
});

test('a second run waits for the lock as long as it is told, then names the holder and starts nothing [CLI-02]', async () => {
  const place = freshFolder();
  const first = await startRun({ place, behaviours: ['all=hang'] });
  await first.waitFor('issued');
  const second = await conference([...first.args, '--lock-wait', '50ms'], { cwd: place });
  expect(second.code).toBe(1);
  expect(second.err).toContain('LEDGER_LOCKED');
  expect(second.err).toContain(String(first.child.pid));
  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(1);
});

test('words of --host reach the child as they are, without a shell; ./ means the folder of the caller [CLI-18]', async () => {
  const place = freshFolder();
  writeConferenceMd(place);
  mkdirSync(join(place, 'seen'));
  writeFileSync(
    join(place, 'child'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >"${place}/seen/$$"\nexec ${childScript}\n`,
    { mode: 0o755 },
  );
  const digest = await planDigest({ cwd: place });
  const ran = await conference(
    ['run', '--host', `exec:./child 'a b' $HOME "*" a\\;b ../x`, '--confirm', digest],
    { cwd: place },
  );
  expect(ran.code, ran.err).toBe(0);
  const [one = ''] = readdirSync(join(place, 'seen'));
  expect(readFileSync(join(place, 'seen', one), 'utf8').split('\n')).toEqual([
    'a b',
    '$HOME',
    '*',
    'a;b',
    join(place, '..', 'x'),
    '',
  ]);
});
