/** After an accepted review: write, evaluate, complete the round, and go where the winning rule says (000 §4, 001 Phase 4). */
import type { ConferenceEvent, Plan } from '@x/protocol';
import { owedArtifacts } from '../artifacts/owed.ts';
import { convergenceConfigOf, roundInput } from '../convergence-input.ts';
import { judgeConvergence } from '../convergence/evaluate.ts';
import { foldRound, type RoundFacts } from '../convergence/round-facts.ts';
import type { Round } from '../round.ts';
import { currentRound, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { timeSpentMs } from './accounting.ts';
import { askEvent } from './pending-decisions.ts';
import type { SettleRule } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

function inTransfer(state: State): Round | null {
  return state.state === 'REVIEWING' && state.phase === 'transfer' ? currentRound(state) : null;
}

export const evaluate: SettleRule = {
  id: 'evaluate',
  source: '01 Convergence',
  whilePending: false,
  next: ({ state, planned: { plan }, now }) => {
    const round = inTransfer(state);
    if (round === null || round.record !== null || owedArtifacts(state).length > 0) return null;
    const facts = roundFacts(state, plan, now);
    const { outcome, winner, target_met, rules, round_bests } = judgeConvergence(convergenceConfigOf(plan), {
      cancelled: false,
      rounds: facts,
    });
    return {
      event: 'convergence.evaluated',
      timestamp: toTimestamp(now),
      payload: {
        round: round.round,
        record: { outcome, winner, target_met, rules: [...rules], round_bests: [...round_bests] },
      },
    };
  },
};

/** Facts of all rounds so far; a later review may have changed an earlier round, so none is remembered. */
function roundFacts(state: State, plan: Plan, now: number): RoundFacts[] {
  const config = convergenceConfigOf(plan);
  const totals = { iterations_spent: state.iterations_spent, elapsed_ms: timeSpentMs(state, now) };
  return state.rounds.map((own) =>
    foldRound(config, roundInput(state, own, own.record === null ? totals : own)),
  );
}

export const completeRound: SettleRule = {
  id: 'complete_round',
  source: '03 Ledger',
  whilePending: false,
  next: ({ state, planned: { plan }, now }) => {
    const round = inTransfer(state);
    if (round === null || round.record === null || round.completed) return null;
    return {
      event: 'round.completed',
      timestamp: toTimestamp(now),
      payload: {
        round: round.round,
        best_metric: round.record.round_bests.at(-1) ?? null,
        best_researcher: bestLane(state, round, plan),
        converged: round.record.outcome === 'CONVERGED' || round.record.outcome === 'CONVERGED_PLATEAU',
      },
    };
  },
};

function bestLane(state: State, round: Round, plan: Plan): string | null {
  const facts = foldRound(convergenceConfigOf(plan), roundInput(state, round, round));
  return facts.metric?.best?.lane ?? facts.scores?.highest?.lane ?? null;
}

export const afterRound: SettleRule = {
  id: 'after_round',
  source: '001 Convergence and stop rules; 01 State and phase',
  whilePending: false,
  next: ({ state, planned, now }): ConferenceEvent | null => {
    const round = inTransfer(state);
    if (round === null || !round.completed || round.record === null) return null;
    const { winner, outcome } = round.record;
    if (winner === null) {
      const { pause_every } = planned.plan;
      if (pause_every > 0 && round.round % pause_every === 0 && !round.pause_answered) {
        return askEvent(state, now, { planned, kind: 'pause' });
      }
      const reason = `no stop rule held after round ${round.round}`;
      return transitionEvent(state, now, {
        state: 'DISPATCHING',
        phase: 'research',
        round: round.round + 1,
        reason,
      });
    }
    const reason = `rule ${winner} held after round ${round.round}: ${outcome}`;
    return winner === 'hard_budget'
      ? transitionEvent(state, now, { state: 'BUDGET_STOP', phase: null, reason })
      : transitionEvent(state, now, { state: 'SYNTHESIZING', phase: 'synthesis', reason });
  },
};
