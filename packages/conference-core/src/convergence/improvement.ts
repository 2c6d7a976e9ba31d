/**
 * Which complete rounds improved: over the best of all earlier ones, by more than the noise threshold.
 *
 * Settled conflict (01 Convergence): not over the previous round alone, or 5, 6, 5, 6 … would never reach a plateau.
 */
import { decimalOf } from '../plan/quantity.ts';
import type { Decimal, Quantity } from '../plan/quantity.ts';
import type { MetricConfig } from './input.ts';
import { gainOver, isBetter } from './measurement.ts';
import { resolveThreshold } from './noise-threshold.ts';
import type { RoundFacts, ScoreFacts } from './round-facts.ts';
import { shownNumber } from './shown.ts';

/** One complete round's verdict, and the numbers behind it in words. */
export interface RoundProgress {
  readonly round: number;
  readonly improved: boolean;
  readonly detail: string;
}

/** The threshold and baseline of one judgement; the same for all its rounds. */
export interface NoiseBasis {
  readonly baseline: Quantity | null;
  /** Exact, in the metric's unit; null while nothing was reviewed. */
  readonly threshold: string | null;
  readonly why: string;
}

function noise(
  config: MetricConfig,
  rounds: readonly RoundFacts[],
): { basis: NoiseBasis; threshold: Decimal | null } {
  const first = rounds.map(({ metric }) => metric?.first ?? null).find((number) => number !== null);
  if (first === undefined) {
    return { basis: { baseline: null, threshold: null, why: 'nothing reviewed yet' }, threshold: null };
  }
  const { unit } = config.metric.target;
  const threshold = resolveThreshold({
    configured: config.noise_threshold,
    unit,
    baseline: decimalOf(first.number),
    allWhole: rounds.every(({ metric }) => metric?.all_whole ?? true),
  });
  const basis = {
    baseline: { number: first.number, unit },
    threshold: threshold.value.toString(),
    why: threshold.why,
  };
  return { basis, threshold: threshold.value };
}

/** Metric mode. `rounds` are the complete ones, in order; linear in their number. */
export function metricProgress(
  config: MetricConfig,
  rounds: readonly RoundFacts[],
): { readonly basis: NoiseBasis; readonly progress: readonly RoundProgress[] } {
  const { direction } = config.metric;
  const { basis, threshold } = noise(config, rounds);
  let soFar: { readonly number: string; readonly value: Decimal } | null = null;
  const progress = rounds.map(({ round, metric }): RoundProgress => {
    const best = metric?.best ?? null;
    if (best === null || threshold === null)
      return { round, improved: false, detail: 'no reviewed measurement' };
    const value = decimalOf(best.number);
    const earlier = soFar;
    if (earlier === null || isBetter(direction, value, earlier.value)) soFar = { number: best.number, value };
    const shown = shownNumber(best.number);
    if (earlier === null) return { round, improved: true, detail: `best ${shown}, the first` };
    const gain = gainOver(direction, value, earlier.value);
    const improved = gain.gt(threshold);
    const against = `gain ${shownNumber(gain.toString())} over ${shownNumber(earlier.number)}`;
    return { round, improved, detail: `best ${shown}, ${against}` };
  });
  return { basis, progress };
}

/** The mean of a round's scores, rounded half up to 4 decimals for show only; null without a score. */
export function shownMean({ sum, scored }: ScoreFacts): string | null {
  if (scored === 0) return null;
  const tenThousandths = Math.floor((2 * sum * 10_000 + scored) / (2 * scored));
  const decimals = String(tenThousandths % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.floor(tenThousandths / 10_000)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Qualitative mode: any increase of the exact mean counts. `rounds` are the complete ones; means are compared as fractions. */
export function scoreProgress(rounds: readonly RoundFacts[]): readonly RoundProgress[] {
  let highest: ScoreFacts | null = null;
  return rounds.map(({ round, scores: facts }): RoundProgress => {
    const mean = facts === null ? null : shownMean(facts);
    if (facts === null || mean === null) return { round, improved: false, detail: 'no score' };
    const earlier = highest;
    const improved = earlier === null || facts.sum * earlier.scored > earlier.sum * facts.scored;
    if (improved) highest = facts;
    const exact = `mean ${mean} (${facts.sum}/${facts.scored})`;
    if (earlier === null) return { round, improved, detail: `${exact}, the first` };
    return {
      round,
      improved,
      detail: `${exact}, highest before ${shownMean(earlier) ?? '-'} (${earlier.sum}/${earlier.scored})`,
    };
  });
}
