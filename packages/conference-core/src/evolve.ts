/**
 * evolve(state, event): copies recorded facts, judges nothing, never throws on an event it knows (design).
 *
 * E1 Outcome, spent iterations and lane status stand in events, so a ledger never decides its past again.
 * E2 A state is a value: parts that an event does not touch are shared, closed rounds for good.
 */
import type { ConferenceEvent, EventPayload } from '@x/protocol';
import { endBusy, startBusy } from './budget/spent-time.ts';
import { addDecimals } from './budget/cost.ts';
import type { DispatchRow } from './dispatch-row.ts';
import { applyReview } from './evidence/apply-review.ts';
import { laneIndex } from './lane.ts';
import { openRound, type Round, type Seat } from './round.ts';
import { currentRound, findRow, openDispatches, type Blocked, type State } from './state.ts';
import { fromTimestamp } from './time.ts';
import { evolveAnswer } from './evolve-answer.ts';

/** The state after one more event. Total over known events; an event that fits nothing changes only the head. */
export function evolve(state: State, event: ConferenceEvent): State {
  const atMs = Math.max(state.head_ms, fromTimestamp(event.timestamp));
  const next = { ...state, head_ms: atMs, events: state.events + 1 };
  return Object.assign(next, changeOf(next, event, atMs));
}

/** The parts of a state that an event changes; a state is copied once an event, and no part that stays is. */
type Change = Partial<State>;

const NOTHING: Change = {};

function changeOf(state: State, event: ConferenceEvent, atMs: number): Change {
  switch (event.event) {
    case 'conference.planned':
      return {
        planned: {
          conference_id: event.payload.conference_id,
          plan: event.payload.plan,
          plan_digest: event.payload.plan_digest,
          source_digest: event.payload.source_digest ?? null,
          written_roots_digest: event.payload.written_roots_digest ?? null,
          planned_ms: atMs,
          replay: event.payload.replay === true,
        },
      };
    case 'grant.activated':
      return { grant: event.payload.grant };
    case 'grant.revoked':
      return { grant: null };
    case 'conference.confirmed':
      return { confirmed: true };
    case 'conference.started':
      return { started: event.payload };
    case 'conference.blocked':
      return block(state, event.payload);
    case 'state.transitioned':
      return transition(state, event.payload);
    case 'round.started': {
      const { round, lanes, iteration_allowance, last_round } = event.payload;
      const opened = openRound({ round, lanes, iteration_allowance, last_round });
      return { rounds: [...state.rounds, opened], last_research: null };
    }
    case 'dispatch.issued':
      return issue(state, event.payload, atMs);
    case 'dispatch.received':
    case 'dispatch.failed':
    case 'dispatch.timed_out':
    case 'dispatch.cancelled':
      return end(state, event, atMs);
    case 'dispatch.duplicate':
      return { duplicate_results: state.duplicate_results + 1 };
    case 'dispatch.stale':
      return { stale_results: state.stale_results + 1 };
    case 'researcher.iteration':
      return updateRow(state, event.payload.dispatch_id, (row) => ({
        ...row,
        iterations_recorded: row.iterations_recorded + 1,
      }));
    case 'researcher.stuck':
      return updateRow(state, event.payload.dispatch_id, (row) => ({ ...row, stuck_recorded: true }));
    case 'round.poster_session':
      return {
        ...updateRound(state, event.payload.round, (round) => ({ ...round, poster_recorded: true })),
        last_complete_phase: { round: event.payload.round, phase: 'poster' },
      };
    case 'round.peer_review':
      return peerReview(state, event.payload);
    case 'convergence.evaluated':
      return evaluated(state, event.payload);
    case 'round.completed': {
      const { round: number, best_metric, best_researcher } = event.payload;
      const best_lane = best_researcher === null ? null : laneIndex(best_researcher);
      return {
        ...updateRound(state, number, (round) => ({ ...round, completed: true, best_metric, best_lane })),
        last_complete_phase: { round: number, phase: 'transfer' },
      };
    }
    case 'decision.asked':
      return { pending: event.payload, decisions_asked: state.decisions_asked + 1 };
    case 'decision.answered':
      return evolveAnswer(state, event.payload);
    case 'artifact.written': {
      const { path, digest, bytes } = event.payload;
      // While BLOCKED a file is only taken as it was found: what its round owes is still to be written.
      const round = state.state === 'BLOCKED' ? 0 : state.round;
      const artifacts = new Map(state.artifacts).set(path, { digest, bytes, round });
      return { artifacts };
    }
    case 'recovery.inspected':
      return { recovered_round: state.round };
    case 'conference.completed':
    case 'conference.cancelled':
      return { closing: { ...state.closing, ended: true } };
    case 'cleanup.receipt':
      return { closing: { ...state.closing, receipt: event.payload } };
  }
}

