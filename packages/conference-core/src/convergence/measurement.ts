/** One measurement against the plan's metric: a usable quantity, or the reason why it is none (01 Evidence). */
import { decimalOf, parseQuantity } from '../plan/quantity.ts';
import type { Decimal, Quantity } from '../plan/quantity.ts';
import type { Direction, MetricConfig } from './input.ts';

export type UnusableReason = 'other_metric' | 'not_a_number' | 'wrong_unit';

export type MeasurementReading =
  | { readonly usable: true; readonly quantity: Quantity; readonly value: Decimal }
  | { readonly usable: false; readonly reason: UnusableReason };

/**
 * Reads a measurement. A null name is the metric's own; the unit must be the target's exactly, both absent is equal.
 * Never throws: text that is no number is `not_a_number`.
 */
export function readMeasurement(
  metric: MetricConfig['metric'],
  measurement: { readonly name: string | null; readonly value: string },
): MeasurementReading {
  if (measurement.name !== null && measurement.name !== metric.name)
    return { usable: false, reason: 'other_metric' };
  const quantity = parseQuantity(measurement.value);
  if (quantity === null) return { usable: false, reason: 'not_a_number' };
  if (quantity.unit !== metric.target.unit) return { usable: false, reason: 'wrong_unit' };
  return { usable: true, quantity, value: decimalOf(quantity.number) };
}

/** How much better `value` is than `than` in the declared direction; negative when it is worse. Exact. */
export function gainOver(direction: Direction, value: Decimal, than: Decimal): Decimal {
  return direction === 'maximize' ? value.minus(than) : than.minus(value);
}

/** Whether `value` beats `than` in the declared direction; equal does not. */
export function isBetter(direction: Direction, value: Decimal, than: Decimal): boolean {
  return direction === 'maximize' ? value.gt(than) : value.lt(than);
}
