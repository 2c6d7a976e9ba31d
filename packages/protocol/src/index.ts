/**
 * @x/protocol: the words of a research conference.
 *
 * Schemas say what is valid, types are inferred from them, and wire names are exact. The word lists, canonical
 * JSON, digests and ids need no schema library at run time; everything ending in `Schema` does.
 */
export { canonicalJson, CanonicalJsonError, type JsonObject, type JsonValue } from './canonical.ts';
export { capabilitySchema, type Capability } from './capability.ts';
export {
  charterSchema,
  readContextItemSchema,
  successDefinitionSchema,
  CHARTER_OUTPUT,
  FORBIDDEN_ACTIONS,
  LAST_ROUND,
  type Charter,
  type ReadContextItem,
  type SuccessDefinition,
} from './charter.ts';
export {
  BLOCKED_CODES,
  FAILURE_CODES,
  PACKET_CODES,
  PLAN_DIGEST_MISMATCH,
  STALE_REASONS,
  WRITE_AUTHORITY_MISSING,
  type BlockedCode,
  type FailureCode,
  type PacketCode,
  type StaleReason,
} from './codes.ts';
export {
  CONVERGENCE_RULES,
  decisionRecordSchema,
  type ConvergenceRule,
  type DecisionRecord,
} from './decision-record.ts';
export {
  DECISION_KINDS,
  DECISION_OPTIONS,
  decisionSchema,
  type Decision,
  type DecisionKind,
  type DecisionOption,
} from './decisions.ts';
export {
  digestHex,
  digestOf,
  digestOfJson,
  parseDigest,
  DIGEST_PATTERN,
  ZERO_DIGEST,
  type Digest,
} from './digest.ts';
export { dispatchRecordSchema, type DispatchRecord } from './dispatch-record.ts';
export { EVENT_NAMES, isEventName, LEDGER_FORMAT } from './event-names.ts';
export { EVENT_PAYLOADS, type ConferenceEvent, type EventName, type EventPayload } from './events.ts';
export { packetFactsSchema, verdictFactSchema, type PacketFacts, type VerdictFact } from './facts.ts';
export { grantSchema, type Grant } from './grant.ts';
export {
  deriveUlid,
  encodeUlid,
  parseConferenceId,
  parseDecisionId,
  parseDispatchId,
  REF_PATTERN,
  ULID_PATTERN,
  type ConferenceId,
  type DecisionId,
  type DispatchId,
} from './ids.ts';
export { documentPath, firstIssue } from './issue-path.ts';
export { jsonSchema, jsonSchemaNames, packetJsonSchema } from './json-schemas.ts';
export {
  limitsFor,
  BYTES_PER_REF,
  LIMIT_DEFAULTS,
  PACKET_DEPTH_MAX,
  REASON_CODE_POINTS_MAX,
  type CharterLimits,
  type Limits,
} from './limits.ts';
export {
  basePacketSchema,
  packetSchema,
  posterPacketSchema,
  researchPacketSchema,
  reviewerPacketSchema,
  synthesisPacketSchema,
  type BasePacket,
  type Packet,
  type PacketShape,
  type PosterPacket,
  type ResearchPacket,
  type ReviewerPacket,
  type ReviewerScore,
  type SynthesisPacket,
} from './packet-schemas.ts';
export {
  convergenceConfigSchema,
  limitsSchema,
  metricSchema,
  planSchema,
  timeoutsSchema,
  PLAN_LANES_MAX,
  PLAN_ROUNDS_MAX,
  type ConvergenceConfig,
  type Metric,
  type Plan,
} from './plan.ts';
export {
  cleanupReceiptSchema,
  recoveryReceiptSchema,
  type CleanupReceipt,
  type RecoveryReceipt,
} from './receipts.ts';
export { laneSchema, refSchema, timestampSchema } from './scalars.ts';
export {
  CONFERENCE_STATES,
  CONFIDENCES,
  DIRECTIONS,
  DISPATCH_STATES,
  DRIVERS,
  HYPOTHESIS_VERDICTS,
  LIVE_STATES,
  MODES,
  ORDERS,
  OUTCOMES,
  PACKET_STATUSES,
  PHASES,
  ROLES,
  VERDICTS,
  type ConferenceState,
  type Confidence,
  type Direction,
  type DispatchState,
  type Driver,
  type HypothesisVerdict,
  type LiveState,
  type Mode,
  type Order,
  type Outcome,
  type PacketStatus,
  type Phase,
  type Role,
  type Verdict,
} from './states.ts';