function block(state: State, payload: EventPayload<'conference.blocked'>): Change {
  const blocked: Blocked = {
    code: payload.code,
    reason: payload.reason,
    dispatch_id: payload.dispatch_id ?? null,
    digest: payload.digest ?? null,
    from: null,
  };
  if (state.blocked !== null) return { blocked_later: [...state.blocked_later, blocked] };
  return { blocked };
}

function transition(state: State, payload: EventPayload<'state.transitioned'>): Change {
  const moved: Change = {
    state: payload.next_state,
    phase: payload.phase,
    round: payload.round,
    // What was asked was asked of the state that is left.
    pending: null,
    answer: null,
    last_complete_phase: completedBy(state, payload) ?? state.last_complete_phase,
  };
  switch (payload.next_state) {
    case 'BLOCKED':
      return {
        ...moved,
        blocked: state.blocked && { ...state.blocked, from: { state: state.state, phase: state.phase } },
      };
    case 'CANCELLED':
      return { ...moved, ...UNBLOCKED, outcome: 'CANCELLED' };
    case 'BUDGET_STOP':
      return { ...moved, ...UNBLOCKED, outcome: 'BUDGET_STOP' };
    default: {
      // With a stop the round under way is over, and what conflicted in it counts for nothing.
      if (state.answer?.option === 'stop') return { ...moved, ...UNBLOCKED, outcome: 'STOPPED_BY_USER' };
      if (payload.previous_state !== 'BLOCKED') return moved;
      const [blocked = null, ...blocked_later] = state.blocked_later;
      return { ...moved, blocked, blocked_later };
    }
  }
}

/** The two phases that end with a transition; the others have an event of their own. */
function completedBy(
  { phase, round }: State,
  { next_state, phase: next_phase }: EventPayload<'state.transitioned'>,
): State['last_complete_phase'] {
  if (phase === 'research' && next_state === 'COLLECTING' && next_phase === 'poster') return { round, phase };
  return next_state === 'COMPLETE' ? { round, phase: 'synthesis' } : null;
}

const UNBLOCKED = { blocked: null, blocked_later: [] };

function issue(state: State, payload: EventPayload<'dispatch.issued'>, atMs: number): Change {
  const row: DispatchRow = {
    dispatch_id: payload.dispatch_id,
    role: payload.role,
    round: payload.round,
    lane: payload.lane === undefined ? null : laneIndex(payload.lane),
    attempt: payload.attempt,
    state: 'dispatched',
    issued_ms: atMs,
    deadline_ms: fromTimestamp(payload.deadline),
    iteration_allowance: payload.iteration_allowance ?? 0,
    last_round: state.rounds[payload.round - 1]?.last_round === true,
    charter_digest: payload.charter_digest,
    context_digest: payload.context_digest,
    excerpts_left_out: payload.excerpts_left_out ?? 0,
    ended_ms: null,
    digest: null,
    bytes: 0,
    content_digest: null,
    facts: null,
    code: null,
    reason: null,
    iterations_recorded: 0,
    stuck_recorded: false,
    claim_verdicts: [],
    measurement_verdicts: [],
    score: null,
  };
  if (row.role === 'synthesis') {
    const { rows, open } = state.synthesis;
    const seat = { attempt: row.attempt, row: rows.length };
    return { synthesis: { ...state.synthesis, rows: [...rows, row], seat, open: open + 1 } };
  }
  const busy = startBusy(state.busy, atMs, openDispatches(state));
  return {
    ...updateRound(state, row.round, (round) => seatRow(round, row)),
    busy,
    iterations_spent: state.iterations_spent + row.iteration_allowance,
  };
}

function seatRow(round: Round, row: DispatchRow): Round {
  const seat: Seat = { attempt: row.attempt, row: round.rows.length };
  const next = {
    ...round,
    rows: [...round.rows, row],
    open: round.open + 1,
    deadline_floor_ms: Math.min(round.deadline_floor_ms, row.deadline_ms),
  };
  if (row.role === 'poster') return { ...next, poster: seat };
  if (row.role === 'reviewer' || row.lane === null) return { ...next, review: seat };
  const lanes = round.lanes.slice();
  lanes[row.lane] = seat;
  return { ...next, lanes, unissued: round.unissued - 1 };
}

type EndEvent = Extract<
  ConferenceEvent,
  { event: 'dispatch.received' | 'dispatch.failed' | 'dispatch.timed_out' | 'dispatch.cancelled' }
>;

function end(state: State, event: EndEvent, atMs: number): Change {
  const { dispatch_id } = event.payload;
  const ended = (row: DispatchRow): DispatchRow => ({ ...row, ...outcomeOf(event), ended_ms: atMs });
  const round = currentRound(state);
  const at = round === null ? -1 : positionOf(round, dispatch_id, state.last_research);
  const before = round?.rows[at];
  if (round === null || before === undefined) return endSynthesis(state, dispatch_id, ended);
  if (before.state !== 'dispatched') return NOTHING;
  const rows = changeAt(round.rows, at, ended);
  const rounds = state.rounds.slice();
  rounds[round.round - 1] = {
    ...round,
    rows,
    open: round.open - 1,
    first_open: firstOpen(rows, round.first_open),
  };
  const isResearch = event.event === 'dispatch.received' && before.role === 'researcher';
  return {
    rounds,
    last_research: isResearch ? at : state.last_research,
    cost_spent: costAfter(state, event),
    busy: endBusy(state.busy, atMs, before.deadline_ms),
  };
}

