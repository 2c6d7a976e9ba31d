/** Iterations: counted by allowance when a research charter is issued, whatever a child reports (01 Budgets). */
import type { Plan } from '@x/protocol';

/** What each of some lanes may have of what is left: as asked, or an equal whole share; 0 when that is none. */
export function affordableAllowance(plan: Plan, spent: number, lanes: number): number {
  const remaining = plan.max_total_iterations - spent;
  return Math.max(0, Math.min(plan.iterations_per_round, Math.floor(remaining / lanes)));
}

/** As above for lanes that are sent again: never more than they had before in this round. */
export function allowanceAgain(
  plan: Plan,
  spent: number,
  round: { readonly lanes: number; readonly iteration_allowance: number },
): number {
  return round.lanes === 0
    ? 0
    : Math.min(round.iteration_allowance, affordableAllowance(plan, spent, round.lanes));
}

/** Whether no round can follow this one: its charters carry LAST_ROUND (CONV-13). */
export function isLastRound(plan: Plan, round: number, spentAfter: number): boolean {
  return round >= plan.max_rounds || plan.max_total_iterations - spentAfter < plan.lanes;
}
