/**
 * A second, small model of dispatch accounting (01 Dispatch accounting), written from the table alone: one round with two
 * lanes, so two dispatches and what is sent again. It shares no code with the core.
 */

/** The lane that a move is about. */
export type Lane = 0 | 1;

export type Move =
  | {
      readonly move: 'issue' | 'result' | 'duplicate' | 'conflicting duplicate' | 'late result';
      readonly lane: Lane;
    }
  | { readonly move: 'timeout' | 'redispatch' | 'keep first' | 'cancel' | 'close' };

type Dispatch = 'dispatched' | 'received' | 'timed_out' | 'cancelled';

export interface Reference {
  /** Dispatches of each lane, in order of issue. */
  readonly lanes: readonly [Dispatch[], Dispatch[]];
  /** Lanes whose charter is to be issued. */
  vacant: [boolean, boolean];
  stands: 'research' | 'no packet' | 'conflict' | 'poster' | 'cancelled';
  /** Where a conflict goes back to. */
  before: 'research' | 'poster';
  /** Lanes whose conflict waits for a decision, the asked one first. */
  conflicts: Lane[];
  stale: number;
  duplicates: number;
  closed: boolean;
}

export function reference(): Reference {
  return {
    lanes: [[], []],
    vacant: [true, true],
    stands: 'research',
    before: 'research',
    conflicts: [],
    stale: 0,
    duplicates: 0,
    closed: false,
  };
}

/** The model after one move; a move that the table does not have here leaves it as it is. */
export function apply(before: Reference, move: Move): Reference {
  const model = structuredClone(before);
  switch (move.move) {
    case 'issue':
      if (model.stands === 'research' && model.vacant[move.lane]) {
        model.lanes[move.lane].push('dispatched');
        model.vacant[move.lane] = false;
      }
      return model;
    case 'result':
      end(model.lanes[move.lane], 'received');
      return advanced(model);
    case 'timeout':
      for (const lane of model.lanes) end(lane, 'timed_out');
      return advanced(model);
    case 'redispatch':
      if (model.stands === 'no packet') {
        model.stands = 'research';
        model.vacant = [true, true];
      }
      return model;
    case 'duplicate':
      // The same bytes for what was received: counted, whatever stands.
      if (model.lanes[move.lane].includes('received')) model.duplicates += 1;
      return model;
    case 'conflicting duplicate':
      if (model.lanes[move.lane].includes('received')) conflict(model, move.lane);
      return model;
    case 'keep first':
      if (model.stands === 'conflict') {
        model.conflicts.shift();
        if (model.conflicts.length === 0) model.stands = model.before;
      }
      return advanced(model);
    case 'late result': {
      const over: readonly Dispatch[] = ['timed_out', 'cancelled'];
      if (model.lanes[move.lane].some((one) => over.includes(one))) model.stale += 1;
      return model;
    }
    case 'cancel':
      if (model.stands !== 'cancelled') {
        for (const lane of model.lanes) end(lane, 'cancelled');
        model.stands = 'cancelled';
        model.conflicts = [];
      }
      return model;
    case 'close':
      if (model.stands === 'cancelled') model.closed = true;
      return model;
  }
}

function end(lane: Dispatch[], as: Dispatch): void {
  if (lane.at(-1) === 'dispatched') lane[lane.length - 1] = as;
}

/** A phase advances when every id created for it is terminal: with a valid packet to the poster, without one nowhere. */
function advanced(model: Reference): Reference {
  const isOver = model.lanes.every((lane, index) => !model.vacant[index] && lane.at(-1) !== 'dispatched');
  if (model.stands !== 'research' || !isOver) return model;
  model.stands = model.lanes.some((lane) => lane.at(-1) === 'received') ? 'poster' : 'no packet';
  return model;
}

function conflict(model: Reference, lane: Lane): void {
  if (model.stands === 'cancelled' || model.conflicts.includes(lane)) {
    model.stale += 1;
    return;
  }
  model.conflicts.push(lane);
  if (model.stands === 'research' || model.stands === 'poster') {
    model.before = model.stands;
    model.stands = 'conflict';
  }
}