/** Cost of research, poster and review; a synthesis is not charged to the research budget (01 State and phase). */
function costAfter(state: State, event: EndEvent): string {
  if (event.event !== 'dispatch.received' && event.event !== 'dispatch.failed') return state.cost_spent;
  const { cost } = event.payload;
  return cost === undefined ? state.cost_spent : addDecimals(state.cost_spent, cost);
}

function endSynthesis(state: State, dispatchId: string, ended: (row: DispatchRow) => DispatchRow): Change {
  const { rows, open } = state.synthesis;
  const at = rows.findIndex((row) => row.dispatch_id === dispatchId && row.state === 'dispatched');
  if (at < 0) return NOTHING;
  return {
    synthesis: { ...state.synthesis, rows: changeAt(rows, at, ended), open: open - 1 },
  };
}

/** Index of a row: where the last packet came, else from the first open row on, else anywhere; -1 for none. */
function positionOf(round: Round, dispatchId: string, likely: number | null): number {
  const { rows, first_open } = round;
  if (likely !== null && rows[likely]?.dispatch_id === dispatchId) return likely;
  for (let at = first_open; at < rows.length; at += 1) if (rows[at]?.dispatch_id === dispatchId) return at;
  for (let at = Math.min(first_open, rows.length) - 1; at >= 0; at -= 1) {
    if (rows[at]?.dispatch_id === dispatchId) return at;
  }
  return -1;
}

function firstOpen(rows: readonly DispatchRow[], from: number): number {
  let at = from;
  while (at < rows.length && rows[at]?.state !== 'dispatched') at += 1;
  return at;
}

function outcomeOf(event: EndEvent): Partial<DispatchRow> {
  switch (event.event) {
    case 'dispatch.received': {
      const { digest, bytes, content_digest, facts } = event.payload;
      return { state: 'received', digest, bytes, content_digest, facts };
    }
    case 'dispatch.failed': {
      const { code, reason, digest = null, bytes = 0 } = event.payload;
      return { state: 'failed', code, reason, digest, bytes };
    }
    case 'dispatch.timed_out':
      return { state: 'timed_out', reason: `no packet by ${event.payload.deadline}` };
    case 'dispatch.cancelled':
      return { state: 'cancelled', reason: event.payload.reason };
  }
}

function peerReview(state: State, payload: EventPayload<'round.peer_review'>): Change {
  const reviewer = findRow(state, payload.dispatch_id);
  const rounds = applyReview(state.rounds, reviewer?.facts ?? null);
  const reviewed = updateRound({ rounds }, payload.round, (round) => ({
    ...round,
    reviewed: true,
    validated: payload.validated_count,
    challenged: payload.challenged_count,
    overturned: payload.overturned_count,
  }));
  const last_complete_phase = { round: payload.round, phase: 'review' } as const;
  return { rounds, ...reviewed, phase: 'transfer', last_complete_phase };
}

function evaluated(state: State, { round, record }: EventPayload<'convergence.evaluated'>): Change {
  const { spent_ms, since_ms, until_ms } = state.busy;
  const next = updateRound(state, round, (own) => ({
    ...own,
    record,
    iterations_spent: state.iterations_spent,
    elapsed_ms: spent_ms + (until_ms - since_ms),
  }));
  const outcome = record.outcome === 'CONTINUE' ? state.outcome : record.outcome;
  return { ...next, outcome, target_met: record.target_met };
}

/** One round replaced; a round that does not exist changes nothing. */
function updateRound(
  state: Pick<State, 'rounds'>,
  number: number,
  change: (round: Round) => Round,
): { rounds?: readonly Round[] } {
  const round = state.rounds[number - 1];
  if (round === undefined) return {};
  const rounds = state.rounds.slice();
  rounds[number - 1] = change(round);
  return { rounds };
}

/** Research rows of the current round only: nothing else owes events. */
function updateRow(state: State, dispatchId: string, change: (row: DispatchRow) => DispatchRow): Change {
  const round = currentRound(state);
  const at = round === null ? -1 : positionOf(round, dispatchId, state.last_research);
  if (round === null || at < 0) return NOTHING;
  const rounds = state.rounds.slice();
  rounds[round.round - 1] = { ...round, rows: changeAt(round.rows, at, change) };
  return { rounds };
}

function changeAt(
  rows: readonly DispatchRow[],
  at: number,
  change: (row: DispatchRow) => DispatchRow,
): readonly DispatchRow[] {
  const row = rows[at];
  if (row === undefined) return rows;
  const next = rows.slice();
  next[at] = change(row);
  return next;
}
