/**
 * The plan: everything that is confirmed by its digest, and every number that a decision reads (design C5).
 * The start gate makes it; nothing in it is guessed (01 Start gate).
 */
import * as z from 'zod';
import { digestSchema, laneSchema, positiveSchema } from './scalars.ts';
import { DIRECTIONS, MODES, ORDERS } from './states.ts';

/** A metric as the user gave it; `target` keeps its comparator and unit, such as `>= 95%`. */
export const metricSchema = z.strictObject({
  name: z.string().min(1),
  target: z.string().min(1),
  direction: z.enum(DIRECTIONS),
  unit: z.string().optional(),
});
export type Metric = z.infer<typeof metricSchema>;

/** Thresholds and order of the convergence rules (01 Convergence). */
export const convergenceConfigSchema = z.strictObject({
  order: z.enum(ORDERS),
  plateau_window: positiveSchema,
  /** `0.5` absolute, `1%` of the baseline; null takes the default of the metric. */
  noise_threshold: z.string().nullable(),
  early_quality: z.boolean(),
  stuck_level: z.int().min(1).max(3),
  quality_score: z.int().min(1).max(10),
  early_quality_score: z.int().min(1).max(10),
});
export type ConvergenceConfig = z.infer<typeof convergenceConfigSchema>;

export const limitsSchema = z.strictObject({
  packet_bytes_max: positiveSchema,
  evidence_bytes_max: positiveSchema,
  claims_max: positiveSchema,
  string_code_points_max: positiveSchema,
});

/** Milliseconds from issue to deadline, per role. */
export const timeoutsSchema = z.strictObject({
  researcher_ms: positiveSchema,
  poster_ms: positiveSchema,
  reviewer_ms: positiveSchema,
  synthesis_ms: positiveSchema,
});

export const PLAN_LANES_MAX = 1_000;
export const PLAN_ROUNDS_MAX = 1_000;

export const planSchema = z.strictObject({
  v: z.literal(1),
  goal: z.string().min(1),
  mode: z.enum(MODES),
  /** Required in metric mode; shown, not judged, in qualitative mode. */
  metric: metricSchema.optional(),
  criteria: z.array(z.string().min(1)),
  lanes: positiveSchema.max(PLAN_LANES_MAX),
  /** The last lane challenges the consensus; needs two lanes (01 Words). */
  contrarian: z.boolean(),
  strategy: z.enum(['assigned', 'free']),
  focus: z.array(z.strictObject({ lane: laneSchema, text: z.string().min(1) })),
  iterations_per_round: positiveSchema,
  max_rounds: positiveSchema.max(PLAN_ROUNDS_MAX),
  max_total_iterations: positiveSchema,
  time_budget_ms: positiveSchema.optional(),
  /** A decimal in the host's own unit; only where the host reports cost. */
  cost_budget: z.string().optional(),
  allowed_actions: z.array(z.string().min(1)),
  forbidden_actions: z.array(z.string().min(1)),
  allowed_read_roots: z.array(z.string().min(1)),
  forbidden_read_roots: z.array(z.string().min(1)),
  /** Where a grant is required, or null for none. */
  write_root: z.string().nullable(),
  review_cadence: z.literal('every_round'),
  /** 0 never, n: a decision before the round after every n-th one. */
  pause_every: z.int().nonnegative(),
  timeouts: timeoutsSchema,
  convergence: convergenceConfigSchema,
  guard: z.array(z.string().min(1)),
  noise: z.strictObject({ runs: positiveSchema.optional(), min_consensus_delta: z.string().optional() }),
  limits: limitsSchema,
  /** Version of the acceptance rules that packets are judged with. */
  rules: z.string().min(1),
  /** Names of environment variables that a child of the exec host also gets. */
  pass_env: z.array(z.string().min(1)),
  /** Prose that round 1 gets as excerpts; the digest is that of the stored object (02 Charter). */
  context: z.array(z.strictObject({ source: z.string().min(1), digest: digestSchema })),
});
export type Plan = z.infer<typeof planSchema>;
