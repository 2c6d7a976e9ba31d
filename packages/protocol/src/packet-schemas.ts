/**
 * What a child returns, per role (source 002; 02 Packets).
 *
 * The schemas depend on the bounds of the plan and on the mode, so they are functions. A packet is well-formed
 * exactly when it fits its schema (CHAR-03); `dispatch_id` and `role` are judged apart, as PACKET_IDENTITY.
 */
import * as z from 'zod';
import type { CharterLimits } from './limits.ts';
import {
  CONFIDENCES,
  HYPOTHESIS_VERDICTS,
  PACKET_STATUSES,
  ROLES,
  VERDICTS,
  type Mode,
  type Role,
} from './states.ts';

/** What a packet schema depends on. */
export interface PacketShape {
  readonly limits: Pick<CharterLimits, 'claims_max' | 'string_code_points_max' | 'verdicts_max'>;
  readonly mode: Mode;
}

/** A string bounded in code points, as JSON Schema counts `maxLength`; `.max()` would count UTF-16 units. */
function boundedText(codePointsMax: number) {
  return z
    .string()
    .refine((text) => text.length <= codePointsMax || [...text].length <= codePointsMax, {
      error: `expected at most ${codePointsMax} code points`,
    })
    .meta({ maxLength: codePointsMax });
}

function baseMembers({ limits }: PacketShape) {
  const text = boundedText(limits.string_code_points_max);
  return {
    dispatch_id: text,
    role: z.enum(ROLES),
    status: z.enum(PACKET_STATUSES),
    claims: z
      .array(z.strictObject({ claim: text, evidence: text, confidence: z.enum(CONFIDENCES) }))
      .max(limits.claims_max),
    uncertainties: z.array(text).max(limits.claims_max),
    recommended_root_actions: z.array(text).max(limits.claims_max),
  };
}

function measurementList({ limits }: PacketShape) {
  const text = boundedText(limits.string_code_points_max);
  return z.array(z.strictObject({ name: text, value: text, provenance: text })).max(limits.claims_max);
}

/** The members that every packet has (source 001 Dispatch charter). */
export function basePacketSchema(shape: PacketShape) {
  return z.strictObject(baseMembers(shape));
}

/** Source 002 Researcher charter, contrarian lanes included. */
export function researchPacketSchema(shape: PacketShape) {
  const text = boundedText(shape.limits.string_code_points_max);
  return z.strictObject({
    ...baseMembers(shape),
    hypotheses: z
      .array(z.strictObject({ statement: text, verdict: z.enum(HYPOTHESIS_VERDICTS), evidence: text }))
      .max(shape.limits.claims_max),
    measurements: measurementList(shape),
    stuck_level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  });
}

/** Source 002 Poster charter: a comparison without a winner. */
export function posterPacketSchema(shape: PacketShape) {
  const text = boundedText(shape.limits.string_code_points_max);
  const list = z.array(text).max(shape.limits.claims_max);
  return z.strictObject({
    ...baseMembers(shape),
    summaries: z.array(z.strictObject({ dispatch_id: text, summary: text })).max(shape.limits.claims_max),
    agreements: list,
    conflicts: list,
    missing_evidence: list,
    measurements: measurementList(shape),
    review_questions: list,
  });
}

/** Source 002 Reviewer charter; scores are the reviewer's alone and exist in qualitative mode only. */
export function reviewerPacketSchema(shape: PacketShape) {
  const text = boundedText(shape.limits.string_code_points_max);
  const members = {
    ...baseMembers(shape),
    verdicts: z
      .array(
        z.strictObject({
          claim: text,
          claim_ref: text.optional(),
          verdict: z.enum(VERDICTS),
          reason: text,
          evidence: text,
          confidence: z.enum(CONFIDENCES),
        }),
      )
      .max(shape.limits.verdicts_max ?? shape.limits.claims_max),
    verification_requests: z.array(text).max(shape.limits.claims_max).optional(),
  };
  return shape.mode === 'metric'
    ? z.strictObject(members)
    : z.strictObject({
        ...members,
        scores: z
          .array(z.strictObject({ dispatch_id: text, score: z.int().min(1).max(10), reason: text }))
          .max(shape.limits.claims_max),
      });
}

/** Source 002 Synthesis charter: five parts, kept apart. */
export function synthesisPacketSchema(shape: PacketShape) {
  const text = boundedText(shape.limits.string_code_points_max);
  const findings = z
    .array(z.strictObject({ finding: text, claim_refs: z.array(text).max(shape.limits.claims_max) }))
    .max(shape.limits.claims_max);
  return z.strictObject({
    ...baseMembers(shape),
    established: findings,
    promising: findings,
    negative_results: findings,
    contradictions: z.array(text).max(shape.limits.claims_max),
    next_decisions: z.array(text).max(shape.limits.claims_max),
  });
}

/** The schema that a packet of this role must fit. */
export function packetSchema(role: Role, shape: PacketShape) {
  switch (role) {
    case 'researcher':
      return researchPacketSchema(shape);
    case 'poster':
      return posterPacketSchema(shape);
    case 'reviewer':
      return reviewerPacketSchema(shape);
    case 'synthesis':
      return synthesisPacketSchema(shape);
  }
}

/** Packets as read and judged, their digits and refs still as the child wrote them. */
export type BasePacket = z.infer<ReturnType<typeof basePacketSchema>>;
export type ResearchPacket = z.infer<ReturnType<typeof researchPacketSchema>>;
export type PosterPacket = z.infer<ReturnType<typeof posterPacketSchema>>;
export type SynthesisPacket = z.infer<ReturnType<typeof synthesisPacketSchema>>;
export interface ReviewerScore {
  dispatch_id: string;
  score: number;
  reason: string;
}
/** The reviewer's packet of either mode: `scores` is there in qualitative mode only. */
export type ReviewerPacket = BasePacket & {
  verdicts: {
    claim: string;
    claim_ref?: string | undefined;
    verdict: (typeof VERDICTS)[number];
    reason: string;
    evidence: string;
    confidence: (typeof CONFIDENCES)[number];
  }[];
  verification_requests?: string[] | undefined;
  scores?: ReviewerScore[];
};
export type Packet = ResearchPacket | PosterPacket | ReviewerPacket | SynthesisPacket;
