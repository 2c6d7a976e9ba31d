/** The codes of the protocol: words in capitals appear in output exactly so. */

/** The codes a conference can be blocked with (01 State and phase). */
export const BLOCKED_CODES = [
  'BLOCKED_MULTI_AGENT_UNAVAILABLE',
  'BLOCKED_NO_VALID_PACKET',
  'BLOCKED_DISPATCH_REPLAY_CONFLICT',
  'BLOCKED_STALE_CONFERENCE_STATE',
] as const;
export type BlockedCode = (typeof BLOCKED_CODES)[number];

/** A report, never a state: without a grant nothing is written, and the conference goes on (03 Grants). */
export const WRITE_AUTHORITY_MISSING = 'BLOCKED_WRITE_AUTHORITY_MISSING';

/**
 * Why a packet is refused, in the order in which the reasons are looked for: the first that applies
 * is the reason (02 Rejection). `PACKET_ROUND_CLOSED` is the reason of a stale record only.
 */
export const PACKET_CODES = [
  'PACKET_OVERSIZED',
  'PACKET_MALFORMED',
  'PACKET_IDENTITY',
  'PACKET_ROUND_CLOSED',
  'PACKET_SECRET',
  'PACKET_AUTHORITY',
  'PACKET_EXTERNAL_ACTION',
  'PACKET_INSTRUCTIONS',
  'PACKET_EVIDENCE',
] as const;
export type PacketCode = (typeof PACKET_CODES)[number];

/**
 * Why a dispatch failed. Beside the packet codes: `packet_failed` the child itself says so (02 Rejection, last
 * paragraph), `host_failed` the host says that no packet will come, `host_lost` the child died with its root.
 */
export const FAILURE_CODES = [...PACKET_CODES, 'packet_failed', 'host_failed', 'host_lost'] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a result was recorded stale and left out of the evidence (01 Dispatch accounting). */
export const STALE_REASONS = [
  'unknown_dispatch',
  'timed_out',
  'cancelled',
  'failed_without_packet',
  'conflict_known',
  'PACKET_ROUND_CLOSED',
] as const;
export type StaleReason = (typeof STALE_REASONS)[number];

/** Confirming names the digest of the plan that was read; another one is refused (01 Start gate). */
export const PLAN_DIGEST_MISMATCH = 'PLAN_DIGEST_MISMATCH';
