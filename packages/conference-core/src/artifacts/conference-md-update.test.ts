/** Catches a log or a finding that says more than the reviews did, or that grows with the conference without end. */
import { digestOfJson, parseConferenceId, type Charter, type Grant, type Plan } from '@x/protocol';
import { expect, test } from 'vitest';
import { openChair } from '../chair/chair.ts';
import type { ArtifactPort, ConferenceMdMerge } from '../chair/ports.ts';
import { runConference } from '../chair/run.ts';
import { contentText } from '../chair/reading.ts';
import { runReading } from '../charters/content.ts';
import { INITIAL_STATE } from '../state.ts';
import {
  manualClock,
  memoryContent,
  memoryLedger,
  noScanner,
  packetMessage,
  posterPacket,
  researchPacket,
  reviewerPacket,
  samplePlan,
  scriptedHost,
  shownRefs,
  synthesisPacket,
} from '../testing/index.ts';
import { conferenceMdUpdate, takenAsFound } from './conference-md-update.ts';
import { owedArtifacts } from './owed.ts';
import { CONFERENCE_MD } from './paths.ts';

const ID = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (ID === null) throw new Error('not a ULID');

function packetFor(charter: Charter, values: readonly string[]) {
  switch (charter.role) {
    case 'researcher':
      return researchPacket(charter, values);
    case 'poster':
      return posterPacket(charter);
    case 'reviewer':
      return reviewerPacket(charter);
    case 'synthesis':
      return synthesisPacket(charter);
  }
}

type Merged = ReturnType<ArtifactPort['mergeConferenceMd']>;

/** Runs a conference whose plan was read from a file. `answer` null: the child fails. */
async function run(
  plan: Plan,
  answer: (charter: Charter) => unknown,
  merge: (asked: ConferenceMdMerge) => Merged = () => ({
    status: 'written',
    digest: digestOfJson('merged'),
    bytes: 6,
  }),
) {
  const objects = memoryContent();
  const ports = {
    ledger: memoryLedger(),
    objects,
    packets: memoryContent(),
    clock: manualClock(Date.parse('2026-11-30T12:00:00.000Z')),
    scanner: noScanner,
  };
  const chair = openChair(ports, INITIAL_STATE);
  if (ID === null) throw new Error('not a ULID');
  const grant: Grant = { grant_id: 'g', root: '/x', actions: ['write'], revision: 1, granted_by: 'test' };
  chair.execute({ command: 'grant', grant });
  chair.execute({ command: 'plan', conference_id: ID, plan, source_digest: digestOfJson('source') });
  const capability = { delegate_task: true, slots: 1_000 };
  chair.execute({
    command: 'confirm',
    plan_digest: digestOfJson(plan),
    capability,
    confirmed_by: 'test',
  });
  const merges: ConferenceMdMerge[] = [];
  const end = await runConference(chair, {
    host: scriptedHost((charter) => {
      const packet = answer(charter);
      const { dispatch_id } = charter;
      return packet === null
        ? [{ message: 'failed', dispatch_id, code: 'host_failed', reason: 'the | child died' }]
        : [packetMessage(dispatch_id, packet)];
    }, capability),
    asker: {
      name: 'test',
      ask: ({ kind }) => Promise.resolve(kind === 'stale_state' ? 'revalidate' : 'continue'),
    },
    artifacts: {
      write: () => ({ status: 'written' }),
      mergeConferenceMd: (asked) => {
        merges.push(asked);
        return merge(asked);
      },
    },
    signal: new AbortController().signal,
    driver: 'embedded',
  });
  const reads = new Set<string>();
  const update = runReading(conferenceMdUpdate(chair.state), (digest) => {
    reads.add(digest);
    return contentText(objects, digest);
  });
  if (update === null) throw new Error('nothing is planned');
  return { end, chair, update, merges, reads: reads.size };
}

test('a row is the best that holds of a lane, not the best that is claimed; failures say why [LEDG-21]', async () => {
  const { update, end } = await run(samplePlan({ max_rounds: 1 }), (charter) => {
    if (charter.role === 'researcher' && charter.lane === 'B') return null;
    if (charter.role !== 'reviewer') return packetFor(charter, ['15 ms', '3 ms', 'fast']);
    const packet = reviewerPacket(charter);
    const overturned = shownRefs(charter).filter((ref) => ref.endsWith('2'));
    const verdicts = packet.verdicts.map((one) => ({
      ...one,
      verdict: overturned.includes(one.claim_ref ?? '') ? ('overturned' as const) : one.verdict,
    }));
    return { ...packet, verdicts };
  });
  expect(end.end).toBe('done');
  expect(update.log).toEqual([
    ['1', 'A', '15 ms', 'setting 1 of lane A in round 1 gives 15 ms', 'validated'],
    ['1', 'B', '-', 'host_failed: the \\| child died', 'failed'],
    ['1', 'C', '15 ms', 'setting 1 of lane C in round 1 gives 15 ms', 'validated'],
  ]);
  expect(update.knowledge.map((item) => item.replace(/`.*`/, '…'))).toEqual([
    'setting 1 of lane A in round 1 gives 15 ms (round 1, lane A, packet …)',
    'setting 3 of lane A in round 1 gives fast (round 1, lane A, packet …)',
    'setting 1 of lane C in round 1 gives 15 ms (round 1, lane C, packet …)',
    'setting 3 of lane C in round 1 gives fast (round 1, lane C, packet …)',
  ]);
});

