/**
 * What one round contributes to every later judgement, folded once from its lanes.
 *
 * Boundary: plain, small data of bounded size, the same for 2 lanes and 1,000. A closed round's facts never change, so
 * a conference may keep them and judge its twentieth round without reading the nineteen before it again.
 */
import { cutText, isWholeDecimal } from '../plan/quantity.ts';
import type { Decimal } from '../plan/quantity.ts';
import type { ConvergenceConfig, LaneInput, LaneStatus, MetricConfig, RoundInput } from './input.ts';
import { isBetter, readMeasurement } from './measurement.ts';
import type { UnusableReason } from './measurement.ts';
import { inSeatOrder } from './seat-order.ts';
import { textShownMax } from './shown.ts';
import { targetTest } from './target.ts';

/** How many unusable measurements a round, and a decision record, lists; the rest are counted. */
export const unusableListedMax = 64;

/** A reviewed measurement: where it stands, and its number as received. `position` counts from 1 (as `#m1`). */
export interface ReviewedNumber {
  readonly lane: string;
  readonly position: number;
  readonly number: string;
}

/** A measurement that cannot be judged; `found` is cut to 64 code points and is a child's text. */
export interface UnusableMeasurement {
  readonly round: number;
  readonly lane: string;
  readonly position: number;
  readonly found: string;
  readonly reason: UnusableReason;
}

export interface MetricFacts {
  readonly reviewed: number;
  /** Usable, but the reviewer did not validate it. */
  readonly unreviewed: number;
  readonly first: ReviewedNumber | null;
  readonly best: ReviewedNumber | null;
  /** The first reviewed measurement that satisfies the target. */
  readonly meets: ReviewedNumber | null;
  readonly all_whole: boolean;
  readonly unusable: { readonly total: number; readonly listed: readonly UnusableMeasurement[] };
}

export interface LaneScore {
  readonly lane: string;
  readonly score: number;
}

export interface ScoreFacts {
  /** Received lanes with a score, and the exact sum of their scores. */
  readonly scored: number;
  readonly sum: number;
  readonly lowest: LaneScore | null;
  readonly highest: LaneScore | null;
  /** The first received lane without a score. */
  readonly unscored: string | null;
}

export interface RoundFacts {
  readonly round: number;
  readonly iterations_spent: number;
  readonly elapsed_ms: number;
  readonly cost_reached: boolean;
  readonly lanes: number;
  readonly received: number;
  readonly blocked: number;
  /** The first lane that is neither blocked nor received and stalled; null when every lane is. */
  readonly moving: {
    readonly lane: string;
    readonly status: LaneStatus;
    readonly stuck_level: number | null;
  } | null;
  /** Null in qualitative mode. */
  readonly metric: MetricFacts | null;
  /** Null in metric mode. */
  readonly scores: ScoreFacts | null;
}

/** A round with at least one valid packet; any other counts as not having taken place (01 Convergence, "Lanes"). */
export function isComplete(facts: RoundFacts): boolean {
  return facts.received + facts.blocked > 0;
}

function metricFacts(config: MetricConfig, round: number, received: readonly LaneInput[]): MetricFacts {
  const { metric } = config;
  const satisfies = targetTest(metric.target, metric.direction);
  const listed: UnusableMeasurement[] = [];
  let [reviewed, unreviewed, unusable, allWhole] = [0, 0, 0, true];
  let first: ReviewedNumber | null = null;
  let meets: ReviewedNumber | null = null;
  let best: { readonly at: ReviewedNumber; readonly value: Decimal } | null = null;
  for (const { lane, measurements } of received) {
    for (const [index, measurement] of measurements.entries()) {
      const position = index + 1;
      const reading = readMeasurement(metric, measurement);
      if (!reading.usable) {
        unusable += 1;
        const found = cutText(measurement.value, textShownMax);
        if (listed.length < unusableListedMax)
          listed.push({ round, lane, position, found, reason: reading.reason });
      } else if (measurement.verdict === 'validated') {
        const at = { lane, position, number: reading.quantity.number };
        reviewed += 1;
        allWhole &&= isWholeDecimal(reading.value);
        first ??= at;
        if (meets === null && satisfies(reading.value)) meets = at;
        if (best === null || isBetter(metric.direction, reading.value, best.value))
          best = { at, value: reading.value };
      } else {
        unreviewed += 1;
      }
    }
  }
  const all = { reviewed, unreviewed, first, best: best?.at ?? null, meets, all_whole: allWhole };
  return { ...all, unusable: { total: unusable, listed } };
}

function scoreFacts(received: readonly LaneInput[]): ScoreFacts {
  let [scored, sum] = [0, 0];
  let lowest: LaneScore | null = null;
  let highest: LaneScore | null = null;
  let unscored: string | null = null;
  for (const { lane, score } of received) {
    if (score === null) {
      unscored ??= lane;
      continue;
    }
    scored += 1;
    sum += score;
    if (lowest === null || score < lowest.score) lowest = { lane, score };
    if (highest === null || score > highest.score) highest = { lane, score };
  }
  return { scored, sum, lowest, highest, unscored };
}

function isStalled(config: ConvergenceConfig, { status, stuck_level: level }: LaneInput): boolean {
  return status === 'blocked' || (status === 'received' && level !== null && level >= config.stuck_level);
}

/** Folds one round, in time linear in its measurements. Evidence is what received lanes hold, in seat order. */
export function foldRound(config: ConvergenceConfig, input: RoundInput): RoundFacts {
  const lanes = inSeatOrder(input.lanes);
  const received = lanes.filter(({ status }) => status === 'received');
  const moving = lanes.find((lane) => !isStalled(config, lane));
  return {
    round: input.round,
    iterations_spent: input.iterations_spent,
    elapsed_ms: input.elapsed_ms,
    cost_reached: input.cost_reached,
    lanes: lanes.length,
    received: received.length,
    blocked: lanes.filter(({ status }) => status === 'blocked').length,
    moving:
      moving === undefined
        ? null
        : { lane: moving.lane, status: moving.status, stuck_level: moving.stuck_level },
    metric: config.mode === 'metric' ? metricFacts(config, input.round, received) : null,
    scores: config.mode === 'qualitative' ? scoreFacts(received) : null,
  };
}
