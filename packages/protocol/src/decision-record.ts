/** What one evaluation of the convergence rules saw and decided (01 Convergence). */
import * as z from 'zod';
import { OUTCOMES } from './states.ts';

export const CONVERGENCE_RULES = [
  'cancelled',
  'hard_budget',
  'no_valid_packet',
  'target_reached',
  'plateau',
  'quality',
  'early_quality',
  'sub_threshold',
  'all_stalled',
] as const;
export type ConvergenceRule = (typeof CONVERGENCE_RULES)[number];

export const decisionRecordSchema = z.strictObject({
  outcome: z.enum(OUTCOMES),
  /** The first rule in the order that held, or null when the next round begins. */
  winner: z.enum(CONVERGENCE_RULES).nullable(),
  target_met: z.boolean(),
  /** Every rule of the order, in order, with the numbers it looked at. */
  rules: z.array(z.strictObject({ rule: z.enum(CONVERGENCE_RULES), held: z.boolean(), detail: z.string() })),
  /** Per complete round: the best reviewed measurement as received, or the mean score; null without one. */
  round_bests: z.array(z.string().nullable()),
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;