test('in qualitative mode the reviewer scores, and nobody else [LEDG-21]', async () => {
  const plan = samplePlan({ mode: 'qualitative', criteria: ['clear'], max_rounds: 1, lanes: 1 });
  const { metric: _, ...qualitative } = plan;
  const { update } = await run(qualitative, (charter) => packetFor(charter, ['10 of 10']));
  expect(update.log).toEqual([
    ['1', 'A', '7/10', 'setting 1 of lane A in round 1 gives 10 of 10', 'validated'],
  ]);
});

test('what a child says stays one cell of the row and one item of the list [LEDG-12 LEDG-21]', async () => {
  const hostile = '| x |\n# y <!-- z --> \u202e`a` [l](http://e) \u001b[2J\n\n---\n- **Count:** 9';
  const { update } = await run(samplePlan({ max_rounds: 1, lanes: 1 }), (charter) =>
    charter.role === 'researcher'
      ? researchPacket(charter, ['9 ms'], {
          claims: [{ claim: hostile, evidence: 'seen', confidence: 'low' }],
        })
      : packetFor(charter, []),
  );
  for (const text of [update.log[0]?.[3] ?? '', update.knowledge[0] ?? '']) {
    expect(text).not.toMatch(/\p{Cc}|\p{Cf}|<!--|(?<!\\)\||^[-#]/u);
    expect(text).toContain('9');
  }
});

test('a long conference has as many rows and findings as a person reads, and the rest in one line each [LEDG-21]', async () => {
  const lanes = 300;
  const plan = samplePlan({ lanes, max_rounds: 1, max_total_iterations: 10_000 });
  const { update, reads } = await run(plan, (charter) =>
    packetFor(charter, [`${charter.lane === 'KN' ? 2 : 50} ms`]),
  );
  expect(update.log).toHaveLength(200 + 1);
  expect(update.log.at(-1)).toEqual([
    '1',
    '100 more',
    '2 ms',
    'all of them stand in `conference_results.tsv`',
    '100 with validated claims',
  ]);
  expect(update.knowledge).toHaveLength(50 + 1);
  expect(update.knowledge.at(-1)).toBe(
    '250 more validated findings in the peer reviews and `conference_results.tsv`',
  );
  // The best one is among those that are shown, though it comes last.
  expect(update.knowledge.at(-2)).toContain('lane KN');
  expect(reads).toBeLessThanOrEqual(200 + 50);
});

test('the file is written back once a round, with the digest that was known before [LEDG-21 AUTO-19]', async () => {
  const { merges, chair, end } = await run(samplePlan({ max_rounds: 2 }), (charter) =>
    packetFor(charter, ['20 ms']),
  );
  expect(end.end).toBe('done');
  expect(merges.map(({ known, asFound, update }) => [known, asFound, update.log.length])).toEqual([
    [digestOfJson('source'), false, 3],
    [digestOfJson('merged'), false, 6],
  ]);
  expect(chair.state.artifacts.get(CONFERENCE_MD)).toMatchObject({
    digest: digestOfJson('merged'),
    round: 2,
  });
});

test('a plan that was read from no file owes none [LEDG-21]', async () => {
  const { chair } = await run(samplePlan({ max_rounds: 1 }), (charter) => packetFor(charter, ['20 ms']));
  const { planned, rounds } = chair.state;
  if (planned === null) throw new Error('nothing is planned');
  const transfer = {
    ...chair.state,
    state: 'REVIEWING' as const,
    phase: 'transfer' as const,
    rounds: rounds.map((round) => ({ ...round, record: null })),
    artifacts: new Map(),
  };
  expect(owedArtifacts(transfer)).toContain(CONFERENCE_MD);
  const embedded = { ...transfer, planned: { ...planned, source_digest: null } };
  expect(owedArtifacts(embedded)).not.toContain(CONFERENCE_MD);
  // Taken as it was found while BLOCKED, it is still to be written in this round.
  const found = new Map([[CONFERENCE_MD, { digest: digestOfJson('found'), bytes: 5, round: 0 }]]);
  expect(owedArtifacts({ ...transfer, artifacts: found })).toContain(CONFERENCE_MD);
});

test('a file that is not as planned becomes a question, and the answer is good for its round [LEDG-26]', async () => {
  const { merges, chair, end } = await run(
    samplePlan({ max_rounds: 2 }),
    (charter) => packetFor(charter, ['20 ms']),
    ({ asFound }) =>
      asFound
        ? { status: 'written', digest: digestOfJson('merged'), bytes: 6 }
        : { status: 'refused', code: 'BLOCKED_STALE_CONFERENCE_STATE', message: 'the goal changed' },
  );
  expect(end.end).toBe('done');
  expect(merges.map(({ asFound }) => asFound)).toEqual([false, true, false, true]);
  expect(chair.state.answered.map(({ kind, round }) => [kind, round])).toEqual([
    ['stale_state', 1],
    ['stale_state', 2],
  ]);
  expect(takenAsFound(chair.state)).toBe(true);
  expect(takenAsFound({ ...chair.state, round: 3 })).toBe(false);
});

test('a write that fails for another reason is trouble, not a question [LEDG-26]', async () => {
  const { end, chair } = await run(
    samplePlan({ max_rounds: 1 }),
    (charter) => packetFor(charter, ['20 ms']),
    () => ({ status: 'refused', code: 'WRITE_DISK_FULL', message: 'full' }),
  );
  expect(end).toEqual({ end: 'trouble', code: 'WRITE_DISK_FULL', message: 'full' });
  expect(chair.state.blocked).toBe(null);
});
