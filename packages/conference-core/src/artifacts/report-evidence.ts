/**
 * What a report takes out of the packets. Each accepted research packet of a counted round is read once, one round
 * is held at a time, and only bounded lists are kept: the cost is linear in the packets, the memory is not.
 */
import type { ResearchPacket, ReviewerPacket, Verdict } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { isBetter, readMeasurement } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { claimRef, indexRefs, measurementRef, resolveRef } from '../evidence/claim-ref.ts';
import type { Decimal } from '../plan/quantity.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
import type { State } from '../state.ts';
import { refName } from './ref-table.ts';
import {
  acceptedResearch,
  countedRounds,
  posterPacketOf,
  researchPacketOf,
  reviewerPacketOf,
} from './stored-packet.ts';

/** Entries of each list that a report shows; the rest are counted. */
export const REPORT_ENTRIES_MAX = 60;

/** A claim or measurement that the report shows. */
export interface ShownFinding {
  readonly row: DispatchRow;
  /** `c1`, `m2`. */
  readonly part: string;
  readonly ref: string;
  /** The claim, or name and value. */
  text: string;
  /** Evidence of a claim, provenance of a measurement. */
  evidence: string;
  /** Why the reviewer overturned it. */
  reason: string;
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
  readonly measurements: Bounded<ShownFinding>;
  readonly claims: Bounded<ShownFinding>;
  readonly overturned: Bounded<ShownFinding>;
  /** Hypotheses that lanes report as falsified. */
  readonly falsified: Bounded<Said>;
  readonly recommended: Bounded<Said>;
  readonly requests: Bounded<Said>;
}

export function* reportEvidence(state: State): Reading<ReportEvidence> {
  const evidence: ReportEvidence = {
    measurements: bestMeasurements(state),
    claims: newest(state, (verdict, kind) => kind === 'c' && verdict === 'validated'),
    overturned: newest(state, (verdict) => verdict === 'overturned'),
    falsified: { shown: [], total: 0 },
    recommended: { shown: [], total: 0 },
    requests: { shown: [], total: 0 },
  };
  const wanted = new Map<string, ShownFinding[]>();
  for (const list of [evidence.measurements, evidence.claims, evidence.overturned]) {
    for (const finding of list.shown) {
      const { dispatch_id } = finding.row;
      wanted.set(dispatch_id, [...(wanted.get(dispatch_id) ?? []), finding]);
    }
  }
  const said = createSaid(evidence);
  for (const round of countedRounds(state)) yield* readRound(round, wanted, said);
  return evidence;
}

interface Collector {
  readonly falsified: (text: string, by: string) => void;
  readonly recommended: (text: string, by: string) => void;
  readonly requests: (text: string, by: string) => void;
}

/** The same text is one entry; beyond the bound only the number of texts is kept. */
function createSaid(evidence: ReportEvidence): Collector {
  const into = (list: Bounded<Said>): ((text: string, by: string) => void) => {
    const known = new Map<string, Said>();
    return (text, by) => {
      const before = known.get(text);
      if (before !== undefined) {
        before.times += 1;
        return;
      }
      list.total += 1;
      if (list.shown.length >= REPORT_ENTRIES_MAX) return;
      const entry = { text, by, times: 1 };
      known.set(text, entry);
      list.shown.push(entry);
    };
  };
  return {
    falsified: into(evidence.falsified),
    recommended: into(evidence.recommended),
    requests: into(evidence.requests),
  };
}

function* readRound(
  round: Round,
  wanted: ReadonlyMap<string, readonly ShownFinding[]>,
  said: Collector,
): Reading<void> {
  const read: { readonly row: DispatchRow; readonly packet: ResearchPacket }[] = [];
  for (const row of acceptedResearch(round)) {
    const packet = yield* researchPacketOf(row);
    if (packet === null) continue;
    const by = refName(row, '').trim();
    for (const finding of wanted.get(row.dispatch_id) ?? []) fill(finding, packet);
    for (const { statement, verdict } of packet.hypotheses)
      if (verdict === 'falsified') said.falsified(statement, by);
    for (const text of packet.recommended_root_actions) said.recommended(text, by);
    if ((wanted.get(row.dispatch_id) ?? []).length > 0) read.push({ row, packet });
  }
  const poster = yield* posterPacketOf(rowOf(round.rows, round.poster));
  for (const text of poster?.recommended_root_actions ?? []) said.recommended(text, `R${round.round} poster`);
  const review = yield* reviewerPacketOf(rowOf(round.rows, round.review));
  if (review === null) return;
  for (const text of review.recommended_root_actions) said.recommended(text, `R${round.round} reviewer`);
  for (const text of review.verification_requests ?? []) said.requests(text, `R${round.round}`);
  fillReasons(review, read, wanted);
}

