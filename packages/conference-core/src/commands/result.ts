/** Books what came for a dispatch (01 Dispatch accounting). An acknowledgement is never a result. */
import type { ConferenceEvent } from '@x/protocol';
import { isCost } from '../budget/cost.ts';
import { boundedReason } from '../packets/reason.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { classify } from '../rules/result-table.ts';
import { findRow, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import type { FailCommand, ResultCommand } from './command.ts';

/** UTF-16 units of an unknown id that a stale record keeps. */
const UNKNOWN_ID_UNITS_MAX = 64;

/** The id as far as it is kept: whole characters, never empty, never a lone surrogate. */
function shownId(text: string): string {
  let shown = '';
  for (const char of text.slice(0, UNKNOWN_ID_UNITS_MAX).toWellFormed()) {
    if (shown.length + char.length > UNKNOWN_ID_UNITS_MAX) break;
    shown += char;
  }
  return shown === '' ? '-' : shown;
}

export function decideResult(state: State, command: ResultCommand, now: number): ConferenceEvent[] | Refusal {
  const timestamp = toTimestamp(now);
  const { digest, bytes, cost } = command;
  const unreadable = costRefusal(cost);
  if (unreadable !== null) return unreadable;
  const found = classify(state, command.dispatch_id, digest);
  switch (found.kind) {
    case 'stale': {
      const payload = { dispatch_id: shownId(command.dispatch_id), reason: found.reason, digest, bytes };
      return [{ event: 'dispatch.stale', timestamp, payload }];
    }
    case 'duplicate':
      return [
        { event: 'dispatch.duplicate', timestamp, payload: { dispatch_id: found.row.dispatch_id, digest } },
      ];
    case 'conflict':
      return [conflict(state, command, timestamp)];
    case 'admit': {
      const { admission } = command;
      const { dispatch_id } = found.row;
      if (admission === undefined) {
        return refuse(
          'ADMISSION_MISSING',
          `dispatch ${dispatch_id} is open: its packet must be judged first`,
        );
      }
      const { rules } = admission;
      const paid = cost === undefined ? {} : { cost };
      if (!admission.ok) {
        const { code, reason } = admission;
        const payload = { dispatch_id, code, reason, digest, bytes, rules, ...paid };
        return [{ event: 'dispatch.failed', timestamp, payload }];
      }
      const { content_digest, facts } = admission;
      const payload = { dispatch_id, digest, bytes, content_digest, rules, facts, ...paid };
      return [{ event: 'dispatch.received', timestamp, payload }];
    }
  }
}

function costRefusal(cost: string | undefined): Refusal | null {
  if (cost === undefined || isCost(cost)) return null;
  return refuse(
    'COST_UNREADABLE',
    `the reported cost is not a plain decimal such as 2.50: ${JSON.stringify(cost.slice(0, 40))}`,
  );
}

/** Other bytes for a dispatch that was answered block the conference, once for each such digest. */
function conflict(
  state: State,
  { dispatch_id: id, digest, bytes }: ResultCommand,
  timestamp: string,
): ConferenceEvent {
  const row = findRow(state, id);
  const known = [state.blocked, ...state.blocked_later].some(
    (blocked) => blocked?.dispatch_id === id && blocked.digest === digest,
  );
  if (row === null || known) {
    return {
      event: 'dispatch.stale',
      timestamp,
      payload: { dispatch_id: id, reason: 'conflict_known', digest, bytes },
    };
  }
  return {
    event: 'conference.blocked',
    timestamp,
    payload: {
      code: 'BLOCKED_DISPATCH_REPLAY_CONFLICT',
      reason: `dispatch ${row.dispatch_id} was answered twice with different bytes`,
      dispatch_id: row.dispatch_id,
      digest,
      bytes,
    },
  };
}

/** The host says that no packet will come: an accounted failure, at once. */
export function decideFail(state: State, command: FailCommand, now: number): ConferenceEvent[] | Refusal {
  const row = findRow(state, command.dispatch_id);
  if (row === null) return refuse('UNKNOWN_DISPATCH', `no dispatch ${command.dispatch_id} was issued`);
  if (row.state !== 'dispatched') {
    return refuse('DISPATCH_NOT_OPEN', `dispatch ${row.dispatch_id} is ${row.state} already`);
  }
  const { code, cost } = command;
  const unreadable = costRefusal(cost);
  if (unreadable !== null) return unreadable;
  const reason = boundedReason(command.reason.toWellFormed()) || code;
  const payload = { dispatch_id: row.dispatch_id, code, reason, ...(cost === undefined ? {} : { cost }) };
  return [{ event: 'dispatch.failed', timestamp: toTimestamp(now), payload }];
}
