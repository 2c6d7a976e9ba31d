/** Pending decisions: wherever a source says "ask" (01 Asking). */
import * as z from 'zod';
import { decisionIdSchema, dispatchIdSchema, positiveSchema } from './scalars.ts';

/** What a decision is about; each kind has its own row of options in the core. */
export const DECISION_KINDS = [
  'evidence_missing',
  'no_valid_packet',
  'replay_conflict',
  'poster_failed',
  'review_failed',
  'synthesis_failed',
  'pause',
  'multi_agent_unavailable',
  'stale_state',
  'recovery',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export const DECISION_OPTIONS = [
  'redispatch',
  'continue',
  'stop',
  'keep_first',
  'skip',
  'complete_without',
  'retry',
  'revalidate',
  'restart',
  'keep_verified_prefix',
  'resume',
] as const;
export type DecisionOption = (typeof DECISION_OPTIONS)[number];

const decisionOptionSchema = z.strictObject({
  id: z.enum(DECISION_OPTIONS),
  label: z.string().min(1),
  consequence: z.string().min(1),
});

/** No option is a default: silence decides nothing. */
export const decisionSchema = z.strictObject({
  decision_id: decisionIdSchema,
  kind: z.enum(DECISION_KINDS),
  round: positiveSchema.optional(),
  question: z.string().min(1),
  options: z.array(decisionOptionSchema).min(1),
  dispatch_ids: z.array(dispatchIdSchema),
});
export type Decision = z.infer<typeof decisionSchema>;
