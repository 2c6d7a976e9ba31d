/** One event in one line, for pipes and logs. Events that say nothing new to a person give none. */
import type { ConferenceEvent } from '@x/protocol';
import { terminalText } from './terminal-text.ts';

/** Null for events that another line tells already. */
export function eventLine(event: ConferenceEvent): string | null {
  const told = lineOf(event);
  return told === null ? null : `${event.timestamp.slice(11, 19)}  ${terminalText(told)}`;
}

function lineOf(event: ConferenceEvent): string | null {
  switch (event.event) {
    case 'conference.planned':
      return `planned    conference ${event.payload.conference_id}, plan ${event.payload.plan_digest}`;
    case 'grant.activated':
      return `grant      writes allowed inside ${event.payload.grant.root}`;
    case 'conference.started':
      return `started    host ${event.payload.host}, ${event.payload.slots} slots`;
    case 'conference.blocked':
      return `blocked    ${event.payload.code}: ${event.payload.reason}`;
    case 'state.transitioned':
      return `state      ${event.payload.previous_state} -> ${event.payload.next_state}${event.payload.phase === null ? '' : ` (${event.payload.phase})`}: ${event.payload.reason}`;
    case 'round.started':
      return `round ${event.payload.round}    ${event.payload.lanes} lanes, ${event.payload.iteration_allowance} iterations each${event.payload.last_round ? ', the last affordable round' : ''}`;
    case 'dispatch.issued': {
      const { role, lane, round, attempt, dispatch_id } = event.payload;
      return `issued     ${role}${lane === undefined ? '' : ` ${lane}`} of round ${round}${attempt === 1 ? '' : `, attempt ${attempt}`}  ${dispatch_id}`;
    }
    case 'dispatch.received':
      return `received   ${event.payload.dispatch_id}, ${event.payload.bytes} bytes, ${event.payload.facts.status}`;
    case 'dispatch.failed':
      return `failed     ${event.payload.dispatch_id}, ${event.payload.code}: ${event.payload.reason}`;
    case 'dispatch.timed_out':
      return `timed out  ${event.payload.dispatch_id}, no packet by ${event.payload.deadline}`;
    case 'dispatch.cancelled':
      return `cancelled  ${event.payload.dispatch_id}: ${event.payload.reason}`;
    case 'dispatch.stale':
      return `stale      ${event.payload.dispatch_id}: ${event.payload.reason}, left out of the evidence`;
    case 'dispatch.duplicate':
      return `duplicate  ${event.payload.dispatch_id}`;
    case 'round.peer_review': {
      const { round, validated_count, challenged_count, overturned_count } = event.payload;
      return `review ${round}   ${validated_count} validated, ${challenged_count} challenged, ${overturned_count} overturned`;
    }
    case 'convergence.evaluated': {
      const { record, round } = event.payload;
      return `judged ${round}   ${record.outcome}${record.winner === null ? '' : ` by rule ${record.winner}`}, target_met: ${record.target_met}`;
    }
    case 'round.completed': {
      const { round, best_metric, best_researcher } = event.payload;
      return `round ${round}    complete, best ${best_metric ?? '-'}${best_researcher === null ? '' : ` by ${best_researcher}`}`;
    }
    case 'decision.asked':
      return `asked      ${event.payload.question}`;
    case 'decision.answered':
      return `answered   ${event.payload.option} (${event.payload.answered_by})`;
    case 'artifact.written':
      return `written    ${event.payload.path}, ${event.payload.bytes} bytes`;
    case 'conference.completed':
      return `completed  ${event.payload.outcome}, target_met: ${event.payload.target_met}`;
    case 'conference.cancelled':
      return `cancelled  ${event.payload.reason}`;
    default:
      return null;
  }
}
