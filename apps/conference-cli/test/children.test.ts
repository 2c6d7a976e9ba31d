/**
 * The bugs these exist to catch: a child whose misbehaviour stops the round, costs more than its own dispatch, reaches
 * the ledger or the terminal, or outlives its dispatch. The children are `fixtures/child.sh`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conference, freshFolder, isAlive, until } from './support/command.ts';
import { eventsNamed, readEvents } from './support/folder.ts';
import { prepareRun, runOnce, runWithOneHanging, temporaryRoots, type RunInput } from './support/run.ts';

/** Lane A misbehaves, lane B does not: the round goes on. */
async function runWith(behaviour: string, more: Partial<RunInput> = {}) {
  const place = freshFolder();
  const ran = await runOnce({ place, behaviours: [`A=${behaviour}`], ...more });
  expect(temporaryRoots(place)).toEqual([]);
  return { ...ran, place, failed: eventsNamed(ran.folder, 'dispatch.failed') };
}

describe('a lane that', () => {
  test.each([
    ['exit:3', 'host_failed', /exit code 3/],
    ['empty', 'PACKET_MALFORMED', /expected one JSON object/],
    ['garbage', 'PACKET_MALFORMED', /expected one JSON object/],
    ['twice', 'PACKET_MALFORMED', /one/],
    ['other-id', 'PACKET_IDENTITY', /dispatch_id/],
    ['status-failed', 'packet_failed', /reports that it failed/],
    ['big', 'PACKET_OVERSIZED', /at most 65536 bytes/],
  ])(
    'ends by %s fails with %s alone, and the conference goes on with the other lane [CLI-18 AUTO-14]',
    async (behaviour, code, reason) => {
      const { failed, code: exit, folder } = await runWith(behaviour);
      expect(exit).toBe(0);
      expect(failed).toHaveLength(1);
      expect(failed[0]).toMatchObject({ code, reason: expect.stringMatching(reason) as string });
      expect(eventsNamed(folder, 'dispatch.received').length).toBe(4);
      const report = readFileSync(join(folder, 'final_report.md'), 'utf8');
      expect(report).toContain(`A failed (${code})`);
    },
  );

  test('wraps its packet in prose and a fence is read, and audit keeps every byte it sent', async () => {
    const { code, failed, folder } = await runWith('fenced');
    expect([code, failed]).toEqual([0, []]);
    const packets = readdirSync(join(folder, 'packets')).map((name) =>
      readFileSync(join(folder, 'packets', name), 'utf8'),
    );
    expect(packets.some((text) => text.startsWith('Here is my packet.'))).toBe(true);
  });

  test('says that it is blocked is received without evidence', async () => {
    const { code, failed, folder } = await runWith('blocked');
    expect([code, failed]).toEqual([0, []]);
    expect(eventsNamed(folder, 'dispatch.received')[0]).toBeDefined();
    expect(readFileSync(join(folder, 'conference_results.tsv'), 'utf8')).toMatch(/^1\tA\t.*\tfailed\t/m);
  });

  test('sends a secret fails by rule, and the secret is in no file and no output', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const { code, failed, folder, out, err } = await runWith('secret');
    expect(code).toBe(0);
    expect(failed).toMatchObject([{ code: 'PACKET_SECRET' }]);
    expect(out + err).not.toContain(secret);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })) {
      if (!name.isFile()) continue;
      expect(readFileSync(join(name.parentPath, name.name), 'utf8').includes(secret), name.name).toBe(false);
    }
  });

  test.each(['hang', 'deaf'])(
    'never answers (%s) is timed out at its deadline and is gone after the run [CLI-18 AUTO-23]',
    async (behaviour = '') => {
      const behaviours = [`A=${behaviour}`];
      const { code, folder, notes } = await runWithOneHanging({
        place: freshFolder(),
        behaviours,
        noting: true,
      });
      expect(code).toBe(0);
      const timedOut = eventsNamed(folder, 'dispatch.timed_out');
      expect(timedOut).toHaveLength(1);
      const at = readEvents(folder).find(({ event }) => event === 'dispatch.timed_out')?.timestamp ?? '';
      expect(at >= String(timedOut[0]?.['deadline'])).toBe(true);
      const note = readFileSync(
        join(notes, readdirSync(notes).find((name) => name.startsWith('A1.')) ?? ''),
        'utf8',
      );
      const pid = Number(/^pid=(\d+)$/m.exec(note)?.[1]);
      expect(pid).toBeGreaterThan(0);
      expect(isAlive(pid)).toBe(false);
    },
  );

  test.each([
    ['held', 'holds its pipe open'],
    ...(process.platform === 'linux' ? [['escaped', 'left its group and holds its pipe open']] : []),
  ])(
    'leaves a process behind (%s: it %s) is received all the same, and that process ends [CLI-18 AUTO-23]',
    async (behaviour = '') => {
      const { code, failed, notes } = await runWith(behaviour, { noting: true });
      expect([code, failed]).toEqual([0, []]);
      const pid = Number(readFileSync(join(notes, 'grandchild'), 'utf8'));
      await until(() => !isAlive(pid), 'the end of the grandchild');
    },
  );

  test('cannot be started fails, and the terminal says why', async () => {
    const place = freshFolder();
    const { args } = await prepareRun({ place });
    args[args.indexOf('--host') + 1] = 'exec:./no-such-child';
    const ran = await conference(args, { cwd: place });
    expect(ran.code).toBe(4);
    expect(ran.err).toMatch(/no-such-child: not found/);
    expect(eventsNamed(join(place, 'out'), 'dispatch.failed')).toMatchObject([
      { code: 'host_failed', reason: 'the child ended with exit code 127' },
      { code: 'host_failed' },
    ]);
  });
});

describe('stderr of a child', () => {
  test('goes to the terminal, its last 2 KiB without escapes, and into no file [CLI-18]', async () => {
    const { code, err, folder } = await runWith('noise');
    expect(code).toBe(0);
    const [line = ''] = err.split('\n').filter((text) => text.includes('stderr of'));
    expect(line).toContain('red');
    expect(line).toContain('last words');
    expect(Buffer.byteLength(line)).toBeLessThan(2_048 + 200);
    // oxlint-disable-next-line no-control-regex -- there must be none
    expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
    expect(readFileSync(join(folder, 'conference_events.jsonl'), 'utf8')).not.toContain('last words');
  });

  test('is not shown when a secret rule matches it', async () => {
    const { code, out, err } = await runWith('leak');
    expect(code).toBe(0);
    expect(err).toMatch(/stderr of [0-9A-Z]{26}: \[not shown: a secret rule matched \(github\)\]/);
    expect(out + err).not.toContain('ghp_');
  });
});
