/**
 * The bugs these exist to catch: an artifact that depends on the machine (zone, locale, umask, folder, clock, order of
 * a Map), and a recording whose failures, timeouts and answers do not come out again.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  childScript,
  conference,
  freshFolder,
  makeFolder,
  removeFolder,
  type Ran,
} from './support/command.ts';
import { planDigest, writeConferenceMd, type Values } from './support/conference-md.ts';
import { eventsNamed, readEvents, snapshot, type Line } from './support/folder.ts';
import { noteOf, readNotes, runOnce, runWithOneHanging, startRun } from './support/run.ts';

const LEDGER = 'conference_events.jsonl';
const REPORT = 'final_report.md';

interface Machine {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
}
const HERE: Machine = { env: { TZ: 'UTC', LC_ALL: 'C' }, umask: '022' };
const THERE: Machine = {
  env: { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
  umask: '000',
};

/** Replays `recording` into `to`, both folders; `conference.md` lies in `place`. */
async function replay(
  place: string,
  recording: string,
  {
    to,
    machine = HERE,
    slots = 2,
  }: { readonly to: string; readonly machine?: Machine; readonly slots?: number },
): Promise<Ran> {
  const digest = await planDigest({ cwd: place });
  return conference(
    ['run', '--host', `replay:${recording}`, '--slots', String(slots), '--confirm', digest, '--write-to', to],
    {
      cwd: place,
      env: machine.env,
      wrapper: ['/bin/sh', '-c', `umask ${machine.umask}; exec "$@"`, 'umask'],
    },
  );
}

/** What must be the same anywhere: every file but the ledger, and the report without its ledger line. */
function artifacts(folder: string): Record<string, string> {
  const { [LEDGER]: _ledger, [REPORT]: _report, ['ledger.lock']: _lock, ...rest } = snapshot(folder);
  return { ...rest, [REPORT]: withoutLedgerLine(folder) };
}

function withoutLedgerLine(folder: string): string {
  const lines = readFileSync(join(folder, REPORT), 'utf8').split('\n');
  const kept = lines.filter((line) => !/ledger/i.test(line) || !/sha256:/.test(line));
  expect(lines.length - kept.length).toBe(1);
  return kept.join('\n');
}

/**
 * Events without what a folder or a replay changes: the chain, the grant, the `replay` mark, the report's digest, and the
 * limitation that this is a replay in the synthesis charter and the receipt.
 */
function told(folder: string): { event: string; timestamp: string; payload: Line['payload'] }[] {
  return readEvents(folder)
    .filter(({ event }) => event !== 'grant.activated')
    .map(({ event, timestamp, payload }) => {
      const { replay: _replay, ...rest } = payload;
      if (event === 'dispatch.issued' && payload['role'] === 'synthesis') {
        const { charter_digest: _charter, context_digest: _context, ...issued } = rest;
        return { event, timestamp, payload: issued };
      }
      if (event === 'cleanup.receipt') {
        const listed = payload['residual_uncertainty'] as string[] | 'none';
        const said = listed === 'none' ? [] : listed;
        return {
          event,
          timestamp,
          payload: { ...rest, residual_uncertainty: said.filter((one) => !one.includes('replay')) },
        };
      }
      if (event !== 'artifact.written' || payload['path'] !== REPORT)
        return { event, timestamp, payload: rest };
      const { digest: _digest, bytes: _bytes, ...written } = rest;
      return { event, timestamp, payload: written };
    });
}

