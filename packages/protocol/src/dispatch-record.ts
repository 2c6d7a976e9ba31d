/** One row of the dispatch table (source 000 §2). */
import * as z from 'zod';
import { dispatchIdSchema, laneSchema, positiveSchema, roleSchema } from './scalars.ts';
import { DISPATCH_STATES } from './states.ts';

export const dispatchRecordSchema = z.strictObject({
  dispatch_id: dispatchIdSchema,
  role: roleSchema,
  round: positiveSchema,
  lane: laneSchema.optional(),
  attempt: positiveSchema,
  state: z.enum(DISPATCH_STATES),
  /** The packet digest of a received dispatch, the reason of any other terminal one, absent while open. */
  receipt: z.string().optional(),
});
export type DispatchRecord = z.infer<typeof dispatchRecordSchema>;
