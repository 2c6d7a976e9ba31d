/** Catches: an event renamed or a payload key moved, which every ledger ever written would then contradict. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DIGEST, OTHER_ID, RESEARCH_ID } from '../test/samples.ts';
import { EVENT_NAMES, isEventName } from './event-names.ts';
import { LEDGER_FORMAT } from './event-names.ts';
import { EVENT_PAYLOADS, type EventName } from './events.ts';

const NAMES = [
  'conference.planned',
  'conference.confirmed',
  'conference.started',
  'conference.completed',
  'conference.cancelled',
  'conference.blocked',
  'round.started',
  'round.poster_session',
  'round.peer_review',
  'round.completed',
  'dispatch.issued',
  'dispatch.received',
  'dispatch.failed',
  'dispatch.timed_out',
  'dispatch.cancelled',
  'dispatch.duplicate',
  'dispatch.stale',
  'decision.asked',
  'decision.answered',
  'state.transitioned',
  'researcher.iteration',
  'researcher.stuck',
  'convergence.evaluated',
  'grant.activated',
  'grant.revoked',
  'artifact.written',
  'recovery.inspected',
  'cleanup.receipt',
];

/** Every property name anywhere in the JSON Schema of a payload. */
function propertyNames(schema: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) propertyNames(item, found);
  else if (typeof schema === 'object' && schema !== null) {
    for (const [key, member] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(member as object)) found.add(name);
      propertyNames(member, found);
    }
  }
  return found;
}

const schemaOf = (name: EventName) => z.toJSONSchema(EVENT_PAYLOADS[name], { target: 'draft-2020-12' });
const keysOf = (name: EventName) => Object.keys(schemaOf(name).properties ?? {});
const required = (name: EventName) => schemaOf(name).required;

describe('events', () => {
  test('are exactly these, and each has a payload schema [LEDG-08]', () => {
    expect([...EVENT_NAMES]).toEqual(NAMES);
    expect(Object.keys(EVENT_PAYLOADS).toSorted()).toEqual(NAMES.toSorted());
    for (const name of NAMES) expect(isEventName(name)).toBe(true);
    for (const name of ['conference.paused', 'dispatch', '', 'toString', 'Conference.planned']) {
      expect(isEventName(name)).toBe(false);
    }
    expect(LEDGER_FORMAT).toBe(1);
  });

  test('rounds and the end carry the payload that existing readers look for [LEDG-09]', () => {
    expect(keysOf('round.completed')).toEqual(['round', 'best_metric', 'best_researcher', 'converged']);
    expect(keysOf('round.peer_review').filter((key) => key !== 'dispatch_id')).toEqual([
      'round',
      'validated_count',
      'challenged_count',
      'overturned_count',
    ]);
    expect(keysOf('conference.completed')).toEqual([
      'outcome',
      'target_met',
      'synthesis_path',
      'final_report_path',
      'total_iterations',
    ]);
    for (const name of ['round.completed', 'round.peer_review', 'conference.completed'] as const) {
      expect(required(name)).toEqual(keysOf(name));
    }
  });

  test('dispatches and transitions carry the facts that folding needs', () => {
    expect(keysOf('dispatch.issued')).toEqual([
      'dispatch_id',
      'role',
      'round',
      'lane',
      'attempt',
      'charter_digest',
      'context_digest',
      'deadline',
      'iteration_allowance',
      'excerpts_left_out',
    ]);
    expect(keysOf('dispatch.received')).toEqual([
      'dispatch_id',
      'digest',
      'bytes',
      'content_digest',
      'rules',
      'facts',
      'cost',
    ]);
    expect([...propertyNames(schemaOf('dispatch.received').properties?.['facts'])].toSorted()).toEqual([
      'claims',
      'dispatch_id',
      'downgraded',
      'measurements',
      'name',
      'ref',
      'remarks',
      'score',
      'scores',
      'status',
      'stuck_level',
      'value',
      'verdict',
      'verdicts',
    ]);
    expect(keysOf('state.transitioned')).toEqual([
      'previous_state',
      'next_state',
      'round',
      'phase',
      'dispatch_ids',
      'evidence_digest',
      'reason',
    ]);
    expect(keysOf('conference.planned').slice(0, 2)).toEqual(['ledger_format', 'conference_id']);
  });

  test('no payload has a key anywhere that readers of such files take for the event itself', () => {
    for (const name of EVENT_NAMES) {
      const found = propertyNames(schemaOf(name));
      for (const taken of ['event', 'type', 'ts', 'time', 'timestamp']) {
        expect(found.has(taken), `${name} has a key ${taken}`).toBe(false);
      }
    }
  });

  test('a payload with an unknown key, an absolute path or another format does not pass', () => {
    const written = EVENT_PAYLOADS['artifact.written'];
    expect(written.safeParse({ path: 'final_report.md', digest: DIGEST, bytes: 0 }).success).toBe(true);
    expect(written.safeParse({ path: '/etc/passwd', digest: DIGEST, bytes: 0 }).success).toBe(false);
    expect(written.safeParse({ path: 'a', digest: DIGEST, bytes: -1 }).success).toBe(false);
    expect(written.safeParse({ path: 'a', digest: DIGEST, bytes: 0, mode: 1 }).success).toBe(false);
    const planned = schemaOf('conference.planned').properties?.['ledger_format'];
    expect(planned).toMatchObject({ const: 1 });
    const duplicate = EVENT_PAYLOADS['dispatch.duplicate'];
    expect(duplicate.safeParse({ dispatch_id: RESEARCH_ID, digest: DIGEST }).success).toBe(true);
    expect(duplicate.safeParse({ dispatch_id: OTHER_ID.toLowerCase(), digest: DIGEST }).success).toBe(false);
  });
});
