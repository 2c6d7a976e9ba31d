/** One round: research → poster → review → transfer (01 Words). Closed rounds are frozen and shared between states. */
import type { DecisionRecord } from '@x/protocol';
import type { DispatchRow } from './dispatch-row.ts';

/** A place that one dispatch at a time fills: a lane, or the poster, review or synthesis of a round. */
export interface Seat {
  /** Counts from 1; a redispatch is the next one, under a new id. */
  readonly attempt: number;
  /** Index into the rows, or null while the current attempt is not issued. */
  readonly row: number | null;
}

export const EMPTY_SEAT: Seat = { attempt: 1, row: null };

export interface Round {
  readonly round: number;
  /** Iterations that each lane is granted: by the start of the round, or by the decision to send lanes again. */
  readonly iteration_allowance: number;
  /** No further round is affordable: charters that are issued now carry LAST_ROUND. */
  readonly last_round: boolean;
  /** All dispatches of the round in order of issue. */
  readonly rows: readonly DispatchRow[];
  readonly lanes: readonly Seat[];
  /** Lanes whose current attempt is not issued yet. */
  readonly unissued: number;
  /** Rows that are `dispatched`. */
  readonly open: number;
  /** No row before this one is open: results mostly come in order of issue. */
  readonly first_open: number;
  /** No open row has a deadline before this: spares a search in every command. */
  readonly deadline_floor_ms: number;
  readonly poster: Seat;
  /** The user decided to review without a poster; a limitation. */
  readonly poster_skipped: boolean;
  readonly poster_recorded: boolean;
  readonly review: Seat;
  readonly reviewed: boolean;
  readonly validated: number;
  readonly challenged: number;
  readonly overturned: number;
  /** The user decided to go on without what the failed lanes would have brought; a limitation. */
  readonly partial_accepted: boolean;
  readonly record: DecisionRecord | null;
  /** Totals at the time of evaluation, as convergence wants them. */
  readonly iterations_spent: number;
  readonly elapsed_ms: number;
  readonly completed: boolean;
  readonly best_metric: string | null;
  readonly best_lane: number | null;
  /** The user answered the pause after this round with `continue`. */
  readonly pause_answered: boolean;
}

export function openRound(input: {
  round: number;
  lanes: number;
  iteration_allowance: number;
  last_round: boolean;
}): Round {
  return {
    ...input,
    rows: [],
    lanes: Array.from({ length: input.lanes }, () => EMPTY_SEAT),
    unissued: input.lanes,
    open: 0,
    first_open: 0,
    deadline_floor_ms: Infinity,
    poster: EMPTY_SEAT,
    poster_skipped: false,
    poster_recorded: false,
    review: EMPTY_SEAT,
    reviewed: false,
    validated: 0,
    challenged: 0,
    overturned: 0,
    partial_accepted: false,
    record: null,
    iterations_spent: 0,
    elapsed_ms: 0,
    completed: false,
    best_metric: null,
    best_lane: null,
    pause_answered: false,
  };
}

/** The row that fills a seat, or null while its attempt is not issued. */
export function rowOf(rows: readonly DispatchRow[], seat: Seat): DispatchRow | null {
  return seat.row === null ? null : (rows[seat.row] ?? null);
}

/** The current row of every lane, null where it is not issued. */
export function laneRows(round: Round): (DispatchRow | null)[] {
  return round.lanes.map((seat) => rowOf(round.rows, seat));
}
