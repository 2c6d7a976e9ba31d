/** The two receipts of the sources: cleanup (000 §8) and recovery (003 Recovery receipt). */
import * as z from 'zod';
import { BLOCKED_CODES } from './codes.ts';
import { countSchema, digestSchema, dispatchIdSchema, positiveSchema } from './scalars.ts';
import { CONFERENCE_STATES, DISPATCH_STATES, PHASES } from './states.ts';

const dispatchEndSchema = z.strictObject({ dispatch_id: dispatchIdSchema, state: z.enum(DISPATCH_STATES) });

/** A list, or the word that the sources want where there is nothing to list. */
const listOrNone = z.union([z.array(z.string()).min(1), z.literal('none')]);

export const cleanupReceiptSchema = z.strictObject({
  dispatches: z.array(dispatchEndSchema),
  /** Named by dispatch id, relative to the session's own temporary folder. */
  temporary_paths_removed: listOrNone,
  background_processes_created: z.literal('none'),
  live_profiles_touched: z.literal('none'),
  root_artifacts_written: listOrNone,
  blocked_actions: listOrNone,
  residual_uncertainty: listOrNone,
});
export type CleanupReceipt = z.infer<typeof cleanupReceiptSchema>;

/** The grant that the ledger holds, at the revision it was given at and at the one that its work state has now. */
const boundedWorkSchema = z.strictObject({
  grant_id: z.string().min(1),
  granted_revision: countSchema,
  /** Null: the grant gives nothing any more. */
  current_revision: countSchema.nullable(),
});

export const recoveryReceiptSchema = z.strictObject({
  /** Rounds that were completed, their transfer included; 0 for none. */
  last_complete_round: countSchema,
  /** Where a resumed conference goes on from (000 §6); null before the first research phase ended. */
  last_complete_phase: z.strictObject({ round: positiveSchema, phase: z.enum(PHASES) }).nullable(),
  state: z.enum(CONFERENCE_STATES),
  /** The phase under way; null where none is. */
  phase: z.enum(PHASES).nullable(),
  dispatches: z.array(dispatchEndSchema),
  accepted_packets: z.array(digestSchema),
  rejected_packets: z.array(digestSchema),
  stale_state: z.union([z.literal('current'), z.enum(BLOCKED_CODES)]),
  bounded_work: boundedWorkSchema.nullable(),
  remaining_iterations: countSchema,
  remaining_time_ms: countSchema.nullable(),
  user_decision: z.string(),
  root_writes: listOrNone,
  cleanup: z.string(),
});
export type RecoveryReceipt = z.infer<typeof recoveryReceiptSchema>;
