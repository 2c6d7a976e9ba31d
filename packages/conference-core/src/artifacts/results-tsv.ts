/**
 * `conference_results.tsv` (03 Artifacts): a row for each usable measurement, or for the score of each lane.
 *
 * The file is written anew after every round. What a round contributed is remembered under the very array of its
 * dispatch rows, which is frozen with the round and shared between states (evolve E2), together with the best of
 * each lane after it; so a write reads the packets of the new round alone. A state folded afresh has other arrays,
 * remembers nothing and gives the same bytes.
 */
import type { Plan } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { compareWithLaneBest, type LaneBest, type LaneRow } from '../convergence/difference.ts';
import { readMeasurement } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneLetter } from '../lane.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
import type { State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { tsvCell } from './inert-text.ts';
import { countedRounds, researchPacketOf } from './stored-packet.ts';

const RESULTS_COLUMNS = [
  'round',
  'researcher',
  'iteration',
  'metric_value',
  'delta',
  'delta_pct',
  'status',
  'description',
  'evaluator_source',
  'peer_review_verdict',
  'timestamp',
] as const;

/** What stands where there is no value. */
const NONE = '-';

/** What one round adds, and what the next one compares with. */
interface RoundPart {
  readonly plan: Plan;
  readonly before: RoundPart | null;
  readonly text: string;
  /** By lane. */
  readonly bests: readonly (LaneBest | null)[];
}

const remembered = new WeakMap<readonly DispatchRow[], RoundPart>();

/** The whole table as text. */
export function* resultsTsv(state: State): Reading<string> {
  const plan = state.planned?.plan;
  const texts = [`${RESULTS_COLUMNS.join('\t')}\n`];
  if (plan === undefined) return texts.join('');
  let before: RoundPart | null = null;
  for (const round of countedRounds(state)) {
    before = yield* partOf(plan, round, before);
    texts.push(before.text);
  }
  return texts.join('');
}

function* partOf(plan: Plan, round: Round, before: RoundPart | null): Reading<RoundPart> {
  const known = remembered.get(round.rows);
  if (known !== undefined && known.plan === plan && known.before === before) return known;
  const bests: (LaneBest | null)[] = [];
  const lines: string[] = [];
  for (const [lane, row] of laneRows(round).entries()) {
    const best = before?.bests[lane] ?? null;
    const made =
      plan.mode === 'metric' ? yield* metricRows(plan, row, best) : yield* scoreRows(round, row, best);
    bests.push(made.best);
    for (const shown of made.rows.length === 0 ? [failedRow(row, plan)] : made.rows) {
      lines.push(`${[`${round.round}`, laneLetter(lane), ...shown].join('\t')}\n`);
    }
  }
  const part: RoundPart = { plan, before, text: lines.join(''), bests };
  // Only a round whose verdicts stand is done.
  if (round.reviewed) remembered.set(round.rows, part);
  return part;
}

interface LaneRows {
  readonly rows: readonly (readonly string[])[];
  readonly best: LaneBest | null;
}

/** The usable measurements of the plan's metric in the lane's accepted packet, in the order of the packet. */
function* metricRows(plan: Plan, row: DispatchRow | null, before: LaneBest | null): Reading<LaneRows> {
  const metric = metricOf(plan);
  if (metric === null || !hasEvidence(row)) return { rows: [], best: before };
  const packet = yield* researchPacketOf(row);
  let best = before;
  const rows: string[][] = [];
  for (const [index, measurement] of (packet?.measurements ?? []).entries()) {
    const reading = readMeasurement(metric, measurement);
    if (!reading.usable) continue;
    const verdict = row.measurement_verdicts[index] ?? null;
    const compared = compareWithLaneBest(metric.direction, best, { quantity: reading.quantity, verdict });
    best = compared.next;
    rows.push(
      cells(row, compared, {
        iteration: rows.length,
        value: measurement.value,
        description: packet?.claims[index]?.claim ?? '',
        source: measurement.provenance,
        verdict,
      }),
    );
  }
  return { rows, best };
}

/** The reviewer's score of the lane: a lane's own assessment is never shown as one (source 003 Score source). */
function* scoreRows(round: Round, row: DispatchRow | null, before: LaneBest | null): Reading<LaneRows> {
  if (!hasEvidence(row) || row.score === null) return { rows: [], best: before };
  const packet = yield* researchPacketOf(row);
  const value = `${row.score}`;
  const compared = compareWithLaneBest('maximize', before, {
    quantity: { number: value, unit: '' },
    verdict: null,
  });
  const reviewer = rowOf(round.rows, round.review);
  const made = cells(row, compared, {
    iteration: 0,
    value,
    description: packet?.claims[0]?.claim ?? '',
    source: `reviewer ${reviewer?.dispatch_id ?? NONE}`,
    verdict: row.claim_verdicts[0] ?? null,
  });
  return { rows: [made], best: compared.next };
}

function hasEvidence(row: DispatchRow | null): row is DispatchRow {
  return row?.state === 'received' && row.facts?.status === 'completed';
}

function cells(
  row: DispatchRow,
  { delta, delta_pct, status }: LaneRow,
  given: {
    readonly iteration: number;
    readonly value: string;
    readonly description: string;
    readonly source: string;
    readonly verdict: string | null;
  },
): string[] {
  return [
    `${given.iteration}`,
    tsvCell(given.value),
    delta,
    delta_pct,
    status,
    tsvCell(given.description),
    tsvCell(given.source),
    given.verdict ?? NONE,
    timeOf(row),
  ];
}

/** A lane without a usable value: why, in the place of a description. */
function failedRow(row: DispatchRow | null, plan: Plan): string[] {
  return [
    '0',
    NONE,
    NONE,
    NONE,
    'failed',
    tsvCell(whyFailed(row, plan)),
    NONE,
    NONE,
    row === null ? NONE : timeOf(row),
  ];
}

function whyFailed(row: DispatchRow | null, plan: Plan): string {
  if (row === null) return 'not dispatched';
  const { state, code, reason, facts } = row;
  if (state !== 'received') return [state, code ?? '', reason ?? ''].filter((part) => part !== '').join(': ');
  if (facts?.status === 'blocked') return 'the lane was blocked';
  return plan.mode === 'metric'
    ? `no usable measurement of ${plan.metric?.name ?? 'the metric'}`
    : 'no score by the reviewer';
}

function timeOf({ ended_ms }: DispatchRow): string {
  return ended_ms === null ? NONE : toTimestamp(ended_ms);
}
