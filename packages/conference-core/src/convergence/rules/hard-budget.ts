/** A bound of the plan is reached: no further round can be afforded (01 Budgets). */
import { counted } from '../shown.ts';
import { noRound } from './rule.ts';
import type { CommonView, Rule } from './rule.ts';

export const hardBudget: Rule<'hard_budget', CommonView> = {
  id: 'hard_budget',
  outcome: 'BUDGET_STOP',
  source: 'source 001, Convergence 1; source 003, Budget Exhaustion; 01 Budgets',
  judge: ({ config, last }) => {
    if (last === null) return noRound;
    const left = config.max_total_iterations - last.iterations_spent;
    const time = config.time_budget_ms;
    const bounds = [
      { reached: last.round >= config.max_rounds, detail: `round ${last.round} of ${config.max_rounds}` },
      {
        // Fewer than one each: the next round's allowance would be floor(left / lanes) = 0.
        reached: left < config.lanes,
        detail: `${last.iterations_spent} of ${config.max_total_iterations} iterations spent, ${left} left for ${counted(config.lanes, 'lane')}`,
      },
      {
        reached: time !== null && last.elapsed_ms >= time,
        detail: time === null ? 'no time budget' : `${last.elapsed_ms} of ${time} ms spent`,
      },
      {
        reached: last.cost_reached,
        detail: last.cost_reached ? 'cost budget reached' : 'cost budget not reached',
      },
    ];
    const detail = bounds
      .map((bound) => (bound.reached ? `${bound.detail} (reached)` : bound.detail))
      .join('; ');
    return { held: bounds.some(({ reached }) => reached), detail };
  },
};
