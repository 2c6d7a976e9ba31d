/**
 * Catches an artifact that says something else than the ledger and the packets, or says it differently the next time.
 *
 * Two whole conferences run in memory over children by script; what they write is compared with literal files.
 */
import {
  digestOfJson,
  parseConferenceId,
  type Charter,
  type DecisionOption,
  type Plan,
  type ResearchPacket,
  type Verdict,
} from '@x/protocol';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { openChair, type Chair } from '../chair/chair.ts';
import type { HostMessage } from '../chair/ports.ts';
import { contentText, read } from '../chair/reading.ts';
import { runConference } from '../chair/run.ts';
import { runReading } from '../charters/content.ts';
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
import { readLedgerLine } from './ledger-line.ts';
import { renderArtifact, renderReport } from './render.ts';

const START = Date.parse('2026-11-30T12:00:00.000Z');
const ROOT = '/somewhere/else';
const HEAD = { seq: 7, digest: `sha256:${'7'.repeat(64)}` };

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
  {
    granted = true,
    root = ROOT,
    choose = null,
    slots = 4,
    replay = false,
    onOpen = () => {},
  }: {
    readonly granted?: boolean;
    readonly root?: string;
    /** What every question is answered with; null: nobody answers. */
    readonly choose?: DecisionOption | null;
    readonly replay?: boolean;
    readonly slots?: number;
    readonly onOpen?: (chair: Chair) => void;
  } = {},
): Promise<Conference> {
  const conference_id = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
  if (conference_id === null) throw new Error('not a ULID');
  const [ledger, objects, clock] = [memoryLedger(), memoryContent(), manualClock(START)];
  const files = new Map<string, string>();
  const chair = openChair(
    { ledger, objects, packets: memoryContent(), clock, scanner: noScanner },
    INITIAL_STATE,
  );
  onOpen(chair);
  if (granted) {
    const grant = { grant_id: root, root, actions: ['write'] as ['write'], revision: 1, granted_by: 'test' };
    chair.execute({ command: 'grant', grant });
  }
  chair.execute({ command: 'plan', conference_id, plan, replay });
  chair.execute({
    command: 'confirm',
    plan_digest: digestOfJson(plan),
    capability: { delegate_task: true, slots },
    confirmed_by: 'test',
  });
  const host = scriptedHost(
    (charter) => {
      clock.advance(1_500);
      const message = answer(charter);
      return message === null ? [] : [message];
    },
    { delegate_task: true, slots },
  );
  const end = await runConference(chair, {
    host,
    asker: { name: 'test', ask: () => Promise.resolve(choose) },
    artifacts: granted
      ? {
          write: (path, bytes) => {
            files.set(path, new TextDecoder().decode(bytes));
            return { status: 'written' };
          },
          // These plans were read from no file, so there is none to write back to.
          mergeConferenceMd: () => ({ status: 'refused', code: 'NOT_OWED', message: 'no file was read' }),
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

/** One verdict of each kind, one that only repeats the claim, two on one ref, and one that names nothing: as many as there are refs. */
function metricReview(charter: Charter) {
  const packet = reviewerPacket(charter);
  const own = { reason: 'see above', evidence: 'measured again', confidence: 'high' as const };
  const verdictOf = (index: number): Verdict => (index === 1 ? 'overturned' : 'validated');
  const verdicts = packet.verdicts.slice(0, -2).map((entry, index) => ({
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
      charter.round > 1
        ? { ...own, claim: 'the whole approach', verdict: 'challenged' as const }
        : { ...own, claim: HOSTILE, claim_ref: `${charter.dispatch_id}#c1`, verdict: 'validated' as const },
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
  'a %s conference writes these files, byte for byte [PROTO-38 AUTO-20 AUTO-21 LEDG-11 LEDG-13 CONF-18 CONV-12 PACK-10 PACK-13 PROTO-39]',
  async (mode, plan, answer) => {
    const { files } = await run(plan, answer);
    const rounds = [1, 2];
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

test('the ledger and the content alone give every file again, and two grants differ only in the ledger line [PROTO-38 LEDG-25]', async () => {
  const here = await run(METRIC_PLAN, metricAnswer);
  const elsewhere = await run(METRIC_PLAN, metricAnswer, { root: '/another/folder' });
  const folded = fold(here.events, INITIAL_STATE);
  for (const [path, text] of here.files) {
    const other = elsewhere.files.get(path) ?? '';
    if (path !== 'final_report.md') {
      expect(rendered(folded, here, path)).toBe(text);
      expect(other).toBe(text);
      continue;
    }
    const line = readLedgerLine(text);
    if (line === null) throw new Error('the report has no ledger line');
    expect(line.seq).toBe(here.events.findLastIndex(({ event }) => event === 'artifact.written'));
    const [again, otherLine] = [read(renderReport(folded, line), here.objects), readLedgerLine(other)];
    expect(again).toBe(text);
    expect(otherLine?.digest).not.toBe(line.digest);
    expect(other.replaceAll(otherLine?.digest ?? '', line.digest)).toBe(text);
    expect(text).not.toContain(ROOT);
  }
});

test('a write of the results reads the packets of the new round alone, and gives what a fresh state gives', async () => {
  const conference = await run(METRIC_PLAN, metricAnswer);
  const count = (state: State): { readonly text: string; readonly reads: number } => {
    let reads = 0;
    const artifact = runReading(
      renderArtifact(state, 'conference_results.tsv', { seq: 1, digest: '' }),
      (digest) => {
        reads += 1;
        return contentText(conference.objects, digest);
      },
    );
    return { text: new TextDecoder().decode(artifact.bytes), reads };
  };
  const fresh = fold(conference.events, INITIAL_STATE);
  expect(count(fresh)).toEqual({ text: conference.files.get('conference_results.tsv'), reads: 5 });
  expect(count(fresh).reads).toBe(0);
  expect(count(fold(conference.events, INITIAL_STATE)).reads).toBe(5);
  const evaluated = conference.events.findIndex(({ event }) => event === 'convergence.evaluated');
  const first = fold(conference.events.slice(0, evaluated), INITIAL_STATE);
  expect(count(first).reads).toBe(2);
  const second = count(fold(conference.events.slice(evaluated), first));
  expect(second).toEqual({ text: conference.files.get('conference_results.tsv'), reads: 3 });
});

test("without a grant the report is the root's response, says so, and nothing is written [AUTO-02 LEDG-13]", async () => {
  const granted = await run(METRIC_PLAN, metricAnswer);
  const { chair, objects, files } = await run(METRIC_PLAN, metricAnswer, { granted: false });
  const report = read(renderReport(chair.state, chair.ports.ledger.head), objects);
  expect(files.size).toBe(0);
  expect(report).toContain('`BLOCKED_WRITE_AUTHORITY_MISSING`: there is no active grant');
  expect(report).toContain(
    '- Root artifacts written: none\n- Blocked actions: `BLOCKED_WRITE_AUTHORITY_MISSING`',
  );
  const findings = (text: string): string =>
    text.slice(text.indexOf('## Findings'), text.indexOf('## Rounds'));
  expect(findings(report)).toBe(findings(granted.files.get('final_report.md') ?? ''));
  expect(report.match(/^## Limitations$/gm)).toHaveLength(1);
  expect(report).toContain('artifact_genre: internal_analysis\nlimitations_channel: designated_section');
});

test.each([
  ['core', '# Outcome: BUDGET_STOP · target_met: true · rounds: 1 of 1 · iterations: 6 of 6'],
  ['guide', '# Outcome: CONVERGED · target_met: true · rounds: 1 of 1 · iterations: 6 of 6'],
] as const)(
  'under order %s a target met in the last round stands in the first line of the report [CONF-19 LEDG-13]',
  async (order, line) => {
    const plan = samplePlan({
      max_rounds: 1,
      max_total_iterations: 6,
      convergence: { ...samplePlan().convergence, order },
    });
    const { files } = await run(plan, (charter) =>
      packetMessage(
        charter.dispatch_id,
        charter.role === 'researcher' ? researchPacket(charter, ['9 ms']) : answerOf(charter),
      ),
    );
    expect(files.get('final_report.md')?.split('\n')[0]).toBe(line);
  },
);

function answerOf(charter: Charter): unknown {
  switch (charter.role) {
    case 'researcher':
      return researchPacket(charter, [`${20 - charter.round} ms`], {
        recommended_root_actions: [`from round ${charter.round}`],
      });
    case 'poster':
      return posterPacket(charter);
    case 'reviewer':
      return reviewerPacket(charter);
    case 'synthesis':
      return synthesisPacket(charter);
  }
}

test('a cancelled conference discards what no review accepted: no rows, no findings, nothing recommended of it', async () => {
  const started: { chair: Chair | null } = { chair: null };
  const conference = await run(
    samplePlan(),
    (charter) => {
      if (charter.round === 2 && charter.role === 'poster') {
        queueMicrotask(() => started.chair?.execute({ command: 'cancel', reason: 'enough' }));
        return null;
      }
      return packetMessage(charter.dispatch_id, answerOf(charter));
    },
    { onOpen: (chair) => (started.chair = chair) },
  );
  const { chair, objects, files } = conference;
  expect(chair.state.state).toBe('CANCELLED');
  const report = files.get('final_report.md') ?? '';
  expect(report.split('\n')[0]).toBe(
    '# Outcome: CANCELLED · target_met: false · rounds: 1 of 3 · iterations: 12 of 18',
  );
  expect(report).toContain('from round 1 (R1 A, and 2 times more)');
  expect(report).not.toContain('from round 2');
  expect(report).toContain('- Round 2 was not reviewed; its packets count for nothing.');
  expect(report).not.toContain('18 ms');
  const table = rendered(chair.state, conference, 'conference_results.tsv');
  expect(table.trimEnd().split('\n')).toHaveLength(1 + 3);
  expect(table).not.toMatch(/^2\t/m);
  const before = fold(
    conference.events.slice(
      0,
      conference.events.findIndex(({ event }) => event === 'dispatch.cancelled') - 1,
    ),
    INITIAL_STATE,
  );
  expect(rendered(before, conference, 'conference_results.tsv')).toMatch(
    /^2\tA\t0\t18 ms\t-1\t-5\.3%\tkept\t.*\t-\t2026/m,
  );
  expect(read(renderReport(before, chair.ports.ledger.head), objects)).toContain(
    'The conference is not finished: it is COLLECTING, phase poster, in round 2.',
  );
});

test('a report can be asked for at every moment: after each event of a conference, and before the first', async () => {
  const { events, objects } = await run(METRIC_PLAN, metricAnswer);
  let state = INITIAL_STATE;
  const outcomes = new Set<string>();
  for (const event of [null, ...events]) {
    if (event !== null) state = fold([event], state);
    const report = read(renderReport(state, HEAD), objects);
    outcomes.add(report.split(' ·')[0] ?? '');
    expect(report).toContain(state.closing.receipt === null ? '' : '\n- Dispatches: 10 received, 1 failed\n');
    expect(readLedgerLine(report)).toEqual(HEAD);
    expect(/not finished|No round has begun/.test(report)).toBe(state.state !== 'COMPLETE');
  }
  expect([...outcomes]).toEqual([
    '# Outcome: none yet (PLANNING)',
    '# Outcome: none yet (CONFIRMED)',
    '# Outcome: none yet (DISPATCHING)',
    '# Outcome: none yet (COLLECTING)',
    '# Outcome: none yet (REVIEWING)',
    '# Outcome: CONVERGED',
  ]);
});

test('every finding of the report leads to the packet it stands in, with its verdict; the receipt is last and complete [LEDG-13 PROTO-42]', async () => {
  const { chair, files } = await run(METRIC_PLAN, metricAnswer);
  const report = files.get('final_report.md') ?? '';
  const rows = chair.state.rounds.flatMap((round) => round.rows);
  const addresses = new Map(
    [...report.matchAll(/^\[([0-9a-f]{12})\]: packets\/([0-9a-f]{64})\.json$/gm)].map(([, label, hex]) => [
      label,
      hex,
    ]),
  );
  let named = 0;
  for (const row of rows) {
    for (const [kind, verdicts] of [
      ['c', row.claim_verdicts],
      ['m', row.measurement_verdicts],
    ] as const) {
      verdicts.forEach((verdict, index) => {
        if (verdict !== 'validated' && verdict !== 'overturned') return;
        const lane = 'ABC'[row.lane ?? 0];
        const label = row.digest?.slice('sha256:'.length, 'sha256:'.length + 12);
        const line = report
          .split('\n')
          .find(
            (text) =>
              text.startsWith(`| [R${row.round} ${lane}][${label}] `) &&
              text.includes(`${kind}${index + 1} ${verdict}`),
          );
        expect(line, `${row.dispatch_id}#${kind}${index + 1}`).toBeDefined();
        expect(`sha256:${addresses.get(label) ?? ''}`).toBe(row.digest);
        named += 1;
      });
    }
  }
  expect(named).toBe(8);
  const headings = [...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(headings.at(-1)).toBe('Cleanup receipt');
  const receipt = report.slice(report.indexOf('## Cleanup receipt'));
  const { receipt: recorded } = chair.state.closing;
  expect(recorded?.dispatches).toHaveLength(11);
  for (const { dispatch_id, state } of recorded?.dispatches ?? []) {
    expect(receipt).toMatch(new RegExp(`^- ${state}:.*\`${dispatch_id}\``, 'm'));
  }
});

test('a question, its answer and what it cost stand in the report, and a recording is called one [AUTO-02]', async () => {
  const { files } = await run(
    samplePlan({ max_rounds: 1, max_total_iterations: 6 }),
    (charter) =>
      charter.role === 'poster'
        ? { message: 'failed', dispatch_id: charter.dispatch_id, code: 'host_failed', reason: 'it | broke' }
        : packetMessage(charter.dispatch_id, answerOf(charter)),
    { choose: 'skip', replay: true },
  );
  expect([...files.keys()]).not.toContain('poster_session_round_1.md');
  const report = files.get('final_report.md') ?? '';
  expect(report).toMatch(/^\| 1 \| `poster_failed` \| `skip` \| test \| `[0-9A-Z]{26}` \|$/m);
  expect(report).toContain('- Round 1 was reviewed without a poster.\n');
  expect(report).toContain('| poster | - | 1 | failed | host_failed: it \\| broke |');
  expect(report).toContain('- Packets: from a recording; this is a replay');
  expect(report).toContain('[peer review](peer_review_round_1.md) |');
});

test('the results compare with the best that was not overturned, one row a usable measurement, one line a row [LEDG-11]', async () => {
  const values: Readonly<Record<string, readonly string[]>> = {
    A1: ['5 ms', '20\tms', '20.0 ms', '25 ms'],
    A2: ['19 ms', 'soon', '3 s', '+19.50 ms'],
    B1: ['0 ms', '4 ms'],
    B2: ['0.0 ms'],
  };
  const { files } = await run(
    samplePlan({
      max_rounds: 2,
      max_total_iterations: 12,
      metric: { name: 'ms', target: '<= -5 ms', direction: 'minimize' },
    }),
    (charter) => {
      const { dispatch_id, lane, round } = charter;
      if (charter.role === 'researcher') {
        const given = values[`${lane}${round}`];
        return given === undefined
          ? packetMessage(dispatch_id, {
              ...researchPacket(charter, []),
              status: round === 1 ? 'blocked' : 'completed',
            })
          : packetMessage(dispatch_id, researchPacket(charter, given));
      }
      if (charter.role !== 'reviewer') return packetMessage(dispatch_id, answerOf(charter));
      const packet = reviewerPacket(charter);
      // The first measurement of all is overturned.
      const first = packet.verdicts.findIndex(({ claim_ref }) => claim_ref?.endsWith('#m1'));
      const verdicts = packet.verdicts.map((entry, index) =>
        round === 1 && index === first ? { ...entry, verdict: 'overturned' as const } : entry,
      );
      return packetMessage(dispatch_id, { ...packet, verdicts });
    },
  );
  const rows = (files.get('conference_results.tsv') ?? '').trimEnd().split('\n').slice(1);
  expect(
    rows.map((row) =>
      row
        .split('\t')
        .filter((_cell, index) => index !== 7 && index !== 8 && index !== 10)
        .join(' '),
    ),
  ).toEqual([
    '1 A 0 5 ms - - baseline overturned',
    '1 A 1 20 ms - - kept validated',
    '1 A 2 20.0 ms +0.0 +0.0% kept validated',
    '1 A 3 25 ms +5 +25.0% reverted validated',
    '1 B 0 0 ms - - baseline validated',
    '1 B 1 4 ms +4 - reverted validated',
    '1 C 0 - - - failed -',
    '2 A 0 19 ms -1 -5.0% kept validated',
    '2 A 1 +19.50 ms +0.50 +2.6% reverted validated',
    '2 B 0 0.0 ms +0.0 - kept validated',
    '2 C 0 - - - failed -',
  ]);
  expect(rows[8]).toContain('setting 4 of lane A in round 2 gives +19.50 ms');
  expect(rows[6]).toContain('the lane was blocked');
  expect(rows[10]).toContain('no usable measurement of ms');
});

test('a large report lists the best, counts the rest, and reads each packet once [LEDG-13]', async () => {
  const plan = samplePlan({ lanes: 110, iterations_per_round: 1, max_total_iterations: 330 });
  const conference = await run(
    plan,
    (charter) => {
      if (charter.role !== 'researcher') return packetMessage(charter.dispatch_id, answerOf(charter));
      const value = `${100 - 10 * charter.round + (charter.lane === 'DF' ? -5 : 0)} ms`;
      return packetMessage(charter.dispatch_id, {
        ...researchPacket(charter, [value]),
        recommended_root_actions: ['the same of all', `of ${charter.lane} ${charter.round}`],
      });
    },
    { slots: 110 },
  );
  const report = conference.files.get('final_report.md') ?? '';
  const table = report.slice(report.indexOf('## Validated'), report.indexOf('## Overturned')).split('\n');
  expect(table[4]).toMatch(
    /^\| \[R3 DF\]\[[0-9a-f]{12}\] \| .* \| ms: 65 ms \| c1 validated, m1 validated \|$/,
  );
  expect(table[5]).toMatch(/^\| \[R3 A\]\[[0-9a-f]{12}\] .* ms: 70 ms /);
  expect(table.filter((line) => line.startsWith('| [R'))).toHaveLength(100);
  expect(report).toContain('230 more are not shown here; all measurements stand in conference_results.tsv');
  expect(report).toContain('- the same of all (R1 A, and 329 times more)');
  expect(report).toContain(
    '311 more are not shown here; the poster sessions and peer reviews have all of them.',
  );
  expect(report).toContain('337 dispatches: 337 received, 0 not.');
  expect(report).toContain(
    '337 are not listed here; all of them stand in the receipt below and in the ledger.',
  );
  expect(report.match(/`[0-9A-HJKMNP-TV-Z]{26}`/g)).toHaveLength(337 + 1);
  const seen: string[] = [];
  runReading(renderReport(conference.chair.state, HEAD), (digest) => {
    seen.push(digest);
    return contentText(conference.objects, digest);
  });
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(337);
});

/** What a file is made of, with every run of text and code as one. */
function skeleton(markdown: string): string {
  const show = (node: Nodes): string => {
    if (node.type === 'text' || node.type === 'inlineCode') return 't';
    if (node.type === 'definition') return `definition ${node.url}`;
    if (!('children' in node)) return node.type;
    const inside = node.children
      .map(show)
      .join(' ')
      .replaceAll(/t(?: t)+/g, 't');
    return `${node.type}${'url' in node ? ` ${node.url}` : ''}(${inside})`;
  };
  return show(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
}

const FREE_TEXTS = new Set(
  'claim evidence reason statement summary finding provenance name uncertainties recommended_root_actions agreements conflicts missing_evidence review_questions contradictions next_decisions verification_requests'.split(
    ' ',
  ),
);

/** A stored packet with something hostile before every free text. */
function withHostile(content: string, hostile: string): string {
  const change = (value: unknown, isFree: boolean): unknown => {
    if (typeof value === 'string') return isFree ? `${hostile} ${value}` : value;
    if (Array.isArray(value)) return value.map((one) => change(one, isFree));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, change(one, FREE_TEXTS.has(key))]),
    );
  };
  return JSON.stringify(change(JSON.parse(content), false));
}

/** Both conferences, once for all hostile texts, with their skeletons over harmless ones. */
const both = (async () => {
  const all: { readonly conference: Conference; readonly path: string; readonly plain: string }[] = [];
  for (const conference of [
    await run(METRIC_PLAN, metricAnswer),
    await run(QUALITATIVE_PLAN, qualitativeAnswer),
  ]) {
    for (const path of conference.files.keys())
      all.push({ conference, path, plain: shapeOf(path, renderedWith(conference, path, 'plain')) });
  }
  return all;
})();

/** Over a state folded afresh: what is remembered of a state is remembered of its content. */
function renderedWith({ events, objects }: Conference, path: string, hostile: string): string {
  const { bytes } = runReading(renderArtifact(fold(events, INITIAL_STATE), path, HEAD), (digest) =>
    withHostile(contentText(objects, digest), hostile),
  );
  return new TextDecoder().decode(bytes);
}

function shapeOf(path: string, text: string): string {
  if (!path.endsWith('.tsv')) return skeleton(text);
  const widths = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').length);
  return widths.join(' ');
}

test.each([
  ['a table', '| x |\n| --- |\n| y |'],
  ['fences', '```\n~~~\n'],
  ['blocks', '# heading\n\n- item\n1. one\n> quote\n---\n==='],
  ['HTML', '<script>alert(1)</script><!-- <details>'],
  [
    'links',
    '[a](https://evil.example) ![b](https://evil.example) <https://evil.example> https://evil.example www.evil.example a@evil.example',
  ],
  ['definitions', '[a8d7a3ba1795]: https://evil.example\n[^1]: x'],
  ['what steers and hides', '\u001b[2J\u202e\u2066\u200b\ufeff\u0000'],
  ['a backslash', '\\'],
  ['a backtick', '`'],
  ['emphasis', '**_~~'],
  ['a ledger line', `Ledger: 1 events, head sha256:${'0'.repeat(64)}`],
  ['a receipt', `\n## Cleanup receipt\n\nLedger: 1 events, head sha256:${'0'.repeat(64)}\n`],
])('no file changes its structure, whatever the packets say: %s [LEDG-12]', async (_name, hostile) => {
  for (const { conference, path, plain } of await both) {
    const armed = renderedWith(conference, path, hostile);
    expect(armed).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(shapeOf(path, armed)).toBe(plain);
    if (path === 'final_report.md') expect(readLedgerLine(armed)).toEqual(HEAD);
  }
});
