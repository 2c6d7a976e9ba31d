/**
 * What a report takes out of the packets. Each accepted research packet of a counted round is read once, one round
 * is held at a time, and only bounded lists are kept: the cost is linear in the packets, the memory is not.
 */
import type { ResearchPacket, ReviewerPacket, Verdict } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { isBetter, readMeasurement } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { indexRefs, resolveRef } from '../evidence/claim-ref.ts';
import type { Decimal } from '../plan/quantity.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
import type { State } from '../state.ts';
import { rowName } from './ref-table.ts';
import {
  acceptedResearch,
  countedRounds,
  posterPacketOf,
  researchPacketOf,
  reviewerPacketOf,
} from './stored-packet.ts';

/** Validated, and overturned, findings that a report shows; the rest are counted. */
const REPORT_FINDINGS_MAX = 100;
/** Recommendations, requests and falsified hypotheses that a report shows; the rest are counted. */
const REPORT_TEXTS_MAX = 20;

/** Claim and measurement at one index of a packet: they belong together (03 Artifacts, `description`). */
export interface ReportFinding {
  readonly row: DispatchRow;
  /** From 0. */
  readonly index: number;
  readonly claimVerdict: Verdict | null;
  readonly measurementVerdict: Verdict | null;
  /** By what the best come first; null where nothing can be compared. */
  readonly value: Decimal | null;
  claim: string | null;
  measurement: string | null;
  /** Why the reviewer overturned it. */
  reason: string | null;
}

/** The first entries of a list, and how many there are. */
export interface Bounded<Entry> {
  readonly shown: Entry[];
  total: number;
}

/** A text that several packets may have sent, with who sent it first. */
export interface Said {
  readonly text: string;
  readonly by: string;
  times: number;
}

export interface ReportEvidence {
  readonly validated: Bounded<ReportFinding>;
  readonly overturned: Bounded<ReportFinding>;
  /** Hypotheses that lanes report as falsified. */
  readonly falsified: Bounded<Said>;
  readonly recommended: Bounded<Said>;
  readonly requests: Bounded<Said>;
}

export function* reportEvidence(state: State): Reading<ReportEvidence> {
  const evidence: ReportEvidence = {
    ...judgedFindings(state),
    falsified: { shown: [], total: 0 },
    recommended: { shown: [], total: 0 },
    requests: { shown: [], total: 0 },
  };
  const wanted = new Map<string, ReportFinding[]>();
  for (const finding of [...evidence.validated.shown, ...evidence.overturned.shown]) {
    const { dispatch_id } = finding.row;
    const known = wanted.get(dispatch_id);
    if (known === undefined) wanted.set(dispatch_id, [finding]);
    else known.push(finding);
  }
  const said: Collector = {
    falsified: collectInto(evidence.falsified),
    recommended: collectInto(evidence.recommended),
    requests: collectInto(evidence.requests),
  };
  for (const round of countedRounds(state)) yield* readRound(round, wanted, said);
  return evidence;
}

type Collect = (text: string, by: string) => void;

interface Collector {
  readonly falsified: Collect;
  readonly recommended: Collect;
  readonly requests: Collect;
}

/** The same text is one entry while it is shown; beyond the bound each saying counts. */
function collectInto(list: Bounded<Said>): Collect {
  const known = new Map<string, Said>();
  return (text, by) => {
    const before = known.get(text);
    if (before !== undefined) {
      before.times += 1;
      return;
    }
    list.total += 1;
    if (list.shown.length >= REPORT_TEXTS_MAX) return;
    const entry = { text, by, times: 1 };
    known.set(text, entry);
    list.shown.push(entry);
  };
}

function* readRound(
  round: Round,
  wanted: ReadonlyMap<string, readonly ReportFinding[]>,
  said: Collector,
): Reading<void> {
  const shown: { readonly row: DispatchRow; readonly packet: ResearchPacket }[] = [];
  for (const row of acceptedResearch(round)) {
    const packet = yield* researchPacketOf(row);
    if (packet === null) continue;
    const by = rowName(row);
    for (const { statement, verdict } of packet.hypotheses) {
      if (verdict === 'falsified') said.falsified(statement, by);
    }
    for (const text of packet.recommended_root_actions) said.recommended(text, by);
    const own = wanted.get(row.dispatch_id) ?? [];
    for (const finding of own) fill(finding, packet);
    if (own.length > 0) shown.push({ row, packet });
  }
  const poster = yield* posterPacketOf(rowOf(round.rows, round.poster));
  for (const text of poster?.recommended_root_actions ?? []) said.recommended(text, `R${round.round} poster`);
  const reviewRow = rowOf(round.rows, round.review);
  const review = yield* reviewerPacketOf(reviewRow);
  if (review === null) return;
  const by = `R${round.round} reviewer`;
  for (const text of review.recommended_root_actions) said.recommended(text, by);
  for (const text of review.verification_requests ?? []) said.requests(text, by);
  fillReasons(review, shown, wanted);
}

