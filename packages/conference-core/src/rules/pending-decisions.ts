/**
 * Wherever a source says "ask": one row a kind, with the question and what each option leads to (01 Asking).
 * No option is a default.
 */
import type { ConferenceEvent, Decision, DecisionKind, DecisionOption, DispatchId } from '@x/protocol';
import { allowanceAgain } from '../budget/iterations.ts';
import { decisionIdFor } from '../plan/ids.ts';
import { laneRows } from '../round.ts';
import { currentRound, hasReviewedEvidence, type Planned, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';

type Option = Decision['options'][number];

interface DecisionRow {
  readonly question: (state: State) => string;
  readonly options: (state: State) => readonly Option[];
  readonly source: string;
}

const stop = (state: State): Option => ({
  id: 'stop',
  label: 'Stop here',
  consequence: hasReviewedEvidence(state)
    ? 'open dispatches are cancelled and what was reviewed goes to synthesis'
    : 'open dispatches are cancelled and the conference ends CANCELLED, for nothing was reviewed yet',
});

/** A synthesis under way has nothing left to stop: it ends, or the conference is cancelled (01 State and phase). */
const stopUnlessSynthesizing = (state: State): Option[] =>
  state.blocked?.from?.state === 'SYNTHESIZING' ? [] : [stop(state)];

const option = (id: DecisionOption, label: string, consequence: string): Option => ({
  id,
  label,
  consequence,
});

const roleAgain = (role: string): Option =>
  option(
    'redispatch',
    `Send the ${role} charter again`,
    `a new ${role} dispatch under a new id; the old id stays as it ended`,
  );

/** Lanes again, where at least one iteration each is left. */
function lanesAgain(state: State, lanes: number, which: string): Option[] {
  const plan = state.planned?.plan;
  const iteration_allowance = currentRound(state)?.iteration_allowance ?? 0;
  const allowance =
    plan === undefined ? 0 : allowanceAgain(plan, state.iterations_spent, { lanes, iteration_allowance });
  if (allowance === 0) return [];
  return [
    option(
      'redispatch',
      `Send ${which} again`,
      `${lanes} new research dispatches under new ids, ${allowance} iterations each from the remaining budget`,
    ),
  ];
}

function failedLanes(state: State): number {
  const round = currentRound(state);
  return round === null
    ? 0
    : laneRows(round).filter((row) => row !== null && row.state !== 'received').length;
}

export const PENDING_DECISIONS: Readonly<Record<Exclude<DecisionKind, 'recovery'>, DecisionRow>> = {
  evidence_missing: {
    source: '000 §4; 01 Dispatch accounting',
    question: (state) => `${failedLanes(state)} lanes of round ${state.round} brought no packet. What now?`,
    options: (state) => [
      ...lanesAgain(state, failedLanes(state), 'the failed lanes'),
      option(
        'continue',
        'Go on with what came',
        'poster and review follow; the missing lanes are recorded as a limitation',
      ),
      stop(state),
    ],
  },
  no_valid_packet: {
    source: '001 Convergence and stop rules; 01 State and phase',
    question: (state) => `No lane of round ${state.round} gave a valid packet. What now?`,
    options: (state) => [
      ...lanesAgain(state, currentRound(state)?.lanes.length ?? 0, 'all lanes'),
      stop(state),
    ],
  },
  replay_conflict: {
    source: '000 §2; 01 State and phase',
    question: (state) =>
      `A second packet with other bytes came for dispatch ${state.blocked?.dispatch_id ?? 'unknown'}. Keep the first?`,
    options: (state) => [
      option(
        'keep_first',
        'Keep the first packet',
        'the second is left out of the evidence and the conference goes on',
      ),
      ...stopUnlessSynthesizing(state),
    ],
  },
  poster_failed: {
    source: '01 Dispatch accounting',
    question: (state) => `The poster of round ${state.round} failed. What now?`,
    options: (state) => [
      roleAgain('poster'),
      option(
        'skip',
        'Review without a poster',
        'the reviewer gets the research packets alone; recorded as a limitation',
      ),
      stop(state),
    ],
  },
  review_failed: {
    source: '01 Dispatch accounting',
    question: (state) =>
      `The review of round ${state.round} failed. Nothing of the round counts without one. What now?`,
    options: (state) => [roleAgain('reviewer'), stop(state)],
  },
  synthesis_failed: {
    source: '01 Dispatch accounting',
    question: () => 'The synthesis failed. What now?',
    options: () => [
      roleAgain('synthesis'),
      option(
        'complete_without',
        'Complete without one',
        'the report is made from the reviewed evidence alone; recorded as a limitation',
      ),
    ],
  },
  pause: {
    source: '01 Budgets',
    question: (state) => `Round ${state.round} is reviewed. Begin round ${state.round + 1}?`,
    options: (state) => [
      option('continue', `Begin round ${state.round + 1}`, 'the next round is dispatched'),
      stop(state),
    ],
  },
  multi_agent_unavailable: {
    source: '001 Capability gate; 01 State and phase',
    question: () => 'The host offers no delegate_task, and children are never simulated. What now?',
    options: (state) => [
      option('retry', 'Try the gate again', 'the host is asked again; nothing has been dispatched by this'),
      ...stopUnlessSynthesizing(state),
    ],
  },
  stale_state: {
    source: '000 §6; 01 Recovery',
    question: (state) => `${state.blocked?.reason ?? 'The files differ from the ledger.'} What now?`,
    options: () => [
      option(
        'revalidate',
        'Revalidate',
        'packets are checked again, artifacts are written again from the ledger over what stands there, conference.md is taken as it is now; then the conference goes on from the state before',
      ),
      option('restart', 'Restart', 'this conference ends CANCELLED; a new one starts from the start gate'),
    ],
  },
};

/** The event that asks. The id is derived, so a read-only caller can name it before it is recorded. */
export function askEvent(
  state: State,
  now: number,
  ask: {
    readonly planned: Planned;
    readonly kind: Exclude<DecisionKind, 'recovery'>;
    readonly about?: readonly DispatchId[];
  },
): ConferenceEvent {
  const row = PENDING_DECISIONS[ask.kind];
  const number = state.decisions_asked + 1;
  return {
    event: 'decision.asked',
    timestamp: toTimestamp(now),
    payload: {
      decision_id: decisionIdFor(ask.planned, { kind: ask.kind, round: state.round, number }),
      kind: ask.kind,
      ...(state.round === 0 ? {} : { round: state.round }),
      question: row.question(state),
      options: [...row.options(state)],
      dispatch_ids: [...(ask.about ?? [])],
    },
  };
}
