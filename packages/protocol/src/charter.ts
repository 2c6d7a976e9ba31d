/**
 * One message to one child (source 001 Dispatch charter, source 002, 02 Charter).
 *
 * There is no field for a provider, tier, model, credential, token or mutable path, and
 * `delegation_allowed` has no other value than false.
 */
import * as z from 'zod';
import {
  conferenceIdSchema,
  digestSchema,
  dispatchIdSchema,
  laneSchema,
  positiveSchema,
  timestampSchema,
} from './scalars.ts';
import { DIRECTIONS, MODES, ROLES } from './states.ts';

/** Source 002 Common charter envelope: the four entries that every charter carries, first and in this order. */
export const FORBIDDEN_ACTIONS = [
  'write shared or project state',
  'delegate another child',
  'use credentials or host configuration',
  'publish, deploy, release, commit, push, or mutate Git history',
] as const;

export const CHARTER_OUTPUT = 'packet schema only';

/** The guide's ENDGAME signal, on the charters of the last affordable round and no others. */
export const LAST_ROUND = 'LAST_ROUND';

/** A piece of quoted evidence: data, whatever it says. */
export const readContextItemSchema = z.strictObject({
  /** `E1`, `E2`, …: what a packet cites it by. */
  id: z.string().regex(/^E[1-9]\d*$/),
  /** Of the whole content, also where the excerpt is cut. */
  digest: digestSchema,
  source: z.string().min(1),
  excerpt: z.string(),
  /** Entries that gave way to the bound. */
  omitted: positiveSchema.optional(),
});
export type ReadContextItem = z.infer<typeof readContextItemSchema>;

export const successDefinitionSchema = z.strictObject({
  mode: z.enum(MODES),
  metric: z
    .strictObject({
      name: z.string(),
      direction: z.enum(DIRECTIONS),
      target: z.string(),
      unit: z.string(),
    })
    .optional(),
  criteria: z.array(z.string()),
});
export type SuccessDefinition = z.infer<typeof successDefinitionSchema>;

export const charterSchema = z
  .strictObject({
    dispatch_id: dispatchIdSchema,
    conference_id: conferenceIdSchema,
    /** The versioned text of the role: what the child is asked to do. */
    instructions: z.string().min(1),
    round: positiveSchema,
    role: z.enum(ROLES),
    lane: laneSchema.optional(),
    contrarian: z.boolean().optional(),
    objective: z.string().min(1),
    success_definition: successDefinitionSchema,
    iteration_allowance: positiveSchema.optional(),
    signal: z.literal(LAST_ROUND).optional(),
    read_context: z.array(readContextItemSchema),
    allowed_read_roots: z.array(z.string()),
    forbidden_actions: z.tuple(
      [
        z.literal(FORBIDDEN_ACTIONS[0]),
        z.literal(FORBIDDEN_ACTIONS[1]),
        z.literal(FORBIDDEN_ACTIONS[2]),
        z.literal(FORBIDDEN_ACTIONS[3]),
      ],
      z.string(),
    ),
    delegation_allowed: z.literal(false),
    deadline: timestampSchema,
    cancellation: z.string().min(1),
    output: z.literal(CHARTER_OUTPUT),
    /** JSON Schema 2020-12 of the packet that this role must return. */
    output_schema: z.record(z.string(), z.unknown()),
  })
  .refine((charter) => (charter.role === 'researcher') === (charter.lane !== undefined), {
    path: ['lane'],
    error: 'expected a lane for a researcher, and for nobody else',
  })
  .refine((charter) => (charter.role === 'researcher') === (charter.iteration_allowance !== undefined), {
    path: ['iteration_allowance'],
    error: 'expected an allowance for a researcher, and for nobody else',
  });
export type Charter = z.infer<typeof charterSchema>;
