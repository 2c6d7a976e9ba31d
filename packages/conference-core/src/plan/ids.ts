/**
 * Derived ids (design C4): a ULID of the time of `conference.planned` and a digest of what the id is for.
 * Read-only code can so name what it proposes, and a replay gives the same bytes.
 */
import {
  deriveUlid,
  parseDecisionId,
  parseDispatchId,
  type DecisionId,
  type DecisionKind,
  type DispatchId,
  type Role,
} from '@x/protocol';
import { laneLetter } from '../lane.ts';
import type { Planned } from '../state.ts';

/** The id of a dispatch that is, or would be, issued for this seat and attempt. */
export function dispatchIdFor(
  planned: Planned,
  seat: { role: Role; round: number; lane: number | null; attempt: number },
): DispatchId {
  const { role, round, lane, attempt } = seat;
  const letter = lane === null ? null : laneLetter(lane);
  const text = deriveUlid(planned.planned_ms, [
    planned.conference_id,
    'dispatch',
    round,
    role,
    letter,
    attempt,
  ]);
  return known(parseDispatchId(text));
}

/** The id of the n-th decision of a conference, n from 1. */
export function decisionIdFor(
  planned: Planned,
  decision: { kind: DecisionKind; round: number; number: number },
): DecisionId {
  const { kind, round, number } = decision;
  const text = deriveUlid(planned.planned_ms, [planned.conference_id, 'decision', round, kind, null, number]);
  return known(parseDecisionId(text));
}

function known<Id>(id: Id | null): Id {
  if (id === null) throw new Error('a derived id is not a ULID');
  return id;
}
