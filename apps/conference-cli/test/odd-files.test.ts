/**
 * The bug to catch: something under a known name is no file of ours, and a verb waits for it, breaks on it, or asks about it
 * for ever. Pipes, folders, huge files, and the user's own file after the end.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { conference, json, makeQuickPlace, removePlace } from './support/crash/command.ts';
import { dispatch, packetFor, proceed, submit } from './support/crash/packets.ts';
import { confirmed, planText } from './support/crash/plan.ts';
import { keep, type Stage } from './support/crash/stage.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let place: string;
let folder: string;
/** Reviewed, the synthesis due. */
let synthesis: Stage;

beforeAll(async () => {
  place = makeQuickPlace();
  folder = await confirmed(place, { target: '>= 61', timeout: '2h' });
  await proceed(folder, 3);
  synthesis = keep(folder, join(place, 'kept'));
});
afterAll(() => removePlace(place));

const verb = (...words: string[]) => json(words, { cwd: place });
const pipe = (name: string): void => {
  rmSync(join(folder, name), { force: true });
  execFileSync('mkfifo', [join(folder, name)]);
};

test('a pipe under a known name is not waited for: recover, verify and dispatch end and say which file is not there [PROTO-35]', async () => {
  synthesis.restore();
  const [packet] = readdirSync(join(folder, 'packets'));
  for (const name of ['poster_session_round_1.md', `packets/${packet}`]) {
    synthesis.restore();
    pipe(name);
    const recovered = await verb('recover', folder);
    expect([recovered.code, recovered.document.receipt?.['stale_state']]).toEqual([
      4,
      'BLOCKED_STALE_CONFERENCE_STATE',
    ]);
    const { code, out } = await conference(['verify', folder, '--json'], { cwd: place });
    expect([code, out]).toEqual([4, expect.stringContaining(name.startsWith('packets') ? 'a pipe' : name)]);
  }
  synthesis.restore();
  pipe('conference.md');
  expect((await verb('recover', folder)).code).toBe(0);
  expect((await conference(['verify', folder], { cwd: place })).code).toBe(4);
  pipe('final_report.md');
  expect((await conference(['verify', folder], { cwd: place })).code).toBe(4);
});

// Elsewhere the file itself is locked.
test.runIf(process.platform === 'linux')(
  'a pipe in the place of ledger.lock names nobody: readers read on, and a writer is refused in time [LEDG-03]',
  async () => {
    synthesis.restore();
    pipe('ledger.lock');
    expect((await verb('status', folder)).code).toBe(0);
    const { code, document } = await verb('expire', folder, '--lock-wait', '100ms');
    expect([code, document.error?.code]).toEqual([1, 'LEDGER_LOCKED']);
  },
);

test('a file in the place of a content folder is content that is missing, and no failure of verify [PROTO-35]', async () => {
  synthesis.restore();
  for (const name of ['packets', 'objects']) {
    rmSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name), 'not a folder');
    const { code, out, err } = await conference(['verify', folder], { cwd: place });
    expect([name, code, out]).toEqual([name, 4, expect.stringContaining('Does not hold')]);
    expect(err).not.toContain('    at ');
  }
});

test('what differs is told to whoever answers another question, and is decided on after it [PROTO-35]', async () => {
  synthesis.restore();
  const [due] = await dispatch(folder);
  await submit(folder, due?.dispatch_id, 'nothing to read here');
  appendFileSync(join(folder, 'peer_review_round_1.md'), 'a remark');
  const { code, document } = await verb('recover', folder);
  const shown = (document.proposals ?? []).map(({ row, options }) => [row, options.map(({ id }) => id)]);
  expect([code, shown]).toEqual([
    4,
    [
      ['bytes_differ', []],
      ['synthesis_missing', ['redispatch', 'complete_without']],
    ],
  ]);
  expect(document.proposals?.[0]?.found).toContain('peer_review_round_1.md');
  const early = await verb('decide', folder, document.proposals?.[0]?.proposal_id ?? '', 'revalidate');
  expect([early.code, early.document.error?.code]).toEqual([2, 'NO_SUCH_OPTION']);
});

