/**
 * What a packet contributes to decisions (03 Ledger): small, and enough to fold the state without the packet.
 * `verify` recomputes them from the packets.
 */
import * as z from 'zod';
import { countSchema, dispatchIdSchema, refSchema } from './scalars.ts';
import { VERDICTS } from './states.ts';

/** A verdict after linkage: `downgraded` says that self-assessment alone had validated it (source 002 Reviewer). */
export const verdictFactSchema = z.strictObject({
  ref: refSchema,
  verdict: z.enum(VERDICTS),
  downgraded: z.literal(true).optional(),
});
export type VerdictFact = z.infer<typeof verdictFactSchema>;

export const packetFactsSchema = z.strictObject({
  status: z.enum(['completed', 'blocked']),
  claims: countSchema,
  stuck_level: z.int().min(0).max(3).optional(),
  measurements: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  verdicts: z.array(verdictFactSchema).optional(),
  scores: z
    .array(z.strictObject({ dispatch_id: dispatchIdSchema, score: z.int().min(1).max(10) }))
    .optional(),
  /** Verdicts that name no known claim, or several: kept as the reviewer's remarks, validating nothing. */
  remarks: countSchema.optional(),
});
export type PacketFacts = z.infer<typeof packetFactsSchema>;
