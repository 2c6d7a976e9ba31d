/**
 * Catches an artifact that says something else than the ledger and the packets, or says it differently the next time.
 *
 * Two whole conferences run in memory over children by script; what they write is compared with literal files.
 */
import {
  digestOfJson,
  parseConferenceId,
  type Charter,
  type Plan,
  type ResearchPacket,
  type Verdict,
} from '@x/protocol';
import { expect, test } from 'vitest';
import { openChair, type Chair } from '../chair/chair.ts';
import type { HostMessage } from '../chair/ports.ts';
import { contentText, read } from '../chair/reading.ts';
import { runConference } from '../chair/run.ts';
import { fold } from '../decide.ts';
import { INITIAL_STATE, type State } from '../state.ts';
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
import { cleanupReceipt } from './cleanup-receipt.ts';
import { readLedgerLine } from './ledger-line.ts';
import { renderArtifact, renderReport } from './render.ts';

const START = Date.parse('2026-11-30T12:00:00.000Z');
const ROOT = '/somewhere/else';

interface Conference {
  readonly chair: Chair;
  readonly events: ReturnType<typeof memoryLedger>['events'];
  readonly objects: ReturnType<typeof memoryContent>;
  /** By path, as they were last written. */
  readonly files: ReadonlyMap<string, string>;
}

/** Runs a conference to its end. `answer` null: the child never answers. */
async function run(
  plan: Plan,
  answer: (charter: Charter) => HostMessage | null,
  { granted = true, root = ROOT }: { readonly granted?: boolean; readonly root?: string } = {},
): Promise<Conference> {
  const conference_id = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
  if (conference_id === null) throw new Error('not a ULID');
  const [ledger, objects, clock] = [memoryLedger(), memoryContent(), manualClock(START)];
  const files = new Map<string, string>();
  const chair = openChair(
    { ledger, objects, packets: memoryContent(), clock, scanner: noScanner },
    INITIAL_STATE,
  );
  if (granted) {
    const grant = { grant_id: root, root, actions: ['write'] as ['write'], revision: 1, granted_by: 'test' };
    chair.execute({ command: 'grant', grant });
  }
  chair.execute({ command: 'plan', conference_id, plan });
  chair.execute({
    command: 'confirm',
    plan_digest: digestOfJson(plan),
    capability: { delegate_task: true, slots: 4 },
    confirmed_by: 'test',
  });
  const host = scriptedHost((charter) => {
    clock.advance(1_500);
    const message = answer(charter);
    return message === null ? [] : [message];
  });
  const end = await runConference(chair, {
    host,
    asker: { name: 'test', ask: () => Promise.resolve(null) },
    artifacts: granted
      ? {
          write: (path, bytes) => {
            files.set(path, new TextDecoder().decode(bytes));
            return { status: 'written' };
          },
        }
      : null,
    signal: new AbortController().signal,
    driver: 'embedded',
  });
  expect(end.end).toBe('done');
  return { chair, events: ledger.events, objects, files };
}

function rendered(state: State, { objects, chair }: Conference, path: string): string {
  const { bytes } = read(renderArtifact(state, path, chair.ports.ledger.head), objects);
  return new TextDecoder().decode(bytes);
}

const HOSTILE = 'up <b>fast</b> | `x` [link](https://evil.example)\n# not a heading \u202etxt.exe \u001b[31m';

/** Three lanes: A measures, B sends no packet in round 1, C measures what cannot be judged, then something wrong. */
function metricAnswer(charter: Charter): HostMessage {
  const { dispatch_id, round, lane } = charter;
  const send = (packet: unknown): HostMessage => packetMessage(dispatch_id, packet);
  switch (charter.role) {
    case 'researcher': {
      if (lane === 'B' && round === 1)
        return { message: 'failed', dispatch_id, code: 'host_failed', reason: 'the child ended with exit 3' };
      if (lane === 'C') return send(laneC(charter));
      return send(
        researchPacket(
          charter,
          round === 1 ? ['34.5 ms', '40.5 ms'] : lane === 'A' ? ['30 ms', '12 ms'] : ['9.5 ms'],
          {
            hypotheses: [
              { statement: 'a larger buffer helps', verdict: 'falsified', evidence: 'it took 40.5 ms' },
            ],
            uncertainties: ['one machine only'],
          },
        ),
      );
    }
    case 'poster':
      return send(
        posterPacket(charter, {
          agreements: ['buffers matter'],
          conflicts: [HOSTILE],
          missing_evidence: ['no second machine'],
          measurements: [{ name: 'ms', value: '34.5 ms', provenance: 'lane A, mean of three runs' }],
        }),
      );
    case 'reviewer':
      return send({
        ...metricReview(charter),
        recommended_root_actions: ['run the benchmark on a second machine'],
      });
    case 'synthesis': {
      const refs = shownRefs(charter);
      const [first = ''] = refs;
      return send(
        synthesisPacket(charter, {
          established: [
            {
              finding: 'lane B sorts in 9.5 ms',
              claim_refs: refs.filter((ref) => ref.endsWith('#m1')).slice(-1),
            },
            { finding: 'all of it holds', claim_refs: refs },
            { finding: 'nothing to rest on', claim_refs: [] },
          ],
          promising: [{ finding: HOSTILE, claim_refs: [first] }],
          negative_results: [{ finding: 'larger buffers do not help', claim_refs: [first] }],
          contradictions: ['lane C contradicts itself'],
          recommended_root_actions: ['run the benchmark again'],
        }),
      );
    }
  }
}