function fill(finding: ShownFinding, packet: ResearchPacket): void {
  const index = Number(finding.part.slice(1)) - 1;
  if (finding.part.startsWith('c')) {
    const { claim = '', evidence = '' } = packet.claims[index] ?? {};
    finding.text = claim;
    finding.evidence = evidence;
  } else {
    const { name = '', value = '', provenance = '' } = packet.measurements[index] ?? {};
    finding.text = `${name}: ${value}`;
    finding.evidence = provenance;
  }
}

/** The reviewer's words on what it overturned; of several verdicts on one ref the first that says so. */
function fillReasons(
  review: ReviewerPacket,
  read: readonly { readonly row: DispatchRow; readonly packet: ResearchPacket }[],
  wanted: ReadonlyMap<string, readonly ShownFinding[]>,
): void {
  const index = indexRefs(read.map(({ row, packet }) => ({ dispatch_id: row.dispatch_id, packet })));
  for (const entry of review.verdicts) {
    if (entry.verdict !== 'overturned') continue;
    const target = resolveRef(entry, index);
    const finding = wanted.get(target?.dispatch_id ?? '')?.find(({ ref }) => ref === target?.ref);
    if (finding?.reason === '') finding.reason = entry.reason;
  }
}

function shownFinding(row: DispatchRow, kind: 'c' | 'm', index: number): ShownFinding {
  const ref = (kind === 'c' ? claimRef : measurementRef)(row.dispatch_id, index + 1);
  return { row, part: `${kind}${index + 1}`, ref, text: '', evidence: '', reason: '' };
}

/** Validated measurements, the best first where they can be compared; equal ones in order of round and lane. */
function bestMeasurements(state: State): Bounded<ShownFinding> {
  const plan = state.planned?.plan;
  const metric = plan === undefined ? null : metricOf(plan);
  const found: { readonly row: DispatchRow; readonly index: number; readonly value: Decimal | null }[] = [];
  for (const row of reviewedRows(state)) {
    row.measurement_verdicts.forEach((verdict, index) => {
      if (verdict !== 'validated') return;
      const measurement = row.facts?.measurements?.[index];
      const reading =
        metric === null || measurement === undefined ? null : readMeasurement(metric, measurement);
      found.push({ row, index, value: reading?.usable === true ? reading.value : null });
    });
  }
  found.sort((left, right) => {
    if (left.value === null || right.value === null || metric === null) {
      return Number(left.value === null) - Number(right.value === null);
    }
    if (left.value.eq(right.value)) return 0;
    return isBetter(metric.direction, left.value, right.value) ? -1 : 1;
  });
  const shown = found.slice(0, REPORT_ENTRIES_MAX).map(({ row, index }) => shownFinding(row, 'm', index));
  return { shown, total: found.length };
}

function newest(
  state: State,
  isWanted: (verdict: Verdict | null, kind: 'c' | 'm') => boolean,
): Bounded<ShownFinding> {
  const list: Bounded<ShownFinding> = { shown: [], total: 0 };
  const add = (row: DispatchRow, kind: 'c' | 'm', index: number): void => {
    list.total += 1;
    if (list.shown.length < REPORT_ENTRIES_MAX) list.shown.push(shownFinding(row, kind, index));
  };
  for (const round of countedRounds(state).toReversed()) {
    for (const row of laneRows(round)) {
      if (row === null) continue;
      row.claim_verdicts.forEach((verdict, index) => isWanted(verdict, 'c') && add(row, 'c', index));
      row.measurement_verdicts.forEach((verdict, index) => isWanted(verdict, 'm') && add(row, 'm', index));
    }
  }
  return list;
}

function* reviewedRows(state: State): Generator<DispatchRow> {
  for (const round of countedRounds(state)) {
    for (const row of laneRows(round)) if (row !== null) yield row;
  }
}