describe('a recorded conference', () => {
  let place: string;
  let recording: string;
  const values: Values = { lanes: 3, target: '>= 60' };
  beforeAll(async () => {
    place = makeFolder();
    // A refused packet, a child that fails, one that is timed out, and a second round.
    const behaviours = ['A1=garbage', 'C1=hang', 'C2=exit:3'];
    const ran = await runWithOneHanging({ place, slots: 3, values, behaviours });
    expect(ran.code, ran.err).toBe(0);
    recording = ran.folder;
    return () => removeFolder(place);
  }, 180_000);

  test('comes out twice byte for byte under another zone, locale, umask and folder, but for the ledger line of the report [PROTO-38 CONF-28 LEDG-25]', async () => {
    const one = await replay(place, 'out', { to: 'one' });
    const two = await replay(place, 'out', { to: 'deep/er/two', machine: THERE });
    expect([one.code, two.code], one.err + two.err).toEqual([0, 0]);
    expect(artifacts(join(place, 'deep/er/two'))).toEqual(artifacts(join(place, 'one')));
    for (const folder of ['one', 'deep/er/two'])
      expect((await conference(['verify', folder, '--deep'], { cwd: place })).code, folder).toBe(0);
  });

  test('has the same ids, order, times, packets and failures as the recording [CLI-20 CONF-28]', async () => {
    const ran = await replay(place, 'out', { to: 'again' });
    expect(ran.code).toBe(0);
    const again = join(place, 'again');
    expect(told(again)).toEqual(told(recording));
    expect(
      eventsNamed(again, 'dispatch.failed')
        .map(({ code }) => String(code))
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['PACKET_MALFORMED', 'host_failed']);
    expect(eventsNamed(again, 'dispatch.timed_out')).toHaveLength(1);
  });

  test('gives the same ledger too where the granted path is the same, also when the replay itself is replayed [PROTO-38 LEDG-25]', async () => {
    const to = 'same/place';
    await replay(place, 'out', { to });
    renameSync(join(place, to), join(place, 'same/first'));
    await replay(place, 'out', { to, machine: THERE });
    expect(snapshot(join(place, to))).toEqual(snapshot(join(place, 'same/first')));
    renameSync(join(place, to), join(place, 'same/second'));
    await replay(place, 'same/first', { to, machine: THERE });
    expect(snapshot(join(place, to))).toEqual(snapshot(join(place, 'same/first')));
  });

  test('says in its report that it is a replay; the recording does not [CLI-20]', async () => {
    await replay(place, 'out', { to: 'told' });
    expect(readFileSync(join(place, 'told', REPORT), 'utf8')).toMatch(/replay/i);
    expect(readFileSync(join(recording, REPORT), 'utf8')).not.toMatch(/replay/i);
    expect(eventsNamed(join(place, 'told'), 'conference.planned')).toMatchObject([{ replay: true }]);
  });

  test('is left as it was [CLI-20]', async () => {
    const before = snapshot(recording);
    await replay(place, 'out', { to: 'left' });
    expect(snapshot(recording)).toEqual(before);
  });

  test('does not fit another plan: no report of it comes out as if it did [CLI-20]', async () => {
    const other = freshFolder();
    writeConferenceMd(other, { ...values, lanes: 4 });
    const ran = await replay(other, recording, { to: 'other' });
    expect(ran.code).not.toBe(0);
    expect(ran.code).not.toBeNull();
    expect(ran.err).not.toMatch(/\n\s+at /);
  });
});

