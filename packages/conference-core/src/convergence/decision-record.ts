/** The record of one judgement: what was looked at, what held, what won (01 Convergence). Plain data, for a ledger. */
import type { Quantity } from '../plan/quantity.ts';
import type { OrderName } from './input.ts';
import type { UnusableMeasurement } from './round-facts.ts';
import type { RuleId, StopOutcome } from './rules/rule.ts';

export type ConvergenceOutcome = StopOutcome | 'CONTINUE';

export interface RuleRecord {
  readonly rule: RuleId;
  readonly held: boolean;
  /** The numbers the rule looked at: one line, at most a few hundred characters, safe on a terminal. */
  readonly detail: string;
}

export interface DecisionRecord {
  readonly outcome: ConvergenceOutcome;
  /** The rule that won; null when none holds. */
  readonly winner: RuleId | null;
  /** Apart from the outcome: a target met in the last affordable round is a BUDGET_STOP in order `core`, and met. */
  readonly target_met: boolean;
  /** Every rule of the order, in its order. */
  readonly rules: readonly RuleRecord[];
  /** One entry a round: the number as received, or the mean rounded to 4 decimals; null without one. */
  readonly round_bests: readonly (string | null)[];
  readonly order: OrderName;
  /** The last round given; null before the first. */
  readonly round: number | null;
  /** Whether each round improved; an incomplete round did not. */
  readonly improved: readonly boolean[];
  /** Metric mode: the first reviewed measurement. */
  readonly baseline: Quantity | null;
  /** Metric mode: the exact noise threshold in force, in the metric's unit. */
  readonly threshold: string | null;
  /** Measurements that could not be judged: all are counted, the first 64 listed. */
  readonly unusable: { readonly total: number; readonly listed: readonly UnusableMeasurement[] };
}
