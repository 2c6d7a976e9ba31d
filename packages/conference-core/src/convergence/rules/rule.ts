/** What a rule is: an id, the outcome it stands for, where it comes from, and a judgement on a view of the conference. */
import type { ConvergenceConfig, MetricConfig, QualitativeConfig } from '../input.ts';
import type { NoiseBasis, RoundProgress } from '../improvement.ts';
import type { RoundFacts } from '../round-facts.ts';

export type MetricRuleId =
  | 'cancelled'
  | 'hard_budget'
  | 'no_valid_packet'
  | 'target_reached'
  | 'plateau'
  | 'all_stalled';

export type QualitativeRuleId =
  | 'cancelled'
  | 'hard_budget'
  | 'no_valid_packet'
  | 'early_quality'
  | 'quality'
  | 'sub_threshold'
  | 'plateau'
  | 'all_stalled';

export type RuleId = MetricRuleId | QualitativeRuleId;

/** The outcome of a rule that wins; `CONTINUE` is no rule's. */
export type StopOutcome =
  | 'CONVERGED'
  | 'CONVERGED_PLATEAU'
  | 'STALLED'
  | 'BUDGET_STOP'
  | 'CANCELLED'
  | 'BLOCKED_NO_VALID_PACKET';

interface View<Config extends ConvergenceConfig> {
  readonly config: Config;
  readonly cancelled: boolean;
  /** All rounds, in order. */
  readonly rounds: readonly RoundFacts[];
  /** Those that are complete, in order. */
  readonly complete: readonly RoundFacts[];
  /** The last round given, complete or not; null before the first. */
  readonly last: RoundFacts | null;
  /** One entry for each complete round. */
  readonly progress: readonly RoundProgress[];
}

export interface MetricView extends View<MetricConfig> {
  readonly noise: NoiseBasis;
}
export type QualitativeView = View<QualitativeConfig>;
/** What both modes share: enough for a rule that does not care about the mode. */
export type CommonView = View<ConvergenceConfig>;

/** Held or not, and the numbers looked at, in one line. */
export interface Judgement {
  readonly held: boolean;
  readonly detail: string;
}

export interface Rule<Id extends RuleId, V> {
  readonly id: Id;
  readonly outcome: StopOutcome;
  readonly source: string;
  readonly judge: (view: V) => Judgement;
}

/** The last `count` of `items` when there are so many, else null: a window that is not full judges nothing. */
export function lastOf<T>(items: readonly T[], count: number): readonly T[] | null {
  return items.length < count ? null : items.slice(items.length - count);
}

export const noRound: Judgement = { held: false, detail: 'no round yet' };
