/** The noise threshold: how much better a round must be to count as better (source 003, "Noise Threshold"). */
import { decimalOf, parseQuantity, unreadable } from '../plan/quantity.ts';
import type { Decimal, Parsed } from '../plan/quantity.ts';

/** `absolute`: in the metric's unit. `relative`: per cent of the absolute baseline. */
export interface NoiseThreshold {
  readonly kind: 'absolute' | 'relative';
  readonly number: string;
}

const accepted = 'an absolute threshold such as "0.5" or "0", or one relative to the baseline such as "1%"';

/** Reads `0.5`, `0`, `1%`, `0.01%`; not negative. Any other unit than `%` has no single meaning and is a finding. */
export function parseNoiseThreshold(found: string | undefined): Parsed<NoiseThreshold> {
  const text = found?.trim();
  const quantity = text === undefined ? null : parseQuantity(text);
  if (quantity === null || decimalOf(quantity.number).lt('0')) return unreadable(text, accepted);
  if (quantity.unit !== '' && quantity.unit !== '%') return unreadable(text, accepted);
  return {
    ok: true,
    value: { kind: quantity.unit === '%' ? 'relative' : 'absolute', number: quantity.number },
  };
}

/** What the threshold in force is made from: the metric's unit and the reviewed measurements so far. */
export interface ThresholdBasis {
  readonly configured: NoiseThreshold | null;
  readonly unit: string;
  /** The first reviewed measurement. */
  readonly baseline: Decimal;
  readonly allWhole: boolean;
}

interface ThresholdRule {
  readonly why: string;
  readonly applies: (basis: ThresholdBasis) => boolean;
  readonly value: (basis: ThresholdBasis) => Decimal;
}

const zero = decimalOf('0');
const tenth = decimalOf('0.1');
const thousandth = decimalOf('0.001');
const hundredth = decimalOf('0.01');

/** First that applies. Whole numbers come after `%`: a percentage without decimals is still a percentage. */
const thresholdRules: readonly ThresholdRule[] = [
  {
    why: 'configured, relative to the baseline',
    applies: ({ configured }) => configured?.kind === 'relative',
    value: ({ configured, baseline }) =>
      decimalOf(configured?.number ?? '0')
        .times(hundredth)
        .times(baseline.abs()),
  },
  {
    why: 'configured',
    applies: ({ configured }) => configured !== null,
    value: ({ configured }) => decimalOf(configured?.number ?? '0'),
  },
  { why: 'default for a metric in %', applies: ({ unit }) => unit === '%', value: () => tenth },
  {
    why: 'default while every reviewed measurement is whole',
    applies: ({ allWhole }) => allWhole,
    value: () => zero,
  },
  {
    why: 'default, 0.1 % of the baseline',
    applies: () => true,
    value: ({ baseline }) => baseline.abs().times(thousandth),
  },
];

/** The threshold in force, and the row of the table that gave it. */
export function resolveThreshold(basis: ThresholdBasis): { readonly value: Decimal; readonly why: string } {
  const rule = thresholdRules.find(({ applies }) => applies(basis));
  return rule === undefined ? { value: zero, why: 'none' } : { value: rule.value(basis), why: rule.why };
}
