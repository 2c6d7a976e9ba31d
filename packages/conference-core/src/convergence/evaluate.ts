/**
 * Convergence: rounds in, one decision record out. Pure; the interpreter of the tables in `orders.ts`.
 *
 * V1 The record depends on nothing but its arguments, and not on the order in which lanes stand in a round.
 * V2 Only reviewed evidence decides: `validated` measurements and the reviewer's scores of received lanes.
 * V3 Work is linear: each lane is read once (`foldRound`), a judgement reads one small record a round.
 */
import type { DecisionRecord } from './decision-record.ts';
import { metricProgress, scoreProgress, shownMean } from './improvement.ts';
import type { NoiseBasis, RoundProgress } from './improvement.ts';
import type { ConvergenceConfig, ConvergenceInput } from './input.ts';
import { metricOrders, qualitativeOrders, targetRules } from './orders.ts';
import { foldRound, isComplete, unusableListedMax } from './round-facts.ts';
import type { RoundFacts } from './round-facts.ts';
import type { Rule, RuleId } from './rules/rule.ts';

interface Judged<Id extends RuleId> {
  readonly rule: Rule<Id, never>;
  readonly held: boolean;
  readonly detail: string;
}

function judgeAll<Id extends RuleId, View>(
  order: readonly Rule<Id, View>[],
  view: View,
): readonly Judged<Id>[] {
  return order.map((rule) => ({ rule, ...rule.judge(view) }));
}

function unusableOf(rounds: readonly RoundFacts[]): DecisionRecord['unusable'] {
  const all = rounds.flatMap(({ metric }) => (metric === null ? [] : [metric.unusable]));
  const total = all.reduce((sum, unusable) => sum + unusable.total, 0);
  return { total, listed: all.flatMap(({ listed }) => listed).slice(0, unusableListedMax) };
}

function assemble(
  config: ConvergenceConfig,
  rounds: readonly RoundFacts[],
  judged: readonly Judged<RuleId>[],
  found: { readonly progress: readonly RoundProgress[]; readonly noise: NoiseBasis | null },
): DecisionRecord {
  const winner = judged.find(({ held }) => held);
  const improved = new Set(found.progress.filter((one) => one.improved).map(({ round }) => round));
  return {
    outcome: winner?.rule.outcome ?? 'CONTINUE',
    winner: winner?.rule.id ?? null,
    target_met: judged.some(({ rule, held }) => held && targetRules.has(rule.id)),
    rules: judged.map(({ rule, held, detail }) => ({ rule: rule.id, held, detail })),
    round_bests: rounds.map(
      ({ metric, scores }) => metric?.best?.number ?? (scores === null ? null : shownMean(scores)),
    ),
    order: config.order,
    round: rounds.at(-1)?.round ?? null,
    improved: rounds.map(({ round }) => improved.has(round)),
    baseline: found.noise?.baseline ?? null,
    threshold: found.noise?.threshold ?? null,
    unusable: unusableOf(rounds),
  };
}

/**
 * Judges rounds that were folded before, under the same configuration, in order of their numbers (01 Convergence).
 * Run once per completed round; the facts of closed rounds can be kept and handed in again. Never fails.
 */
export function judgeConvergence(
  config: ConvergenceConfig,
  input: { readonly cancelled: boolean; readonly rounds: readonly RoundFacts[] },
): DecisionRecord {
  const { cancelled, rounds } = input;
  const complete = rounds.filter(isComplete);
  const shared = { cancelled, rounds, complete, last: rounds.at(-1) ?? null };
  if (config.mode === 'metric') {
    const { basis: noise, progress } = metricProgress(config, complete);
    const judged = judgeAll(metricOrders[config.order], { ...shared, config, progress, noise });
    return assemble(config, rounds, judged, { progress, noise });
  }
  const progress = scoreProgress(complete);
  const judged = judgeAll(qualitativeOrders[config.order], { ...shared, config, progress });
  return assemble(config, rounds, judged, { progress, noise: null });
}

/** Folds the rounds and judges them: the whole of convergence in one call (07 evaluate). */
export function evaluateConvergence(config: ConvergenceConfig, input: ConvergenceInput): DecisionRecord {
  return judgeConvergence(config, {
    cancelled: input.cancelled,
    rounds: input.rounds.map((round) => foldRound(config, round)),
  });
}
