/**
 * What convergence judges: a resolved configuration, and rounds with what was reviewed in them.
 *
 * Boundary: data only. Options are complete here (nothing below knows a default), so the same judgement comes out of a
 * document on a command line and out of rounds folded from a ledger. Field names are those of the wire (07 evaluate).
 */
import type { NoiseThreshold } from './noise-threshold.ts';
import type { Target } from './target.ts';

/** The defaults of 01 Convergence; the plan shows them among its conditions. */
export const convergenceDefaults = {
  order: 'core',
  plateau_window: 2,
  early_quality: false,
  stuck_level: 2,
  quality_score: 8,
  early_quality_score: 9,
} as const;

export type OrderName = 'core' | 'guide';
export type Direction = 'maximize' | 'minimize';

interface CommonConfig {
  readonly order: OrderName;
  /** How many complete rounds without improvement make a plateau; at least 1. */
  readonly plateau_window: number;
  /** The level from which a received lane counts as stalled, 1 to 3. */
  readonly stuck_level: number;
  readonly max_rounds: number;
  readonly max_total_iterations: number;
  /** Milliseconds; null when the plan sets none. */
  readonly time_budget_ms: number | null;
  /** How many lanes the next round would have. */
  readonly lanes: number;
}

export interface MetricConfig extends CommonConfig {
  readonly mode: 'metric';
  readonly metric: { readonly name: string; readonly target: Target; readonly direction: Direction };
  /** Null: the default for the metric's kind (source 003, "Noise Threshold"). */
  readonly noise_threshold: NoiseThreshold | null;
}

export interface QualitativeConfig extends CommonConfig {
  readonly mode: 'qualitative';
  /** Whether one round of very good scores may end the conference: the chair's discretion, given in advance. */
  readonly early_quality: boolean;
  readonly quality_score: number;
  readonly early_quality_score: number;
}

export type ConvergenceConfig = MetricConfig | QualitativeConfig;

export const laneStatuses = ['received', 'failed', 'timed_out', 'cancelled', 'blocked'] as const;
/** The status of the lane's dispatch, or `blocked` when its accepted packet says so (01 Convergence, "Lanes"). */
export type LaneStatus = (typeof laneStatuses)[number];

export const measurementVerdicts = ['validated', 'challenged', 'overturned'] as const;
export type MeasurementVerdict = (typeof measurementVerdicts)[number];

export interface MeasurementInput {
  /** Null when the measurement carries no name of its own: it is then the metric's. */
  readonly name: string | null;
  readonly value: string;
  /** The reviewer's verdict; null when the reviewer named none. */
  readonly verdict: MeasurementVerdict | null;
}

export interface LaneInput {
  readonly lane: string;
  readonly status: LaneStatus;
  /** 0 to 3; null when the packet gives none (such a lane is not stalled). */
  readonly stuck_level: number | null;
  /** The reviewer's score, 1 to 10; null when the reviewer gave none. Never the lane's own. */
  readonly score: number | null;
  readonly measurements: readonly MeasurementInput[];
}

export interface RoundInput {
  /** Numbered from 1, rising. */
  readonly round: number;
  /** Running total of the conference. */
  readonly iterations_spent: number;
  /** Running total of the conference, milliseconds of the union of 01 Budgets. */
  readonly elapsed_ms: number;
  /** Whether the cost budget is reached; false where the host reports no cost. */
  readonly cost_reached: boolean;
  /** Each lane once, in any order: lanes are read in seat order (A … Z, AA …). */
  readonly lanes: readonly LaneInput[];
}

export interface ConvergenceInput {
  readonly cancelled: boolean;
  readonly rounds: readonly RoundInput[];
}
