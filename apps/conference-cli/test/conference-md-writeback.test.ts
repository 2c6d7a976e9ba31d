/**
 * Catches a conference that writes its file back wrongly, or over an edit: real folders, real ledgers, children by script.
 * What a person does to conference.md between two rounds happens while the reviewer works.
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFERENCE_MD, EVENTS_JSONL } from '@x/conference-core';
import { openChair, runConference, type Asker, type Chair } from '@x/conference-core/chair';
import {
  manualClock,
  noScanner,
  packetMessage,
  posterPacket,
  researchPacket,
  reviewerPacket,
  scriptedHost,
  synthesisPacket,
} from '@x/conference-core/testing';
import { digestOf, parseConferenceId, type Charter } from '@x/protocol';
import { expect, test } from 'vitest';
import { writtenRootsDigest } from '../src/conference-md/drift-conference-md.ts';
import { gateConferenceMd } from '../src/conference-md/gate-conference-md.ts';
import { grantFor } from '../src/grants/make-grant.ts';
import { recordPlan } from '../src/record-plan.ts';
import { openStore } from '../src/store/open-store.ts';
import { verifyFolder } from '../src/verify/verify-folder.ts';
import { conference, freshFolder } from './support/command.ts';

const ID = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (ID === null) throw new Error('not a ULID');

const FILE = `\uFEFF# Mine

## Goal

Find it.

## Mode

metric

## Success Metric

- **Metric:** ms
- **Target:** <= 1 ms
- **Direction:** minimize

## Researchers

- **Count:** 2
- **Iterations per round:** 2
- **Max rounds:** 2
- **Critic / Devil's Advocate:** no
- **Colour:** green

## Search Space

- **Allowed changes:** settings
- **Forbidden changes:** none

## Constraints

- **Researcher timeout:** 10m

## Shared Knowledge

Known before.

## Notes

Mine.`.replaceAll('\n', '\r\n');

function packetFor(charter: Charter) {
  switch (charter.role) {
    case 'researcher':
      return researchPacket(charter, [`${20 - charter.round} ms`, 'fast']);
    case 'poster':
      return posterPacket(charter);
    case 'reviewer':
      return reviewerPacket(charter);
    case 'synthesis':
      return synthesisPacket(charter);
  }
}

const nobody: Asker = { name: 'nobody', ask: () => Promise.resolve(null) };
const answers = (option: 'revalidate' | 'restart'): Asker => ({
  name: 'test',
  ask: () => Promise.resolve(option),
});

/** Runs the conference of a folder's file; `meanwhile` is done to the folder while a round is reviewed. */
async function run(
  folder: string,
  { meanwhile, asker = nobody }: { meanwhile?: (round: number) => void; asker?: Asker } = {},
) {
  const bytes = readFileSync(join(folder, CONFERENCE_MD));
  const { gate, contents } = gateConferenceMd(bytes.toString('utf8'), { folder, passEnv: [] });
  const granted = grantFor(folder, folder);
  if (!gate.complete || !granted.ok || ID === null) throw new Error('the sample cannot be run');
  const { grant } = granted;
  const store = await openStore({ folder, grant, create: true, lockWaitMs: 1_000, purpose: 'test' });
  if (!store.ok) throw new Error(store.failure.message);
  const clock = manualClock(Date.parse('2026-11-30T12:00:00.000Z'));
  const chair: Chair = openChair({ ...store.store, clock, scanner: noScanner }, store.store.state);
  const loaded = {
    ok: true as const,
    file: join(folder, CONFERENCE_MD),
    bytes,
    source_digest: digestOf(bytes),
    written_roots_digest: writtenRootsDigest(new TextDecoder().decode(bytes)),
    gate,
    contents,
  };
  expect(
    recordPlan(
      chair,
      { loaded, plan: gate.plan, grant, conferenceId: ID, replay: false },
      store.store.artifacts,
    ),
  ).toBe(null);
  const capability = { delegate_task: true, slots: 2 };
  chair.execute({ command: 'confirm', plan_digest: gate.plan_digest, capability, confirmed_by: 'test' });
  const host = scriptedHost((charter) => {
    if (charter.role === 'reviewer') meanwhile?.(charter.round);
    return [packetMessage(charter.dispatch_id, packetFor(charter))];
  }, capability);
  const end = await runConference(chair, {
    host,
    asker,
    artifacts: store.store.artifacts,
    signal: new AbortController().signal,
    driver: 'embedded',
  });
  const { state } = chair;
  await store.store.close();
  return { end, state, plan_digest: gate.plan_digest, contents };
}

const md = (folder: string): string => readFileSync(join(folder, CONFERENCE_MD), 'utf8');
const edit = (folder: string, from: string, to: string): void =>
  writeFileSync(join(folder, CONFERENCE_MD), md(folder).replace(from, to));

function folderWith(text: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, CONFERENCE_MD), text);
  return folder;
}

const ROWS = [
  '| 1 | A | 19 ms | setting 1 of lane A in round 1 gives 19 ms | validated |',
  '| 1 | B | 19 ms | setting 1 of lane B in round 1 gives 19 ms | validated |',
  '| 2 | A | 18 ms | setting 1 of lane A in round 2 gives 18 ms | validated |',
  '| 2 | B | 18 ms | setting 1 of lane B in round 2 gives 18 ms | validated |',
];

async function verified(folder: string) {
  const result = await verifyFolder(folder, { deep: true });
  return result.ok ? result.verification.findings : result.failure;
}

