/** A complete small plan, to be varied. */
import { LIMIT_DEFAULTS, type Plan } from '@x/protocol';
import { RULES_VERSION } from '../packets/index.ts';

export function samplePlan(changes: Partial<Plan> = {}): Plan {
  const minute = 60_000;
  return {
    v: 1,
    goal: 'Find the fastest sort of this file.',
    mode: 'metric',
    metric: { name: 'ms', target: '<= 10 ms', direction: 'minimize' },
    criteria: [],
    lanes: 3,
    contrarian: false,
    strategy: 'free',
    focus: [],
    iterations_per_round: 2,
    max_rounds: 3,
    max_total_iterations: 18,
    allowed_actions: ['read the evidence'],
    forbidden_actions: [],
    allowed_read_roots: [],
    forbidden_read_roots: [],
    write_root: null,
    review_cadence: 'every_round',
    pause_every: 0,
    timeouts: {
      researcher_ms: 10 * minute,
      poster_ms: 5 * minute,
      reviewer_ms: 5 * minute,
      synthesis_ms: 5 * minute,
    },
    convergence: {
      order: 'core',
      plateau_window: 2,
      noise_threshold: null,
      early_quality: false,
      stuck_level: 2,
      quality_score: 8,
      early_quality_score: 9,
    },
    guard: [],
    noise: {},
    limits: LIMIT_DEFAULTS,
    rules: RULES_VERSION,
    pass_env: [],
    context: [],
    ...changes,
  };
}
