/**
 * What a phase may read (source 002; 02 Charter): compact packet summaries and excerpts, bounded, made once a phase.
 *
 * R1 A research charter gets the user's context in round 1, and only validated findings afterwards.
 * R2 A poster gets the accepted research packets of its round, a reviewer the poster and these, a synthesis all
 *    reviewed claims with their verdicts and the limitations, and after a stall what the lanes report as falsified.
 * R3 Nothing of a refused packet, no file of a child, no path.
 */
import {
  canonicalJson,
  digestOfJson,
  limitsFor,
  type Digest,
  type JsonValue,
  type Packet,
  type ReadContextItem,
  type Role,
} from '@x/protocol';
import type { Decimal } from '../plan/quantity.ts';
import type { MetricConfig } from '../convergence/input.ts';
import { isBetter, readMeasurement } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import { limitationsOf } from '../artifacts/limitations.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
import { currentRound, type Planned, type State } from '../state.ts';
import { readJson, type Reading } from './content.ts';
import { contextDigest, fitContext, shortestBytes, textView, utf8Length, type View } from './fit.ts';
import { isResearch, refCount, viewOf, type ViewOptions } from './packet-view.ts';

export interface ReadContext {
  readonly items: readonly ReadContextItem[];
  /** Of the canonical JSON of the items: recorded with each dispatch. */
  readonly digest: Digest;
}

/** No packet with a validated entry is shorter: a research charter looks at no more than could fit. */
const PACKET_BYTES_MIN = 192;
/** Falsified hypotheses that are listed; newer ones first. */
const FALSIFIED_MAX = 32;
/** Share of the evidence that they may take, so that nobody crowds out what was validated. */
const FALSIFIED_SHARE = 4;

/** The context of the dispatches of this role that are to be issued now. */
export function* readContext(state: State, planned: Planned, role: Role): Reading<ReadContext> {
  const views: View[] = yield* viewsFor(state, planned, role);
  const refs = views.reduce((sum, view) => sum + (view.kind === 'packet' ? refCount(view.view) : 0), 0);
  const { limits } = planned.plan;
  const bound = role === 'researcher' ? limits : limitsFor(limits, refs);
  const items = fitContext(views, bound.evidence_bytes_max);
  return { items, digest: contextDigest(items) };
}

function* viewsFor(state: State, planned: Planned, role: Role): Reading<View[]> {
  const round = currentRound(state);
  switch (role) {
    case 'researcher':
      return state.round <= 1 ? yield* givenContext(planned) : yield* validatedFindings(state, planned);
    case 'poster':
      return round === null ? [] : yield* roundPackets(round);
    case 'reviewer':
      return round === null ? [] : [...(yield* posterPacket(round)), ...(yield* roundPackets(round))];
    case 'synthesis':
      return yield* reviewedClaims(state, planned);
  }
}

/** Current Approach, Shared Knowledge, Context & References, as the user wrote them. */
function* givenContext(planned: Planned): Reading<View[]> {
  const views: View[] = [];
  for (const { source, digest } of planned.plan.context) {
    const stored = yield* readJson(digest);
    const text = textOf(stored);
    views.push({ kind: 'text', view: { digest, source, text, omitted: 0 } });
  }
  return views;
}

function textOf(stored: JsonValue): string {
  if (typeof stored === 'object' && stored !== null && 'text' in stored && typeof stored.text === 'string') {
    return stored.text;
  }
  return canonicalJson(stored);
}

function* packetOf(row: DispatchRow): Reading<Packet | null> {
  if (row.content_digest === null) return null;
  // Admission wrote this object from a packet that fits the schema of its role.
  return (yield* readJson(row.content_digest)) as unknown as Packet;
}

function* viewOfRow(row: DispatchRow, options: ViewOptions): Reading<View[]> {
  const packet = yield* packetOf(row);
  return packet === null ? [] : [{ kind: 'packet', view: viewOf(row, packet, options) }];
}

function* roundPackets(round: Round): Reading<View[]> {
  const views: View[] = [];
  for (const row of laneRows(round)) {
    if (row?.state === 'received') views.push(...(yield* viewOfRow(row, { verdicts: 'all', extra: true })));
  }
  return views;
}

function* posterPacket(round: Round): Reading<View[]> {
  const row = rowOf(round.rows, round.poster);
  if (row === null || row.state !== 'received' || row.content_digest === null) return [];
  const packet = yield* packetOf(row);
  if (packet === null) return [];
  const digest = row.content_digest;
  return [
    {
      kind: 'text',
      view: { digest, source: `poster ${row.dispatch_id}`, text: canonicalJson(packet), omitted: 0 },
    },
  ];
}

/**
 * Validated findings of earlier rounds. When not even their shortest forms fit together, the weakest are left out and
 * a line says how many; what is shown stands in order of round and lane.
 */
