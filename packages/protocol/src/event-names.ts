/** Ledger format and event names alone, for readers that must not pay for a schema library. */
import type { EventName } from './events.ts';

/** The format that writers write; readers refuse a newer one by name (design "Formats over years"). */
export const LEDGER_FORMAT = 1;

export const EVENT_NAMES = [
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
] as const satisfies readonly EventName[];

const known: ReadonlySet<string> = new Set(EVENT_NAMES);

/** Whether a name is an event of this format; an unknown one means a newer ledger (LEDGER_TOO_NEW). */
export function isEventName(name: string): name is EventName {
  return known.has(name);
}
