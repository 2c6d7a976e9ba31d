/**
 * The transition table (01 State and phase), to be laid beside the source line by line, and the one maker of
 * `state.transitioned` events. A transition that is not in the table cannot be made.
 */
import {
  canonicalJson,
  digestOf,
  type ConferenceEvent,
  type ConferenceState,
  type Digest,
  type DispatchId,
  type Phase,
} from '@x/protocol';
import { currentRound, openRows, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';

const LIVE = ['PLANNING', 'CONFIRMED', 'DISPATCHING', 'COLLECTING', 'REVIEWING', 'SYNTHESIZING'] as const;
const BEFORE_SYNTHESIS = ['PLANNING', 'CONFIRMED', 'DISPATCHING', 'COLLECTING', 'REVIEWING'] as const;

interface TransitionRow {
  readonly from: readonly ConferenceState[];
  readonly to: ConferenceState;
  readonly when: string;
}

export const TRANSITIONS: readonly TransitionRow[] = [
  { from: ['PLANNING'], to: 'CONFIRMED', when: 'the plan is confirmed by its digest, both gates satisfied' },
  { from: ['CONFIRMED'], to: 'DISPATCHING', when: 'round 1 opens' },
  { from: ['DISPATCHING'], to: 'COLLECTING', when: 'every research charter of the round is issued' },
  { from: ['COLLECTING'], to: 'COLLECTING', when: 'research becomes poster: every research id is terminal' },
  {
    from: ['COLLECTING'],
    to: 'REVIEWING',
    when: 'the poster id is terminal and the review charter is issued',
  },
  { from: ['REVIEWING'], to: 'DISPATCHING', when: 'review accepted, transfer done, the next round approved' },
  { from: ['REVIEWING'], to: 'SYNTHESIZING', when: 'a stop rule other than hard_budget won' },
  { from: ['SYNTHESIZING'], to: 'COMPLETE', when: 'synthesis accepted, or the user completes without one' },
  {
    from: [...LIVE, 'BLOCKED'],
    to: 'CANCELLED',
    when: 'the user cancels, or stops without reviewed evidence',
  },
  {
    from: [...BEFORE_SYNTHESIS, 'BLOCKED'],
    to: 'SYNTHESIZING',
    when: 'the user stops with reviewed evidence',
  },
  { from: BEFORE_SYNTHESIS, to: 'BUDGET_STOP', when: 'time or cost budget reached, or hard_budget won' },
  { from: LIVE, to: 'BLOCKED', when: 'one of the four BLOCKED_ codes' },
  { from: ['BUDGET_STOP'], to: 'SYNTHESIZING', when: 'reviewed evidence exists' },
  { from: ['BLOCKED'], to: 'DISPATCHING', when: 'no valid packet: the user redispatches the lanes' },
  { from: ['BLOCKED'], to: 'PLANNING', when: 'the user decides to go back to the state before' },
  { from: ['BLOCKED'], to: 'CONFIRMED', when: 'the user decides to go back to the state before' },
  { from: ['BLOCKED'], to: 'COLLECTING', when: 'the user decides to go back to the state before' },
  { from: ['BLOCKED'], to: 'REVIEWING', when: 'the user decides to go back to the state before' },
];

/** Whether the table has such a row. */
export function isTransition(from: ConferenceState, to: ConferenceState): boolean {
  return TRANSITIONS.some((row) => row.to === to && row.from.includes(from));
}

/** SHA-256 over the canonical JSON of the sorted content digests of the round's accepted packets (03 Ledger). */
export function evidenceDigest(state: State): Digest {
  const digests = (currentRound(state)?.rows ?? []).flatMap(({ content_digest }) => content_digest ?? []);
  return digestOf(canonicalJson(digests.toSorted()));
}

/** The event of a transition. `phase` is what the open dispatches of the next state are for. */
export function transitionEvent(
  state: State,
  now: number,
  to: {
    readonly state: ConferenceState;
    readonly phase: Phase | null;
    readonly round?: number;
    readonly reason: string;
    /** Default: the dispatches that are out. */
    readonly dispatch_ids?: readonly DispatchId[];
  },
): ConferenceEvent {
  if (!isTransition(state.state, to.state))
    throw new Error(`no transition from ${state.state} to ${to.state}`);
  return {
    event: 'state.transitioned',
    timestamp: toTimestamp(now),
    payload: {
      previous_state: state.state,
      next_state: to.state,
      round: to.round ?? state.round,
      phase: to.phase,
      dispatch_ids: [...(to.dispatch_ids ?? openRows(state).map(({ dispatch_id }) => dispatch_id))],
      evidence_digest: evidenceDigest(state),
      reason: to.reason,
    },
  };
}