function laneC(charter: Charter): ResearchPacket {
  if (charter.round > 1)
    return researchPacket(charter, ['1 ms'], { stuck_level: 1, recommended_root_actions: [HOSTILE] });
  return {
    ...researchPacket(charter, ['20 s', 'fast']),
    claims: [{ claim: HOSTILE, evidence: 'seen once', confidence: 'low' }],
  };
}

/** One verdict of each kind, one that only repeats the claim, two on one ref, and two that name nothing. */
function metricReview(charter: Charter) {
  const packet = reviewerPacket(charter);
  const own = { reason: 'see above', evidence: 'measured again', confidence: 'high' as const };
  const verdictOf = (index: number): Verdict => (index === 1 ? 'overturned' : 'validated');
  const verdicts = packet.verdicts.slice(0, -1).map((entry, index) => ({
    ...entry,
    verdict: verdictOf(index),
    evidence: index === 0 && charter.round === 1 ? 'measured 3 times' : entry.evidence,
  }));
  const twice = verdicts
    .slice(2, 3)
    .map((entry) => ({ ...entry, verdict: 'challenged' as const, reason: 'not sure' }));
  return {
    ...packet,
    verdicts: [
      ...verdicts,
      ...twice,
      { ...own, claim: 'the whole approach', verdict: 'challenged' as const },
      { ...own, claim: HOSTILE, claim_ref: `${charter.dispatch_id}#c1`, verdict: 'validated' as const },
    ],
    verification_requests: ['run setting 2 on a second machine'],
  };
}

const METRIC_PLAN = samplePlan({
  goal: 'Find the fastest sort of this file.\n\n## Not a heading\n- not a list',
});

function qualitativeAnswer(charter: Charter): HostMessage | null {
  const { dispatch_id, lane, round } = charter;
  switch (charter.role) {
    case 'researcher':
      if (lane === 'B' && round === 2)
        return packetMessage(dispatch_id, { ...researchPacket(charter, []), status: 'blocked' });
      return packetMessage(dispatch_id, researchPacket(charter, ['draft'], { measurements: [] }));
    case 'poster':
      return packetMessage(dispatch_id, posterPacket(charter));
    case 'reviewer': {
      const packet = reviewerPacket(charter, { score: 6 });
      const [first, ...others] = packet.scores ?? [];
      const scores =
        first === undefined
          ? []
          : [
              { ...first, score: 7 + round },
              { ...first, score: 9, reason: 'on second thought' },
            ];
      return packetMessage(dispatch_id, { ...packet, scores: [...scores, ...others] });
    }
    case 'synthesis':
      return packetMessage(dispatch_id, synthesisPacket(charter));
  }
}

const { metric: _metric, ...WITHOUT_METRIC } = samplePlan();
const QUALITATIVE_PLAN: Plan = {
  ...WITHOUT_METRIC,
  mode: 'qualitative',
  criteria: ['A newcomer understands it.', 'Nothing is wrong.'],
  lanes: 2,
  max_rounds: 2,
  max_total_iterations: 8,
};

test.each([
  ['metric', METRIC_PLAN, metricAnswer],
  ['qualitative', QUALITATIVE_PLAN, qualitativeAnswer],
] as const)(
  'a %s conference writes these files, byte for byte [PROTO-38 AUTO-20 AUTO-21 LEDG-11 LEDG-13 CONF-18 CONV-12 PACK-10 PACK-13]',
  async (mode, plan, answer) => {
    const { files } = await run(plan, answer);
    const rounds = mode === 'metric' ? [1, 2] : [1, 2];
    expect([...files.keys()].toSorted()).toEqual(
      [
        'conference_results.tsv',
        'final_report.md',
        ...rounds.map((round) => `peer_review_round_${round}.md`),
        ...rounds.map((round) => `poster_session_round_${round}.md`),
        'synthesis.md',
      ].toSorted(),
    );
    for (const [path, text] of files) await expect(text).toMatchFileSnapshot(`fixtures/${mode}/${path}`);
  },
);
