/**
 * The orders of evaluation, as data: the first rule that holds wins.
 *
 * Settled conflict (01 Convergence): the contract and the convergence guide give two orders. Both exist; `core` is the
 * default. The rows are to be laid beside source 001 "Convergence and stop rules" and source 003 "Evaluation order".
 */
import type { OrderName } from './input.ts';
import { allStalled } from './rules/all-stalled.ts';
import { cancelled } from './rules/cancelled.ts';
import { earlyQuality } from './rules/early-quality.ts';
import { hardBudget } from './rules/hard-budget.ts';
import { noValidPacket } from './rules/no-valid-packet.ts';
import { metricPlateau, scorePlateau } from './rules/plateau.ts';
import { quality } from './rules/quality.ts';
import type { MetricRuleId, MetricView, QualitativeRuleId, QualitativeView, Rule } from './rules/rule.ts';
import { subThreshold } from './rules/sub-threshold.ts';
import { targetReached } from './rules/target-reached.ts';

type Order<Id extends MetricRuleId | QualitativeRuleId, View> = readonly Rule<Id, View>[];

export const metricOrders: Readonly<Record<OrderName, Order<MetricRuleId, MetricView>>> = {
  core: [cancelled, hardBudget, noValidPacket, targetReached, metricPlateau, allStalled],
  guide: [cancelled, noValidPacket, targetReached, hardBudget, allStalled, metricPlateau],
};

export const qualitativeOrders: Readonly<Record<OrderName, Order<QualitativeRuleId, QualitativeView>>> = {
  core: [cancelled, hardBudget, noValidPacket, earlyQuality, quality, subThreshold, scorePlateau, allStalled],
  guide: [
    cancelled,
    noValidPacket,
    earlyQuality,
    quality,
    hardBudget,
    allStalled,
    subThreshold,
    scorePlateau,
  ],
};

/** The rules whose holding means that the target is met, whichever rule wins. */
export const targetRules: ReadonlySet<MetricRuleId | QualitativeRuleId> = new Set([
  'target_reached',
  'quality',
  'early_quality',
]);
