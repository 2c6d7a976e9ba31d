/** Accepted packets as artifacts read them: the canonical JSON that admission stored (design C3), never the prose. */
import type { PosterPacket, ResearchPacket, ReviewerPacket, SynthesisPacket } from '@x/protocol';
import { readJson, type Reading } from '../charters/content.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneRows, type Round } from '../round.ts';
import { isFinal, type State } from '../state.ts';

/* Admission stored each object after it fitted the schema of its dispatch's role, hence the four casts. */

export function* researchPacketOf(row: DispatchRow): Reading<ResearchPacket | null> {
  return (yield* stored(row, 'researcher')) as ResearchPacket | null;
}

export function* posterPacketOf(row: DispatchRow | null): Reading<PosterPacket | null> {
  return (yield* stored(row, 'poster')) as PosterPacket | null;
}

export function* reviewerPacketOf(row: DispatchRow | null): Reading<ReviewerPacket | null> {
  return (yield* stored(row, 'reviewer')) as ReviewerPacket | null;
}

export function* synthesisPacketOf(row: DispatchRow | null): Reading<SynthesisPacket | null> {
  return (yield* stored(row, 'synthesis')) as SynthesisPacket | null;
}

function* stored(row: DispatchRow | null, role: DispatchRow['role']): Reading<unknown> {
  if (row === null || row.role !== role || row.state !== 'received' || row.content_digest === null)
    return null;
  return yield* readJson(row.content_digest);
}

/** The accepted research packets of a round, in order of lane. */
export function acceptedResearch(round: Round): DispatchRow[] {
  return laneRows(round).flatMap((row) => (row?.state === 'received' ? [row] : []));
}

/**
 * The rounds whose packets count. Once a conference has ended, packets that no review accepted are discarded
 * (source 000 §5); until then the round under way is shown as it stands.
 */
export function countedRounds(state: State): readonly Round[] {
  return isFinal(state) ? state.rounds.filter(({ reviewed }) => reviewed) : state.rounds;
}
