/**
 * Every event of a conference ledger: its exact name and the shape of its payload (03 Ledger).
 *
 * Events carry facts, the content store carries bytes (design C2). No payload key is called event, type,
 * ts, time or timestamp: existing readers of such files look for those. Paths are relative to the grant's root.
 */
import * as z from 'zod';
import { BLOCKED_CODES, FAILURE_CODES, STALE_REASONS } from './codes.ts';
import { DECISION_KINDS, DECISION_OPTIONS, decisionSchema } from './decisions.ts';
import { decisionRecordSchema } from './decision-record.ts';
import { packetFactsSchema } from './facts.ts';
import { grantSchema } from './grant.ts';
import { LEDGER_FORMAT } from './event-names.ts';
import { planSchema } from './plan.ts';
import { cleanupReceiptSchema, recoveryReceiptSchema } from './receipts.ts';
import {
  conferenceIdSchema,
  countSchema,
  decisionIdSchema,
  digestSchema,
  dispatchIdSchema,
  laneSchema,
  positiveSchema,
  roleSchema,
  timestampSchema,
} from './scalars.ts';
import { CONFERENCE_STATES, DRIVERS, OUTCOMES, PHASES } from './states.ts';

const path = z
  .string()
  .min(1)
  .refine((text) => !text.startsWith('/'), 'expected a path relative to the grant root');
const cost = z.string().regex(/^\d+(\.\d+)?$/, 'expected a decimal');

