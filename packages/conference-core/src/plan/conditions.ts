/** The conditions that a person confirms: everything in the plan, in words, defaults included (CONF-34). */
import type { Plan } from '@x/protocol';

export interface Condition {
  readonly label: string;
  readonly value: string;
}

/** One line a condition, in the order of the file. Texts are the user's own and are shown as they are. */
export function conditionsOf(plan: Plan): Condition[] {
  const { convergence, timeouts, limits } = plan;
  const list = (entries: readonly string[]): string => (entries.length === 0 ? 'none' : entries.join('; '));
  const rows: (Condition | null)[] = [
    { label: 'Goal', value: plan.goal },
    { label: 'Mode', value: plan.mode },
    plan.metric === undefined
      ? null
      : {
          label: 'Metric',
          value: `${plan.metric.name}, target ${plan.metric.target}, ${plan.metric.direction}`,
        },
    { label: 'Criteria', value: list(plan.criteria) },
    {
      label: 'Lanes',
      value: `${plan.lanes}${plan.contrarian ? ', the last one contrarian' : ''} (${plan.strategy})`,
    },
    ...plan.focus.map(({ lane, text }) => ({ label: `Focus of lane ${lane}`, value: text })),
    {
      label: 'Iterations',
      value: `${plan.iterations_per_round} a round and lane, ${plan.max_rounds} rounds at most`,
    },
    {
      label: 'Total budget',
      value: `${plan.lanes} × ${plan.iterations_per_round} × ${plan.max_rounds} = ${plan.lanes * plan.iterations_per_round * plan.max_rounds} iterations, at most ${plan.max_total_iterations}`,
    },
    {
      label: 'Time budget',
      value: plan.time_budget_ms === undefined ? 'none' : duration(plan.time_budget_ms),
    },
    { label: 'Cost budget', value: plan.cost_budget ?? 'none' },
    { label: 'Allowed actions', value: list(plan.allowed_actions) },
    { label: 'Forbidden actions', value: list(plan.forbidden_actions) },
    {
      label: 'Read roots',
      value:
        plan.allowed_read_roots.length === 0
          ? 'none but the evidence in the charter'
          : list(plan.allowed_read_roots),
    },
    plan.forbidden_read_roots.length === 0
      ? null
      : { label: 'Forbidden read roots', value: list(plan.forbidden_read_roots) },
    { label: 'Write root', value: plan.write_root ?? 'none' },
    plan.guard.length === 0 ? null : { label: 'Guard', value: list(plan.guard) },
    { label: 'Review', value: 'after every round' },
    { label: 'Pause', value: plan.pause_every === 0 ? 'never' : `after every ${plan.pause_every} rounds` },
    {
      label: 'Timeouts',
      value: `researcher ${duration(timeouts.researcher_ms)}, poster ${duration(timeouts.poster_ms)}, reviewer ${duration(timeouts.reviewer_ms)}, synthesis ${duration(timeouts.synthesis_ms)}`,
    },
    {
      label: 'Convergence',
      value: `order ${convergence.order}, plateau window ${convergence.plateau_window}, noise threshold ${convergence.noise_threshold ?? 'default of the metric'}, stuck level ${convergence.stuck_level}`,
    },
    {
      label: 'Scores',
      value: `quality ${convergence.quality_score}, early quality ${convergence.early_quality ? `${convergence.early_quality_score}` : 'off'}`,
    },
    {
      label: 'Limits',
      value: `packet ${limits.packet_bytes_max} bytes, evidence ${limits.evidence_bytes_max} bytes, ${limits.claims_max} claims, strings ${limits.string_code_points_max} characters`,
    },
    { label: 'Packet rules', value: plan.rules },
    plan.pass_env.length === 0 ? null : { label: 'Passed to children', value: list(plan.pass_env) },
  ];
  return rows.flatMap((row) => row ?? []);
}

/** `1h 30m`, `90s`, `1.5s`: the largest units that say it exactly. */
export function duration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of [
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  if (rest > 0 || parts.length === 0) parts.push(rest % 1_000 === 0 ? `${rest / 1_000}s` : `${rest}ms`);
  return parts.join(' ');
}
