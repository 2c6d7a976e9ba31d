/**
 * One row of the dispatch table, as the state holds it: facts of events, times in milliseconds.
 *
 * Rows are values: an event makes a new one. They carry no prose; the reason of a refusal is the one
 * bounded, redacted text (design C2).
 */
import type {
  Digest,
  DispatchId,
  DispatchRecord,
  DispatchState,
  FailureCode,
  PacketFacts,
  Role,
  Verdict,
} from '@x/protocol';
import { laneLetter } from './lane.ts';

export interface DispatchRow {
  readonly dispatch_id: DispatchId;
  readonly role: Role;
  readonly round: number;
  /** Index of the seat, from 0; null for every role but the researcher. */
  readonly lane: number | null;
  readonly attempt: number;
  readonly state: DispatchState;
  readonly issued_ms: number;
  readonly deadline_ms: number;
  readonly iteration_allowance: number;
  /** Whether its charter carries LAST_ROUND: sending lanes again may make a round the last one. */
  readonly last_round: boolean;
  readonly charter_digest: Digest;
  readonly context_digest: Digest;
  /** Inherited excerpts that its charter names as left out, for a secret rule matched them. */
  readonly excerpts_left_out: number;
  /** Null while open. */
  readonly ended_ms: number | null;
  /** Digest of the bytes that came, accepted or refused; null when none came. */
  readonly digest: Digest | null;
  readonly bytes: number;
  readonly content_digest: Digest | null;
  readonly facts: PacketFacts | null;
  readonly code: FailureCode | null;
  readonly reason: string | null;
  /** How many `researcher.iteration` events of this packet are recorded. */
  readonly iterations_recorded: number;
  readonly stuck_recorded: boolean;
  /** Latest verdict on claim n at n − 1, null where no review named it; absent before any review. */
  readonly claim_verdicts: readonly (Verdict | null)[];
  readonly measurement_verdicts: readonly (Verdict | null)[];
  /** The reviewer's score of this lane's packet (qualitative mode). */
  readonly score: number | null;
}

/** Whether the row is one of the four terminal states, which are never left (source 000 §2). */
export function isTerminal(row: DispatchRow): boolean {
  return row.state !== 'dispatched';
}

/** The table row of the sources: the receipt is a digest, or the reason of any other terminal state. */
export function toRecord(row: DispatchRow): DispatchRecord {
  const receipt = row.state === 'received' ? row.digest : (row.code ?? row.reason);
  return {
    dispatch_id: row.dispatch_id,
    role: row.role,
    round: row.round,
    ...(row.lane === null ? {} : { lane: laneLetter(row.lane) }),
    attempt: row.attempt,
    state: row.state,
    ...(row.state === 'dispatched' || receipt === null ? {} : { receipt }),
  };
}
