/** The rounds of a ledger as convergence wants them: reviewed facts only, and the plan's own numbers (01 Convergence). */
import type { Plan } from '@x/protocol';
import { isReached } from './budget/cost.ts';
import type { ConvergenceConfig, LaneInput, MetricConfig, RoundInput } from './convergence/input.ts';
import { parseNoiseThreshold } from './convergence/noise-threshold.ts';
import { parseTarget } from './convergence/target.ts';
import type { DispatchRow } from './dispatch-row.ts';
import { laneLetter } from './lane.ts';
import { laneRows, type Round } from './round.ts';
import type { State } from './state.ts';

/** The plan's metric, read; null in qualitative mode, where a target is shown and not judged. */
export function metricOf(plan: Plan): MetricConfig['metric'] | null {
  if (plan.mode !== 'metric' || plan.metric === undefined) return null;
  const target = parseTarget(plan.metric.target);
  if (!target.ok) return null;
  return { name: plan.metric.name, target: target.value, direction: plan.metric.direction };
}

/** What the plan says about convergence, complete: nothing below knows a default (design C5). */
export function convergenceConfigOf(plan: Plan): ConvergenceConfig {
  const { order, plateau_window, stuck_level, noise_threshold } = plan.convergence;
  const common = {
    order,
    plateau_window,
    stuck_level,
    max_rounds: plan.max_rounds,
    max_total_iterations: plan.max_total_iterations,
    time_budget_ms: plan.time_budget_ms ?? null,
    lanes: plan.lanes,
  };
  const metric = metricOf(plan);
  if (metric === null) {
    const { early_quality, quality_score, early_quality_score } = plan.convergence;
    return { ...common, mode: 'qualitative', early_quality, quality_score, early_quality_score };
  }
  const noise = noise_threshold === null ? null : parseNoiseThreshold(noise_threshold);
  return { ...common, mode: 'metric', metric, noise_threshold: noise?.ok === true ? noise.value : null };
}

/** One round of the state as input; totals of the round under way are those of now. */
export function roundInput(
  state: State,
  round: Round,
  totals: { readonly iterations_spent: number; readonly elapsed_ms: number },
): RoundInput {
  return {
    round: round.round,
    iterations_spent: totals.iterations_spent,
    elapsed_ms: totals.elapsed_ms,
    cost_reached: isReached(state.cost_spent, state.planned?.plan.cost_budget),
    lanes: laneRows(round).map((row, index) => laneInput(laneLetter(index), row)),
  };
}

function laneInput(lane: string, row: DispatchRow | null): LaneInput {
  const nothing = { lane, stuck_level: null, score: null, measurements: [] };
  if (row === null || row.state === 'dispatched') return { ...nothing, status: 'cancelled' };
  if (row.state !== 'received' || row.facts === null)
    return { ...nothing, status: row.state === 'received' ? 'failed' : row.state };
  if (row.facts.status === 'blocked')
    return { ...nothing, status: 'blocked', stuck_level: row.facts.stuck_level ?? null };
  return {
    lane,
    status: 'received',
    stuck_level: row.facts.stuck_level ?? null,
    score: row.score,
    measurements: (row.facts.measurements ?? []).map(({ name, value }, index) => ({
      name,
      value,
      verdict: row.measurement_verdicts[index] ?? null,
    })),
  };
}
