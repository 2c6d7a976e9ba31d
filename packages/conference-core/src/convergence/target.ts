/** The target of a metric: a comparator, a number, and the unit that every measurement of the metric must have. */
import { decimalOf, parseQuantity, quantityTextMax, unreadable } from '../plan/quantity.ts';
import type { Decimal, Parsed, Quantity } from '../plan/quantity.ts';
import type { Direction } from './input.ts';

export type Comparator = '>' | '>=' | '<' | '<=';

/** `comparator` is null when the text names none; the direction then decides (`comparatorOf`). */
export interface Target extends Quantity {
  readonly comparator: Comparator | null;
}

const accepted =
  'a number with an optional comparator and unit, such as "> 95%", ">= 80", "< 50ms", "> 8/10" or "34.28ms"';

const comparators: Readonly<Record<string, Comparator>> = {
  '>': '>',
  '>=': '>=',
  '≥': '>=',
  '<': '<',
  '<=': '<=',
  '≤': '<=',
};

/** Reads `> 95%`, `>= 80`, `< 50ms`, `> 8/10`, `34.28ms` (03 conference.md). What it cannot read is a finding. */
export function parseTarget(found: string | undefined): Parsed<Target> {
  const text = found?.trim() ?? '';
  if (text.length > quantityTextMax) return unreadable(text, accepted);
  const sign = /^(?:[<>]=?|[≥≤])/.exec(text)?.[0] ?? '';
  const quantity = parseQuantity(text.slice(sign.length).trim());
  if (quantity === null) return unreadable(text, accepted);
  return { ok: true, value: { comparator: comparators[sign] ?? null, ...quantity } };
}

/** The comparator in force: without one, at least the target when maximizing, at most when minimizing (01 Convergence). */
export function comparatorOf(target: Target, direction: Direction): Comparator {
  return target.comparator ?? (direction === 'maximize' ? '>=' : '<=');
}

const judges: Readonly<Record<Comparator, (comparison: -1 | 0 | 1) => boolean>> = {
  '>': (comparison) => comparison > 0,
  '>=': (comparison) => comparison >= 0,
  '<': (comparison) => comparison < 0,
  '<=': (comparison) => comparison <= 0,
};

/** The target as a test on values that have its unit. The number is read once, for a whole round of measurements. */
export function targetTest(target: Target, direction: Direction): (value: Decimal) => boolean {
  const bound = decimalOf(target.number);
  const judge = judges[comparatorOf(target, direction)];
  return (value) => judge(value.cmp(bound));
}
