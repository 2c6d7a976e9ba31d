/** Bounded-work authority: the only thing that lets the root write (03 Grants). Made by a person, never by a child. */
import * as z from 'zod';
import { countSchema, timestampSchema } from './scalars.ts';

export const grantSchema = z.strictObject({
  grant_id: z.string().min(1),
  /** Canonical and absolute: the one absolute path in a ledger. */
  root: z.string().regex(/^\//, 'expected an absolute path'),
  actions: z.tuple([z.literal('write')]),
  revision: countSchema,
  expires_at: timestampSchema.optional(),
  granted_by: z.string().min(1),
});
export type Grant = z.infer<typeof grantSchema>;