describe('recordings that did not come to a report by themselves', () => {
  test('a decision nobody answered: the replay asks the same, with exit 4 as the run had [CLI-20]', async () => {
    const place = freshFolder();
    const recorded = await runOnce({ place, behaviours: ['all=exit:3'] });
    const ran = await replay(place, 'out', { to: 'again' });
    expect([recorded.code, ran.code]).toEqual([4, 4]);
    expect(told(join(place, 'again'))).toEqual(told(recorded.folder));
  });

  test('a cancel by Ctrl-C: the replay is cancelled at the same place [CLI-20]', async () => {
    const place = freshFolder();
    const run = await startRun({ place, noting: true, behaviours: ['A=hang'] });
    await run.waitFor('received');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(Number(noteOf(readNotes(run.notes).get('A1'), 'pid'))).toBeGreaterThan(0);
    const ran = await replay(place, 'out', { to: 'again' });
    expect(ran.code, ran.err).toBe(130);
    expect(told(join(place, 'again'))).toEqual(told(run.folder));
  });

  test('a time budget that was reached: the replay stops there, with exit 6 [CLI-20]', async () => {
    const place = freshFolder();
    const recorded = await runOnce({
      place,
      behaviours: ['all=hang'],
      values: { constraints: ['**Time budget:** 1s'] },
    });
    const ran = await replay(place, 'out', { to: 'again' });
    expect([recorded.code, ran.code]).toEqual([6, 6]);
    expect(told(join(place, 'again'))).toEqual(told(recorded.folder));
  });

  test('an answered decision: the replay answers alike, and goes on to the same report [CLI-20]', async () => {
    const place = freshFolder();
    const first = await runOnce({ place, behaviours: ['poster=garbage'] });
    expect(first.code).toBe(3);
    const [asked] = eventsNamed(first.folder, 'decision.asked');
    const id = String(asked?.['decision_id']);
    const options = ((asked?.['options'] ?? []) as { readonly id: string }[]).map((option) => option.id);
    const option = options.find((name) => name !== 'redispatch' && name !== 'stop') ?? '';
    const decided = await conference(['decide', 'out', id, option], { cwd: place });
    expect(decided.code, decided.err).toBe(0);
    const host = first.args[first.args.indexOf('--host') + 1] ?? '';
    const resumed = await conference(['run', '--resume', 'out', '--host', host, '--slots', '2'], {
      cwd: place,
    });
    const after = resumed.code === 3 ? await acceptAndResume(place, host) : resumed;
    expect(after.code, after.err + after.out).toBe(0);
    const ran = await replay(place, 'out', { to: 'again' });
    expect(ran.code, ran.err + ran.out).toBe(0);
    expect(artifacts(join(place, 'again'))[`peer_review_round_1.md`]).toBe(
      artifacts(first.folder)['peer_review_round_1.md'],
    );
    expect(eventsNamed(join(place, 'again'), 'decision.answered')).toMatchObject([
      { decision_id: id, option },
    ]);
  });
});

