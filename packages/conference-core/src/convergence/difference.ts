/** A measurement beside the best of its lane so far: the columns delta, delta_pct and status of the results table. */
import { decimalOf, scaleOf } from '../plan/quantity.ts';
import type { Decimal, Quantity } from '../plan/quantity.ts';
import type { Direction, MeasurementVerdict } from './input.ts';
import { isBetter } from './measurement.ts';

/** The sign is the change's own, so that a small loss never shows as a gain (`-0.0%`). */
function signed(change: Decimal, shown: Decimal, scale: number): string {
  return `${change.lt('0') ? '-' : '+'}${shown.abs().toFixed(scale)}`;
}

/** `to − from`, exact, at the larger scale of the two numbers: `+6.0` (03 Artifacts). Zero is `+0.0`. */
export function exactDelta(from: string, to: string): string {
  const change = decimalOf(to).minus(decimalOf(from));
  return signed(change, change, Math.max(scaleOf(from), scaleOf(to)));
}

/** The change in per cent of the absolute base, one decimal, half up away from zero: `+17.4%`; `-` for a base of 0. */
export function deltaPercent(from: string, to: string): string {
  const base = decimalOf(from);
  if (base.eq('0')) return '-';
  // The division rounds to one decimal, half up (the precision of `decimalOf`); of it only the size is shown.
  const change = decimalOf(to).minus(decimalOf(from));
  return `${signed(change, change.times('100').div(base), 1)}%`;
}

/** A lane's best so far: null before its first measurement; `best` null while all of them were overturned. */
export interface LaneBest {
  readonly best: Quantity | null;
}

export interface LaneRow {
  readonly status: 'baseline' | 'kept' | 'reverted';
  /** `-` for the lane's first, and while it has no best. */
  readonly delta: string;
  readonly delta_pct: string;
  /** What the lane's next measurement is compared with. */
  readonly next: LaneBest;
}

/**
 * One row of `conference_results.tsv` (03 Artifacts): `baseline` for the lane's first, `kept` when not worse than its
 * best so far, else `reverted`. An overturned value is compared like any other and never becomes the best.
 */
export function compareWithLaneBest(
  direction: Direction,
  lane: LaneBest | null,
  current: { readonly quantity: Quantity; readonly verdict: MeasurementVerdict | null },
): LaneRow {
  const { quantity, verdict } = current;
  const best = lane?.best ?? null;
  const counts = verdict !== 'overturned';
  if (best === null) {
    const status = lane === null ? 'baseline' : 'kept';
    return { status, delta: '-', delta_pct: '-', next: { best: counts ? quantity : null } };
  }
  const [value, before] = [decimalOf(quantity.number), decimalOf(best.number)];
  return {
    status: isBetter(direction, before, value) ? 'reverted' : 'kept',
    delta: exactDelta(best.number, quantity.number),
    delta_pct: deltaPercent(best.number, quantity.number),
    next: { best: counts && isBetter(direction, value, before) ? quantity : best },
  };
}
