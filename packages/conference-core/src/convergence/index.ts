/** Convergence and what a results table needs of it: names for the package's index. */
export { evaluateConvergence, judgeConvergence } from './evaluate.ts';
export { foldRound, isComplete, unusableListedMax } from './round-facts.ts';
export type {
  LaneScore,
  MetricFacts,
  ReviewedNumber,
  RoundFacts,
  ScoreFacts,
  UnusableMeasurement,
} from './round-facts.ts';
export type { ConvergenceOutcome, DecisionRecord, RuleRecord } from './decision-record.ts';
export type { MetricRuleId, QualitativeRuleId, RuleId, StopOutcome } from './rules/rule.ts';
export { convergenceDefaults } from './input.ts';
export type {
  ConvergenceConfig,
  ConvergenceInput,
  Direction,
  LaneInput,
  LaneStatus,
  MeasurementInput,
  MeasurementVerdict,
  MetricConfig,
  OrderName,
  QualitativeConfig,
  RoundInput,
} from './input.ts';
export { metricOrders, qualitativeOrders } from './orders.ts';
export { comparatorOf, parseTarget } from './target.ts';
export type { Comparator, Target } from './target.ts';
export { parseNoiseThreshold } from './noise-threshold.ts';
export type { NoiseThreshold } from './noise-threshold.ts';
export { gainOver, isBetter, readMeasurement } from './measurement.ts';
export type { MeasurementReading, UnusableReason } from './measurement.ts';
export { compareWithLaneBest, deltaPercent, exactDelta } from './difference.ts';
export type { LaneBest, LaneRow } from './difference.ts';
export { evaluateDocuments, findingsMax } from './evaluate-document.ts';
export type { DocumentFinding, EvaluateAnswer } from './evaluate-document.ts';
export { evaluateDocumentSchema } from './document-schema.ts';
export type { EvaluateDocument } from './document-schema.ts';