test('a recording that was blocked over an edited plan, inspected and revalidated: the replay stops and goes on at the same places [CLI-20]', async () => {
  const place = freshFolder();
  const values: Values = { target: '>= 62', constraints: ['**pause_every:** every_round'] };
  const first = await runOnce({ place, values });
  expect(first.code, first.err).toBe(3);
  const host = first.args[first.args.indexOf('--host') + 1] ?? '';
  const file = join(first.folder, 'conference.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('>= 62', '>= 99'));
  const blocked = await acceptAndResume(place, host);
  expect(blocked.code, blocked.err).toBe(4);
  await decideLast(place, first.folder, 'revalidate');
  await decideLast(place, first.folder, 'continue');
  const ended = await acceptAndResume(place, host);
  expect([0, 3]).toContain(ended.code);
  const names = readEvents(first.folder).map(({ event }) => event);
  for (const name of ['recovery.inspected', 'conference.blocked']) expect(names).toContain(name);

  const ran = await replay(place, 'out', { to: 'again' });
  expect(ran.code, ran.err + ran.out).toBe(ended.code);
  // The edit of the plan's file is no part of the recording, so its bytes are other ones.
  const withoutFile = (folder: string) =>
    told(folder).map((line) =>
      line.payload['path'] === 'conference.md' ? { ...line, payload: { path: 'conference.md' } } : line,
    );
  expect(withoutFile(join(place, 'again'))).toEqual(withoutFile(first.folder));
});

test('a recording that was killed, inspected and resumed: what was asked about the lost lane is asked at the same place [CLI-20]', async () => {
  const place = freshFolder();
  const run = await startRun({ place, behaviours: ['B=hang'] });
  await run.waitFor('received');
  run.child.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
  const host = `exec:${childScript}`;
  const asked = await acceptAndResume(place, host);
  expect(asked.code, asked.err).toBe(3);
  await decideLast(place, run.folder, 'redispatch');
  const ended = await acceptAndResume(place, host);
  expect(ended.code, ended.err).toBe(0);
  expect(eventsNamed(run.folder, 'dispatch.failed')).toMatchObject([{ code: 'host_lost' }]);
  const ran = await replay(place, 'out', { to: 'again' });
  expect(ran.code, ran.err).toBe(0);
  expect(told(join(place, 'again'))).toEqual(told(run.folder));
});

async function decideLast(place: string, folder: string, option: string): Promise<void> {
  const id = String(eventsNamed(folder, 'decision.asked').at(-1)?.['decision_id']);
  const decided = await conference(['decide', 'out', id, option], { cwd: place });
  expect(decided.code, decided.err + decided.out).toBe(0);
}

/** Without a terminal a resume names the receipt that is to be accepted. */
async function acceptAndResume(place: string, host: string): Promise<Ran> {
  const { out } = await conference(['recover', 'out', '--json'], { cwd: place });
  const accept = /"(?:receipt_digest|digest)":"(sha256:[0-9a-f]{64})"/.exec(out)?.[1] ?? '';
  return conference(['run', '--resume', 'out', '--accept', accept, '--host', host, '--slots', '2'], {
    cwd: place,
  });
}

describe('packets from files', () => {
  /** What `child.sh` would say, with the id left open. */
  function writePackets(folder: string): void {
    mkdirSync(folder);
    const base = (role: string, claims = '[]') =>
      `{"dispatch_id":"{{dispatch_id}}","role":"${role}","status":"completed","claims":${claims},"uncertainties":[],"recommended_root_actions":[],`;
    const research = (value: string) =>
      `${base('researcher', `[{"claim":"it gives ${value}","evidence":"measured","confidence":"high"}]`)}"hypotheses":[],"measurements":[{"name":"score","value":"${value}","provenance":"one run"}],"stuck_level":0}`;
    const files: Record<string, string> = {
      'r1-A.json': research('55'),
      // The first attempt answers nothing that can be read.
      'r1-B.json': 'no packet',
      'r1-review.json': `${base('reviewer')}"verdicts":[]}`,
      'r1-synthesis.json': `${base('synthesis')}"established":[],"promising":[],"negative_results":[],"contradictions":[],"next_decisions":[]}`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  }

  test('run under a fixed clock and an id from the plan: two runs are the same bytes, anywhere [CLI-20 CONF-28 PROTO-38]', async () => {
    const place = freshFolder();
    writeConferenceMd(place, { rounds: 1, timeout: '1h' });
    writePackets(join(place, 'files'));
    const one = await replay(place, 'files', { to: 'x/out' });
    // No file for the poster: it never answers, and the clock goes to its deadline at once.
    expect(one.code, one.err).toBe(3);
    const events = readEvents(join(place, 'x/out'));
    expect(events[0]?.timestamp).toBe('2000-01-01T00:00:00.000Z');
    expect(events.filter(({ event }) => event === 'dispatch.timed_out')).toHaveLength(1);
    expect(events.find(({ event }) => event === 'dispatch.failed')?.payload).toMatchObject({
      code: 'PACKET_MALFORMED',
    });
    renameSync(join(place, 'x/out'), join(place, 'x/first'));
    const two = await replay(place, 'files', { to: 'x/out', machine: THERE });
    expect(two.code).toBe(3);
    expect(snapshot(join(place, 'x/out'))).toEqual(snapshot(join(place, 'x/first')));
    const planned = eventsNamed(join(place, 'x/out'), 'conference.planned')[0];
    const other = freshFolder();
    writeConferenceMd(other, { rounds: 1, timeout: '2h' });
    writePackets(join(other, 'files'));
    await replay(other, 'files', { to: 'out' });
    expect(eventsNamed(join(other, 'out'), 'conference.planned')[0]?.['conference_id']).not.toBe(
      planned?.['conference_id'],
    );
  });
});