/** Payload schemas by event name, in the order in which a conference first meets them. */
export const EVENT_PAYLOADS = {
  'conference.planned': z.strictObject({
    ledger_format: z.literal(LEDGER_FORMAT),
    conference_id: conferenceIdSchema,
    plan: planSchema,
    plan_digest: digestSchema,
    /** Digest of the conference.md that the plan was read from: its bytes are known. */
    source_digest: digestSchema.optional(),
    /** Digest of the roots as that file writes them: a copy of it elsewhere still says the same ones. */
    written_roots_digest: digestSchema.optional(),
    /** Set when the packets come from a recording: every report says so (07 Hosts). */
    replay: z.literal(true).optional(),
  }),
  'grant.activated': z.strictObject({ grant: grantSchema }),
  'grant.revoked': z.strictObject({ grant_id: z.string().min(1), reason: z.string().min(1) }),
  'conference.confirmed': z.strictObject({ plan_digest: digestSchema, confirmed_by: z.string().min(1) }),
  'conference.started': z.strictObject({
    driver: z.enum(DRIVERS),
    host: z.string().min(1),
    slots: positiveSchema,
    /** Whether the host gives each child a temporary folder, named by its dispatch id. */
    temporary_roots: z.boolean(),
  }),
  'conference.blocked': z.strictObject({
    code: z.enum(BLOCKED_CODES),
    reason: z.string().min(1),
    dispatch_id: dispatchIdSchema.optional(),
    digest: digestSchema.optional(),
    bytes: countSchema.optional(),
  }),
  'state.transitioned': z.strictObject({
    previous_state: z.enum(CONFERENCE_STATES),
    next_state: z.enum(CONFERENCE_STATES),
    round: countSchema,
    phase: z.enum(PHASES).nullable(),
    dispatch_ids: z.array(dispatchIdSchema),
    evidence_digest: digestSchema,
    reason: z.string().min(1),
  }),
  'round.started': z.strictObject({
    round: positiveSchema,
    lanes: positiveSchema,
    iteration_allowance: positiveSchema,
    last_round: z.boolean(),
  }),
  'dispatch.issued': z.strictObject({
    dispatch_id: dispatchIdSchema,
    role: roleSchema,
    round: positiveSchema,
    lane: laneSchema.optional(),
    attempt: positiveSchema,
    charter_digest: digestSchema,
    context_digest: digestSchema,
    deadline: timestampSchema,
    iteration_allowance: positiveSchema.optional(),
    /** Inherited excerpts that a secret rule matched: the charter says that they are left out (02 Charter). */
    excerpts_left_out: positiveSchema.optional(),
  }),
  'dispatch.received': z.strictObject({
    dispatch_id: dispatchIdSchema,
    digest: digestSchema,
    bytes: countSchema,
    content_digest: digestSchema,
    rules: z.string().min(1),
    facts: packetFactsSchema,
    cost: cost.optional(),
  }),
  'dispatch.failed': z.strictObject({
    dispatch_id: dispatchIdSchema,
    code: z.enum(FAILURE_CODES),
    reason: z.string().min(1),
    /** Absent when no bytes came at all. */
    digest: digestSchema.optional(),
    bytes: countSchema.optional(),
    rules: z.string().min(1).optional(),
    cost: cost.optional(),
  }),
  'dispatch.timed_out': z.strictObject({ dispatch_id: dispatchIdSchema, deadline: timestampSchema }),
  'dispatch.cancelled': z.strictObject({ dispatch_id: dispatchIdSchema, reason: z.string().min(1) }),
  'dispatch.duplicate': z.strictObject({ dispatch_id: dispatchIdSchema, digest: digestSchema }),
  'dispatch.stale': z.strictObject({
    dispatch_id: z.string().min(1).max(64),
    reason: z.enum(STALE_REASONS),
    digest: digestSchema,
    bytes: countSchema,
  }),
  'researcher.iteration': z.strictObject({
    dispatch_id: dispatchIdSchema,
    round: positiveSchema,
    lane: laneSchema,
    iteration: countSchema,
    metric_value: z.string(),
  }),
  'researcher.stuck': z.strictObject({
    dispatch_id: dispatchIdSchema,
    round: positiveSchema,
    lane: laneSchema,
    stuck_level: z.int().min(1).max(3),
  }),
  'round.poster_session': z.strictObject({
    round: positiveSchema,
    /** Null when the user decided to review without a poster. */
    dispatch_id: dispatchIdSchema.nullable(),
  }),
  'round.peer_review': z.strictObject({
    round: positiveSchema,
    dispatch_id: dispatchIdSchema,
    validated_count: countSchema,
    challenged_count: countSchema,
    overturned_count: countSchema,
  }),
  'convergence.evaluated': z.strictObject({ round: positiveSchema, record: decisionRecordSchema }),
  'round.completed': z.strictObject({
    round: positiveSchema,
    best_metric: z.string().nullable(),
    best_researcher: laneSchema.nullable(),
    converged: z.boolean(),
  }),
  'decision.asked': decisionSchema,
  'decision.answered': z.strictObject({
    decision_id: decisionIdSchema,
    kind: z.enum(DECISION_KINDS),
    option: z.enum(DECISION_OPTIONS),
    answered_by: z.string().min(1),
  }),
  'artifact.written': z.strictObject({ path, digest: digestSchema, bytes: countSchema }),
  'recovery.inspected': z.strictObject({ receipt_digest: digestSchema, receipt: recoveryReceiptSchema }),
  'conference.completed': z.strictObject({
    outcome: z.enum(OUTCOMES),
    target_met: z.boolean(),
    synthesis_path: path.nullable(),
    final_report_path: path.nullable(),
    total_iterations: countSchema,
  }),
  'conference.cancelled': z.strictObject({
    reason: z.string().min(1),
    final_report_path: path.nullable(),
    total_iterations: countSchema,
  }),
  'cleanup.receipt': cleanupReceiptSchema,
} as const;

export type EventName = keyof typeof EVENT_PAYLOADS;
export type EventPayload<Name extends EventName> = z.infer<(typeof EVENT_PAYLOADS)[Name]>;

/** One event of a conference: `timestamp` is ISO with milliseconds and Z. */
export type ConferenceEvent = {
  [Name in EventName]: {
    readonly event: Name;
    readonly timestamp: string;
    readonly payload: EventPayload<Name>;
  };
}[EventName];