test('a folder in the place of an artifact is not written over: the conference stays BLOCKED until it is moved away [PROTO-34]', async () => {
  synthesis.restore();
  const path = join(folder, 'peer_review_round_1.md');
  const bytes = readFileSync(path, 'utf8');
  rmSync(path);
  mkdirSync(path);
  const decide = async () => {
    const [differ] = (await verb('recover', folder)).document.proposals ?? [];
    return verb('decide', folder, differ?.proposal_id ?? '', 'revalidate');
  };
  const refused = await decide();
  expect([refused.code, refused.document.error?.message]).toEqual([
    4,
    expect.stringContaining('is a folder'),
  ]);
  expect((await verb('status', folder)).document.state).toBe('BLOCKED');
  rmdirSync(path);
  const { code, document } = await decide();
  expect([code, document.state, readFileSync(path, 'utf8')]).toEqual([0, 'SYNTHESIZING', bytes]);
});

test('a conference.md that grew beyond what is read back is named by its size, and not parsed [PROTO-34]', async () => {
  synthesis.restore();
  truncateSync(join(folder, 'conference.md'), 80 * 2 ** 20);
  const { code, document } = await verb('recover', folder);
  expect([code, document.proposals?.[0]?.row]).toEqual([4, 'bytes_differ']);
  expect(document.proposals?.[0]?.found).toContain(`conference.md has ${80 * 2 ** 20} bytes`);
});

test('after the end the plan in conference.md is the user’s again: a restart over it is asked about once', async () => {
  synthesis.restore();
  writeFileSync(join(folder, 'conference.md'), planText({ target: '>= 99' }));
  const { document } = await verb('recover', folder);
  const [differ] = document.proposals ?? [];
  expect(differ?.row).toBe('bytes_differ');
  const restarted = await verb('decide', folder, differ?.proposal_id ?? '', 'restart');
  expect([restarted.code, restarted.document.state]).toEqual([0, 'CANCELLED']);
  const ended = await verb('recover', folder);
  expect([ended.code, ended.document.proposals]).toEqual([0, []]);
  expect(ended.document.receipt).toMatchObject({ stale_state: 'current', cleanup: 'done' });
  expect(readFileSync(join(folder, 'conference.md'), 'utf8')).toBe(planText({ target: '>= 99' }));
});

test('a time for a receipt is ISO 8601 with its zone, so that it means the same on every machine [RECO-10]', async () => {
  synthesis.restore();
  for (const at of [
    '1',
    'Dec 1',
    '2026-12-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '',
  ]) {
    const { code, document } = await verb('recover', folder, '--at', at);
    expect([at, code, document.error?.code]).toEqual([at, 2, 'AT_INVALID']);
  }
  const [zulu, offset] = [
    await verb('recover', folder, '--at', '2999-12-01T00:00:00Z'),
    await verb('recover', folder, '--at', '2999-12-01T02:00:00+02:00'),
  ];
  expect(offset.document).toEqual(zulu.document);
});

test('a recording that lost a packet is refused as a host before anything is written', async () => {
  const recorded = await confirmed(place, { target: '>= 61', timeout: '2h' }, 'recorded');
  const [first] = await dispatch(recorded);
  await submit(recorded, first?.dispatch_id, packetFor(first?.charter));
  for (const name of readdirSync(join(recorded, 'packets'))) rmSync(join(recorded, 'packets', name));
  const { document } = await verb('plan', join(recorded, 'conference.md'));
  const words = [
    '--host',
    `replay:${recorded}`,
    '--confirm',
    document.plan_digest ?? '',
    '--write-to',
    'again',
  ];
  const ran = await verb('run', join(recorded, 'conference.md'), ...words);
  expect([ran.code, ran.document.error?.code]).toEqual([2, 'HOST_INVALID']);
  expect(readdirSync(place)).not.toContain('again');
});