test('a conference leaves its file with a row a round and lane, what was validated, and every byte of the user [LEDG-21 AUTO-19 LEDG-25]', async () => {
  const folder = folderWith(FILE);
  const { end, state, plan_digest, contents } = await run(folder);
  expect(end.end).toBe('done');
  const written = md(folder);
  // The user's part, cut at the two places where something was put in.
  const [before, after] = FILE.split('\r\n\r\n## Notes');
  expect(written.startsWith(`${before}\r\n\r\n<!-- conference ${ID}: validated findings`)).toBe(true);
  expect(written).toContain(
    ` -->\r\n\r\n## Notes${after}\r\n\r\n---\r\n\r\n## Conference Log\r\n\r\n| Round |`,
  );
  for (const row of ROWS) expect(written).toContain(`\r\n${row}\r\n`);
  expect(written).toContain('\r\n- setting 1 of lane B in round 2 gives 18 ms (round 2, lane B, packet `');
  expect(written.replaceAll('\r\n', '')).not.toContain('\n');
  expect(state.artifacts.get(CONFERENCE_MD)).toMatchObject({ digest: digestOf(written), round: 2 });
  expect(await verified(folder)).toEqual([]);
  // Whoever plans from it again gets the same plan and the same quotations.
  const again = gateConferenceMd(written, { folder, passEnv: [] });
  expect(again.gate).toMatchObject({ complete: true, plan_digest });
  expect(again.contents).toEqual(contents);
});

test('prose that somebody edits between two rounds is read again and merged [LEDG-26]', async () => {
  const folder = folderWith(FILE);
  const { end } = await run(folder, { meanwhile: (round) => edit(folder, 'Mine', `Mine of round ${round}`) });
  expect(end.end).toBe('done');
  expect(md(folder)).toContain('# Mine of round 2 of round 1');
  for (const row of ROWS) expect(md(folder)).toContain(row);
  expect(await verified(folder)).toEqual([]);
});

test.each([
  ['the plan', '- **Max rounds:** 2', '- **Max rounds:** 9'],
  ['a quoted section', 'Known before.', 'Known better.'],
])(
  '%s that somebody edits stops the conference, and the user is asked [LEDG-26 PROTO-35]',
  async (_, from, to) => {
    const folder = folderWith(FILE);
    const { end, state } = await run(folder, { meanwhile: () => edit(folder, from, to) });
    expect([end.end, state.state, state.blocked?.code]).toEqual([
      'asked',
      'BLOCKED',
      'BLOCKED_STALE_CONFERENCE_STATE',
    ]);
    expect(state.pending?.options.map(({ id }) => id)).toEqual(['revalidate', 'restart']);
    // Nothing was written over, and nothing of the round is lost.
    expect(md(folder)).toBe(FILE.replace(from, to));
    expect(state.artifacts.has(CONFERENCE_MD)).toBe(false);
  },
);

test('a user who takes the file as it is gets every round in its log, whoever carries the answer out [LEDG-26]', async () => {
  const meanwhile = (folder: string) => (round: number) => {
    if (round === 2) edit(folder, '- **Max rounds:** 2', '- **Max rounds:** 9');
  };
  // Answered in the run.
  const running = folderWith(FILE);
  const done = await run(running, { meanwhile: meanwhile(running), asker: answers('revalidate') });
  expect(done.end.end).toBe('done');
  expect(done.state.planned?.plan.max_rounds).toBe(2);
  // Answered from a command line, later.
  const stopped = folderWith(FILE);
  const asked = await run(stopped, { meanwhile: meanwhile(stopped) });
  const words = ['decide', stopped, asked.state.pending?.decision_id ?? '', 'revalidate', '--json'];
  const decided = await conference(words, { cwd: stopped });
  expect([decided.code, decided.err]).toEqual([0, '']);
  for (const folder of [running, stopped]) {
    expect(md(folder)).toContain('- **Max rounds:** 9');
    for (const row of ROWS) expect(md(folder)).toContain(row);
  }
  expect(await verified(running)).toEqual([]);
});

test('a user who restarts keeps the file as it was left [LEDG-26]', async () => {
  const folder = folderWith(FILE);
  const { end, state } = await run(folder, {
    meanwhile: () => edit(folder, 'Find it.', 'Find that.'),
    asker: answers('restart'),
  });
  expect([end.end, state.state]).toEqual(['done', 'CANCELLED']);
  expect(md(folder)).toBe(FILE.replace('Find it.', 'Find that.'));
});

test('a file that is gone or has become a link is asked about, and the link is not followed [LEDG-26]', async () => {
  for (const replace of [
    (file: string) => rmSync(file),
    (file: string) => {
      rmSync(file);
      symlinkSync('/etc/hostname', file);
    },
  ]) {
    const folder = folderWith(FILE);
    const { end, state } = await run(folder, { meanwhile: () => replace(join(folder, CONFERENCE_MD)) });
    expect([end.end, state.blocked?.code]).toEqual(['asked', 'BLOCKED_STALE_CONFERENCE_STATE']);
  }
});

test('a file that was written back and then lost or changed is named by verify [CLI-12 LEDG-21]', async () => {
  const folder = folderWith(FILE);
  await run(folder);
  edit(folder, 'Mine.', 'Not as written.');
  expect(await verified(folder)).toMatchObject([{ where: CONFERENCE_MD }]);
  rmSync(join(folder, CONFERENCE_MD));
  expect(await verified(folder)).toMatchObject([{ where: CONFERENCE_MD }]);
  expect(readFileSync(join(folder, EVENTS_JSONL), 'utf8')).toContain('"path":"conference.md"');
});