function* validatedFindings(state: State, planned: Planned): Reading<View[]> {
  const bound = planned.plan.limits.evidence_bytes_max;
  const ranked = rankRows(state, planned);
  const looked = ranked.slice(0, Math.ceil(bound / PACKET_BYTES_MIN));
  const falsified = yield* falsifiedHypotheses(looked, Math.floor(bound / FALSIFIED_SHARE));
  const leftOut = omittedFindings(ranked.length);
  let room = bound - textBytes([...falsified, leftOut]);
  const chosen: { readonly row: DispatchRow; readonly view: View }[] = [];
  for (const [index, row] of looked.entries()) {
    for (const found of yield* viewOfRow(row, { verdicts: ['validated'], extra: false })) {
      if (found.kind !== 'packet') continue;
      const bytes = shortestBytes(found.view);
      if (bytes > room) continue;
      room -= bytes;
      chosen.push({ row, view: { ...found, rank: index + 1 } });
    }
  }
  chosen.sort((left, right) => inOrder(left.row, right.row));
  const dropped = ranked.length - chosen.length;
  return [
    ...chosen.map(({ view }) => view),
    ...(dropped === 0 ? [] : [omittedFindings(dropped)]),
    ...falsified,
  ];
}

function omittedFindings(count: number): View {
  return textView('omitted findings', `${count} more packets with validated findings did not fit.`);
}

function textBytes(views: readonly View[]): number {
  return views.reduce((sum, view) => sum + (view.kind === 'text' ? utf8Length(view.view.text) : 0), 0);
}

function inOrder(left: DispatchRow, right: DispatchRow): number {
  return left.round - right.round || (left.lane ?? 0) - (right.lane ?? 0);
}

/** Rows with validated evidence: by best validated measurement, then by newest round. */
function rankRows(state: State, planned: Planned): DispatchRow[] {
  const metric = metricOf(planned.plan);
  const ranked = state.rounds.flatMap((round) =>
    round.rows.flatMap((row) => {
      if (row.role !== 'researcher' || row.state !== 'received') return [];
      if (!row.claim_verdicts.includes('validated') && !row.measurement_verdicts.includes('validated'))
        return [];
      return [{ row, best: metric === null ? null : bestValidated(row, metric) }];
    }),
  );
  ranked.sort((left, right) => {
    if (metric !== null && left.best !== right.best) {
      if (left.best === null) return 1;
      if (right.best === null) return -1;
      if (!left.best.eq(right.best)) return isBetter(metric.direction, left.best, right.best) ? -1 : 1;
    }
    return right.row.round - left.row.round || (left.row.lane ?? 0) - (right.row.lane ?? 0);
  });
  return ranked.map(({ row }) => row);
}

function bestValidated(row: DispatchRow, metric: MetricConfig['metric']): Decimal | null {
  let best: Decimal | null = null;
  (row.facts?.measurements ?? []).forEach((measurement, index) => {
    if (row.measurement_verdicts[index] !== 'validated') return;
    const reading = readMeasurement(metric, measurement);
    if (!reading.usable) return;
    if (best === null || isBetter(metric.direction, reading.value, best)) best = reading.value;
  });
  return best;
}

/** What lanes report as falsified, newest first, so that nobody repeats it without new evidence (source 002 Contrarian). */
function* falsifiedHypotheses(rows: readonly DispatchRow[], bytesMax: number): Reading<View[]> {
  const list: JsonValue[] = [];
  let bytes = 0;
  for (const row of rows.toSorted((left, right) => inOrder(right, left))) {
    const packet = yield* packetOf(row);
    if (packet === null || !isResearch(packet)) continue;
    for (const { statement, verdict, evidence } of packet.hypotheses) {
      if (verdict !== 'falsified' || list.length === FALSIFIED_MAX) continue;
      const entry = { dispatch_id: row.dispatch_id, statement, evidence };
      const size = utf8Length(canonicalJson(entry)) + 1;
      if (bytes + size > bytesMax) continue;
      bytes += size;
      list.push(entry);
    }
  }
  return list.length === 0 ? [] : [textView('hypotheses reported as falsified', canonicalJson(list))];
}

/**
 * Every reviewed claim and measurement with its verdict, and the limitations: all that a synthesis may use. Where every lane
 * stalled, what failed is the result, so the strategies that lanes gave up stand beside them (003 guide, Pattern 4).
 */
function* reviewedClaims(state: State, planned: Planned): Reading<View[]> {
  const options: ViewOptions = { verdicts: ['validated', 'challenged', 'overturned'], extra: false };
  const views: View[] = [];
  for (const round of state.rounds) {
    if (!round.reviewed) continue;
    // In order of lanes, not of issue: a lane that was sent again must not change what the rest of the evidence looks like.
    for (const row of round.rows.toSorted(inOrder)) {
      if (row.role !== 'researcher' || row.state !== 'received') continue;
      if (row.claim_verdicts.length + row.measurement_verdicts.length === 0) continue;
      views.push(...(yield* viewOfRow(row, options)));
    }
  }
  if (state.outcome === 'STALLED') {
    const rows = state.rounds.flatMap((round) => (round.reviewed ? round.rows : []));
    const research = rows.filter((row) => row.role === 'researcher' && row.state === 'received');
    const bytesMax = Math.floor(planned.plan.limits.evidence_bytes_max / FALSIFIED_SHARE);
    views.push(...(yield* falsifiedHypotheses(research, bytesMax)));
  }
  const limitations = limitationsOf(state);
  const digest = digestOfJson(limitations);
  views.push({
    kind: 'text',
    view: { digest, source: 'limitations', text: canonicalJson(limitations), omitted: 0 },
  });
  return views;
}
