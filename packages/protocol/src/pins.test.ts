/**
 * Pins: what stands in files, on the wire and in other programs' readers. The expected side is a literal on
 * purpose; README "Pins" says how to change one.
 */
import { expect, test } from 'vitest';
import * as protocol from './index.ts';

test('packet codes stand in the order in which reasons are looked for', () => {
  expect(protocol.PACKET_CODES).toEqual([
    'PACKET_OVERSIZED',
    'PACKET_MALFORMED',
    'PACKET_IDENTITY',
    'PACKET_ROUND_CLOSED',
    'PACKET_SECRET',
    'PACKET_AUTHORITY',
    'PACKET_EXTERNAL_ACTION',
    'PACKET_INSTRUCTIONS',
    'PACKET_EVIDENCE',
  ]);
});

test('the other codes and word lists are the ones of the sources', () => {
  expect(protocol.BLOCKED_CODES).toEqual([
    'BLOCKED_MULTI_AGENT_UNAVAILABLE',
    'BLOCKED_NO_VALID_PACKET',
    'BLOCKED_DISPATCH_REPLAY_CONFLICT',
    'BLOCKED_STALE_CONFERENCE_STATE',
  ]);
  expect(protocol.WRITE_AUTHORITY_MISSING).toBe('BLOCKED_WRITE_AUTHORITY_MISSING');
  expect(protocol.PLAN_DIGEST_MISMATCH).toBe('PLAN_DIGEST_MISMATCH');
  expect(protocol.FAILURE_CODES.slice(9)).toEqual(['packet_failed', 'host_failed', 'host_lost']);
  expect(protocol.STALE_REASONS).toEqual([
    'unknown_dispatch',
    'timed_out',
    'cancelled',
    'failed_without_packet',
    'conflict_known',
    'PACKET_ROUND_CLOSED',
  ]);
  expect(protocol.CONFERENCE_STATES).toEqual(
    'PLANNING CONFIRMED DISPATCHING COLLECTING REVIEWING SYNTHESIZING COMPLETE BLOCKED CANCELLED BUDGET_STOP'.split(
      ' ',
    ),
  );
  expect(protocol.LIVE_STATES).toEqual(
    'PLANNING CONFIRMED DISPATCHING COLLECTING REVIEWING SYNTHESIZING'.split(' '),
  );
  expect(protocol.DISPATCH_STATES).toEqual(['dispatched', 'received', 'failed', 'timed_out', 'cancelled']);
  expect(protocol.PHASES).toEqual(['research', 'poster', 'review', 'transfer', 'synthesis']);
  expect(protocol.ROLES).toEqual(['researcher', 'poster', 'reviewer', 'synthesis']);
  expect(protocol.VERDICTS).toEqual(['validated', 'challenged', 'overturned']);
  expect(protocol.OUTCOMES).toEqual(
    'CONTINUE CONVERGED CONVERGED_PLATEAU STALLED BUDGET_STOP CANCELLED STOPPED_BY_USER BLOCKED_NO_VALID_PACKET'.split(
      ' ',
    ),
  );
  expect(protocol.DECISION_OPTIONS).toEqual(
    'redispatch continue stop keep_first skip complete_without retry revalidate restart keep_verified_prefix resume'.split(
      ' ',
    ),
  );
});

test('the default bounds, and how they widen with the refs of a charter', () => {
  expect(protocol.LIMIT_DEFAULTS).toEqual({
    packet_bytes_max: 65_536,
    evidence_bytes_max: 32_768,
    claims_max: 64,
    string_code_points_max: 4_096,
  });
  expect(protocol.PACKET_DEPTH_MAX).toBe(32);
  expect(protocol.limitsFor(protocol.LIMIT_DEFAULTS, 0)).toEqual({
    packet_bytes_max: 65_536,
    evidence_bytes_max: 32_768,
    claims_max: 64,
    string_code_points_max: 4_096,
    verdicts_max: 0,
  });
  expect(protocol.limitsFor(protocol.LIMIT_DEFAULTS, 64)).toEqual({
    packet_bytes_max: 65_536,
    evidence_bytes_max: 65_536,
    claims_max: 64,
    string_code_points_max: 4_096,
    verdicts_max: 64,
  });
  expect(protocol.limitsFor(protocol.LIMIT_DEFAULTS, 1_000)).toEqual({
    packet_bytes_max: 1_024_000,
    evidence_bytes_max: 1_024_000,
    claims_max: 1_000,
    string_code_points_max: 4_096,
    verdicts_max: 1_000,
  });
});

test('a capability says whether it can delegate and how many children run at once, and nothing else passes [CONF-10]', () => {
  const ok = (value: unknown) => protocol.capabilitySchema.safeParse(value).success;
  expect(ok({ delegate_task: true, slots: 1 })).toBe(true);
  expect(ok({ delegate_task: false, slots: 4, reports_cost: true })).toBe(true);
  for (const slots of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined]) {
    expect(ok({ delegate_task: true, slots })).toBe(false);
  }
  expect(ok({ slots: 1 })).toBe(false);
  expect(ok({ delegate_task: 'yes', slots: 1 })).toBe(false);
  expect(ok({ delegate_task: true, slots: 1, model: 'x' })).toBe(false);
  expect(ok({ delegate_task: true, slots: 1, reports_cost: 'no' })).toBe(false);
});

test('the names that the package exports are these', () => {
  expect(Object.keys(protocol).toSorted().join(' ')).toBe(
    [
      'BLOCKED_CODES BYTES_PER_REF CHARTER_OUTPUT CONFERENCE_STATES CONFIDENCES CONVERGENCE_RULES',
      'CanonicalJsonError DECISION_KINDS DECISION_OPTIONS DIGEST_PATTERN DIRECTIONS DISPATCH_STATES DRIVERS',
      'EVENT_NAMES EVENT_PAYLOADS FAILURE_CODES FORBIDDEN_ACTIONS HYPOTHESIS_VERDICTS LAST_ROUND',
      'LEDGER_FORMAT LIMIT_DEFAULTS LIVE_STATES MODES ORDERS OUTCOMES PACKET_CODES PACKET_DEPTH_MAX',
      'PACKET_STATUSES PHASES PLAN_DIGEST_MISMATCH PLAN_LANES_MAX PLAN_ROUNDS_MAX REASON_CODE_POINTS_MAX',
      'REF_PATTERN ROLES STALE_REASONS ULID_PATTERN VERDICTS WRITE_AUTHORITY_MISSING ZERO_DIGEST',
      'basePacketSchema canonicalJson capabilitySchema charterSchema cleanupReceiptSchema',
      'convergenceConfigSchema decisionRecordSchema decisionSchema deriveUlid digestHex digestOf',
      'digestOfJson dispatchRecordSchema documentPath encodeUlid firstIssue grantSchema isEventName',
      'jsonSchema jsonSchemaNames laneSchema limitsFor limitsSchema metricSchema packetFactsSchema',
      'packetJsonSchema packetSchema parseConferenceId parseDecisionId parseDigest parseDispatchId',
      'planSchema posterPacketSchema readContextItemSchema recoveryReceiptSchema refSchema',
      'researchPacketSchema reviewerPacketSchema successDefinitionSchema synthesisPacketSchema',
      'timeoutsSchema timestampSchema verdictFactSchema',
    ].join(' '),
  );
});
