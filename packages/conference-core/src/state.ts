/**
 * The state of a conference: what folding its events gives (design C1, C2).
 *
 * Every prefix of a ledger folds to a legal state. The state holds facts and digests, never a child's prose, so
 * it stays small at 1,000 lanes and 20 rounds.
 */
import type {
  BlockedCode,
  CleanupReceipt,
  ConferenceId,
  ConferenceState,
  Decision,
  DecisionKind,
  DecisionOption,
  Digest,
  DispatchId,
  Driver,
  Grant,
  Outcome,
  Phase,
  Plan,
} from '@x/protocol';
import type { DispatchRow } from './dispatch-row.ts';
import { EMPTY_SEAT, type Round, type Seat } from './round.ts';

/** What `conference.planned` established. */
export interface Planned {
  readonly conference_id: ConferenceId;
  readonly plan: Plan;
  readonly plan_digest: Digest;
  readonly source_digest: Digest | null;
  /** Of the roots as the source writes them, before they were resolved. */
  readonly written_roots_digest: Digest | null;
  /** Time of the event: derived ids carry it (design C4). */
  readonly planned_ms: number;
  readonly replay: boolean;
}

export interface Started {
  readonly driver: Driver;
  readonly host: string;
  readonly slots: number;
  readonly temporary_roots: boolean;
}

/** Why the conference is, or is about to be, BLOCKED. */
export interface Blocked {
  readonly code: BlockedCode;
  readonly reason: string;
  readonly dispatch_id: DispatchId | null;
  readonly digest: Digest | null;
  /** State and phase to return to; null until the transition is recorded. */
  readonly from: { readonly state: ConferenceState; readonly phase: Phase | null } | null;
}

/** An answer that settle has yet to carry out. */
export interface Answer {
  readonly kind: DecisionKind;
  readonly option: DecisionOption;
}

export interface Answered extends Answer {
  readonly decision_id: string;
  readonly round: number;
  readonly answered_by: string;
  /** Why the conference was BLOCKED when it was asked; empty where it was not. */
  readonly about: string;
}

export interface WrittenArtifact {
  readonly digest: Digest;
  readonly bytes: number;
  /** The round in which it was last written; 0 for a file that was taken as it was found. */
  readonly round: number;
}

/** Time spent as the length of a union of intervals, kept as events come (01 Budgets). */
export interface Busy {
  /** Length of the finished stretches. */
  readonly spent_ms: number;
  /** The current or last stretch: from, and up to where it is certain. */
  readonly since_ms: number;
  readonly until_ms: number;
}

export interface Synthesis {
  readonly rows: readonly DispatchRow[];
  readonly seat: Seat;
  readonly open: number;
  /** The user decided to complete without one; a limitation. */
  readonly skipped: boolean;
}

export interface Closing {
  /** `conference.completed` or `conference.cancelled` is recorded. */
  readonly ended: boolean;
  readonly receipt: CleanupReceipt | null;
}

export interface State {
  /** Time of the last event, 0 before the first. `now` never runs behind it (design C6). */
  readonly head_ms: number;
  readonly events: number;
  readonly planned: Planned | null;
  readonly confirmed: boolean;
  readonly started: Started | null;
  readonly grant: Grant | null;
  readonly state: ConferenceState;
  readonly phase: Phase | null;
  /** The current round; 0 before the first. */
  readonly round: number;
  /** The phase that was completed last: where an interrupted conference goes on from (000 §6). */
  readonly last_complete_phase: { readonly round: number; readonly phase: Phase } | null;
  readonly rounds: readonly Round[];
  readonly synthesis: Synthesis;
  /** Row of the current round whose packet came last: it may still owe its researcher events. */
  readonly last_research: number | null;
  readonly blocked: Blocked | null;
  /** Blocks that came while another one stood; each gets its own decision. */
  readonly blocked_later: readonly Blocked[];
  readonly pending: Decision | null;
  readonly decisions_asked: number;
  readonly answer: Answer | null;
  /** The round in which a recovery was inspected last: its failed lanes are asked about (01 Recovery); 0 for none. */
  readonly recovered_round: number;
  readonly answered: readonly Answered[];
  readonly iterations_spent: number;
  readonly busy: Busy;
  /** Sum of the costs that the host reported, a decimal. */
  readonly cost_spent: string;
  readonly outcome: Outcome | null;
  readonly target_met: boolean;
  readonly artifacts: ReadonlyMap<string, WrittenArtifact>;
  readonly stale_results: number;
  readonly duplicate_results: number;
  readonly closing: Closing;
}

export const INITIAL_STATE: State = {
  head_ms: 0,
  events: 0,
  planned: null,
  confirmed: false,
  started: null,
  grant: null,
  state: 'PLANNING',
  phase: null,
  round: 0,
  last_complete_phase: null,
  rounds: [],
  synthesis: { rows: [], seat: EMPTY_SEAT, open: 0, skipped: false },
  last_research: null,
  blocked: null,
  blocked_later: [],
  pending: null,
  decisions_asked: 0,
  answer: null,
  recovered_round: 0,
  answered: [],
  iterations_spent: 0,
  busy: { spent_ms: 0, since_ms: 0, until_ms: 0 },
  cost_spent: '0',
  outcome: null,
  target_met: false,
  artifacts: new Map(),
  stale_results: 0,
  duplicate_results: 0,
  closing: { ended: false, receipt: null },
};

/** The round under way, or null before the first. */
export function currentRound(state: State): Round | null {
  return state.rounds[state.round - 1] ?? null;
}

/** Whether the conference has ended: nothing but closing events and late results may follow (01 State). */
export function isFinal(state: State): boolean {
  return (
    state.state === 'COMPLETE' ||
    state.state === 'CANCELLED' ||
    (state.state === 'BUDGET_STOP' && !hasReviewedEvidence(state))
  );
}

/** A live state is one that can still be blocked, cancelled or stopped: PLANNING to SYNTHESIZING (01 State). */
export function isLive(state: State): boolean {
  return (
    state.state !== 'COMPLETE' &&
    state.state !== 'CANCELLED' &&
    state.state !== 'BUDGET_STOP' &&
    state.state !== 'BLOCKED'
  );
}

/** Whether any claim or measurement was validated by a review of a completed round (01 Evidence). */
export function hasReviewedEvidence(state: State): boolean {
  return state.rounds.some(
    (round) =>
      round.reviewed &&
      round.rows.some(
        (row) => row.claim_verdicts.includes('validated') || row.measurement_verdicts.includes('validated'),
      ),
  );
}

/** Every dispatch of the conference in order of issue. */
export function* allRows(state: State): Generator<DispatchRow> {
  for (const round of state.rounds) yield* round.rows;
  yield* state.synthesis.rows;
}

/** The row of a dispatch id, newest round first, or null for an unknown id. */
export function findRow(state: State, dispatchId: string): DispatchRow | null {
  for (const row of state.synthesis.rows) if (row.dispatch_id === dispatchId) return row;
  for (let index = state.rounds.length - 1; index >= 0; index -= 1) {
    for (const row of state.rounds[index]?.rows ?? []) if (row.dispatch_id === dispatchId) return row;
  }
  return null;
}

/** Number of dispatches that are out. */
export function openDispatches(state: State): number {
  return (currentRound(state)?.open ?? 0) + state.synthesis.open;
}

/** The rows that are out, in order of issue. */
export function openRows(state: State): DispatchRow[] {
  const rows = [...(currentRound(state)?.rows ?? []), ...state.synthesis.rows];
  return rows.filter((row) => row.state === 'dispatched');
}