function fill(finding: ReportFinding, packet: ResearchPacket): void {
  finding.claim = packet.claims[finding.index]?.claim ?? null;
  const measurement = packet.measurements[finding.index];
  finding.measurement = measurement === undefined ? null : `${measurement.name}: ${measurement.value}`;
}

/** The reviewer's words on what it overturned; of several on one finding the first. */
function fillReasons(
  review: ReviewerPacket,
  shown: readonly { readonly row: DispatchRow; readonly packet: ResearchPacket }[],
  wanted: ReadonlyMap<string, readonly ReportFinding[]>,
): void {
  const index = indexRefs(shown.map(({ row, packet }) => ({ dispatch_id: row.dispatch_id, packet })));
  for (const entry of review.verdicts) {
    if (entry.verdict !== 'overturned') continue;
    const target = resolveRef(entry, index);
    if (target === null) continue;
    const at = Number(/\d+$/.exec(target.ref)?.[0]) - 1;
    for (const finding of wanted.get(target.dispatch_id) ?? []) {
      if (finding.index === at) finding.reason ??= entry.reason;
    }
  }
}

/** What the reviews validated and what they overturned: the best first, then the newest, each up to its bound. */
function judgedFindings(state: State): Pick<ReportEvidence, 'validated' | 'overturned'> {
  const plan = state.planned?.plan;
  const metric = plan === undefined ? null : metricOf(plan);
  const validated: Bounded<ReportFinding> = { shown: [], total: 0 };
  const overturned: Bounded<ReportFinding> = { shown: [], total: 0 };
  const isAhead = (left: ReportFinding, right: ReportFinding): boolean => {
    if (metric === null || left.value === null || right.value === null) {
      return left.value !== null && right.value === null;
    }
    return isBetter(metric.direction, left.value, right.value);
  };
  // Newest first, so that among equals the newest stays ahead.
  for (const round of countedRounds(state).toReversed()) {
    for (const row of laneRows(round)) {
      if (row === null) continue;
      const length = Math.max(row.claim_verdicts.length, row.measurement_verdicts.length);
      for (let index = 0; index < length; index += 1) {
        const finding = findingAt(row, index, metric);
        const verdicts = [finding.claimVerdict, finding.measurementVerdict];
        if (verdicts.includes('validated')) addBounded(validated, finding, isAhead);
        if (verdicts.includes('overturned')) addBounded(overturned, { ...finding, value: null }, isAhead);
      }
    }
  }
  return { validated, overturned };
}

function findingAt(row: DispatchRow, index: number, metric: ReturnType<typeof metricOf>): ReportFinding {
  const measurementVerdict = row.measurement_verdicts[index] ?? null;
  const measurement = row.facts?.measurements?.[index];
  const reading =
    metric === null || measurement === undefined || measurementVerdict !== 'validated'
      ? null
      : readMeasurement(metric, measurement);
  return {
    row,
    index,
    claimVerdict: row.claim_verdicts[index] ?? null,
    measurementVerdict,
    value: reading?.usable === true ? reading.value : null,
    claim: null,
    measurement: null,
    reason: null,
  };
}

/** Keeps the list in order and within its bound; what is behind the last one of a full list costs one comparison. */
function addBounded(
  list: Bounded<ReportFinding>,
  finding: ReportFinding,
  isAhead: (left: ReportFinding, right: ReportFinding) => boolean,
): void {
  list.total += 1;
  const { shown } = list;
  let at = shown.length;
  for (let before = shown[at - 1]; before !== undefined && isAhead(finding, before); before = shown[at - 1])
    at -= 1;
  if (at >= REPORT_FINDINGS_MAX) return;
  shown.splice(at, 0, finding);
  if (shown.length > REPORT_FINDINGS_MAX) shown.pop();
}
