/**
 * CPU time to write the results table after every round and the report at the end, at 1,000 lanes and 20 rounds, beside the
 * same at a quarter of the lanes: both are to grow with the packets and no faster. Also the raw limit of any reader:
 * parsing the same packets.
 */
import {
  fold,
  INITIAL_STATE,
  renderArtifact,
  renderReport,
  runReading,
  type State,
} from '@x/conference-core';
import { recordedConference } from './recorded-conference.ts';

const ROUNDS = 20;
const HEAD = { seq: 1, digest: `sha256:${'0'.repeat(64)}` };

interface Figures {
  readonly packets: number;
  readonly tsv_all_writes_ms: number;
  readonly tsv_last_write_ms: number;
  readonly tsv_fresh_ms: number;
  readonly tsv_bytes: number;
  readonly report_ms: number;
  readonly report_bytes: number;
  readonly parse_ms: number;
}

/** CPU time of this process: the machine may have other work. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function measure(lanes: number): Figures {
  const events = recordedConference({ lanes, rounds: ROUNDS });
  const content = contentOf(fold(events, INITIAL_STATE));
  const contentAt = (digest: string): string => content.get(digest) ?? '{}';
  let state: State = INITIAL_STATE;
  let all = 0;
  let last = 0;
  for (const event of events) {
    // Where the Chair writes: the review of a round is accepted, and nothing is evaluated yet.
    if (event.event === 'convergence.evaluated') {
      const before = cpuMs();
      runReading(renderArtifact(state, 'conference_results.tsv', HEAD), contentAt);
      last = cpuMs() - before;
      all += last;
    }
    state = fold([event], state);
  }
  const fresh = fold(events, INITIAL_STATE);
  let before = cpuMs();
  const table = runReading(renderArtifact(fresh, 'conference_results.tsv', HEAD), contentAt);
  const tsv_fresh_ms = cpuMs() - before;
  before = cpuMs();
  const report = runReading(renderReport(fresh, HEAD), contentAt);
  const report_ms = cpuMs() - before;
  before = cpuMs();
  for (const text of content.values()) JSON.parse(text);
  const parse_ms = cpuMs() - before;
  const round = (ms: number): number => Math.round(ms);
  return {
    packets: content.size,
    tsv_all_writes_ms: round(all),
    tsv_last_write_ms: round(last),
    tsv_fresh_ms: round(tsv_fresh_ms),
    tsv_bytes: table.bytes.length,
    report_ms: round(report_ms),
    report_bytes: report.length,
    parse_ms: round(parse_ms),
  };
}

/** A packet of about 3 KB for each accepted dispatch. */
function contentOf(state: State): Map<string, string> {
  const content = new Map<string, string>();
  const filler = 'what was measured, how often, on which machine and against what it was compared; '.repeat(
    8,
  );
  const claim = { claim: `a setting: ${filler}`, evidence: filler, confidence: 'medium' };
  for (const row of [...state.rounds.flatMap(({ rows }) => rows), ...state.synthesis.rows]) {
    if (row.content_digest === null) continue;
    const base = {
      dispatch_id: row.dispatch_id,
      role: row.role,
      status: 'completed',
      uncertainties: [],
      claims: [],
    };
    const own = {
      researcher: {
        claims: [claim],
        hypotheses: [{ statement: `it helps ${row.dispatch_id}`, verdict: 'falsified', evidence: filler }],
        measurements: [{ name: 'ms', value: `${1_000 - row.round} ms`, provenance: filler }],
        stuck_level: 0,
      },
      poster: {
        summaries: [],
        agreements: [],
        conflicts: [],
        missing_evidence: [],
        measurements: [],
        review_questions: [],
      },
      reviewer: { verdicts: [] },
      synthesis: {
        established: [],
        promising: [],
        negative_results: [],
        contradictions: [],
        next_decisions: [],
      },
    }[row.role];
    content.set(row.content_digest, JSON.stringify({ ...base, recommended_root_actions: [], ...own }));
  }
  return content;
}

const quarter = measure(250);
const whole = measure(1_000);
const perPacket = ({ packets, tsv_fresh_ms, report_ms }: Figures): number =>
  (tsv_fresh_ms + report_ms) / packets;
console.log(
  JSON.stringify({
    bench: 'core.artifacts',
    ratio: Number((perPacket(whole) / perPacket(quarter)).toFixed(2)),
    of: 'time a packet at 250 lanes; 1 is linear',
    aim: '<= 1.5',
    ...whole,
  }),
);
