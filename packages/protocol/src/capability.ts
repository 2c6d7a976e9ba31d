/** What a host says of itself before anything is planned (source 001 Capability gate, 01 Capability gate). */
import * as z from 'zod';
import { positiveSchema } from './scalars.ts';

export const capabilitySchema = z.strictObject({
  delegate_task: z.boolean(),
  /** Children that can run at once. */
  slots: positiveSchema,
  reports_cost: z.boolean().optional(),
});
export type Capability = z.infer<typeof capabilitySchema>;
