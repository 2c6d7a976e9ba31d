/** Poster and review: one comparison, one adversarial judgement, each asked about when it fails (000 §4). */
import type { ConferenceEvent } from '@x/protocol';
import { isTerminal, type DispatchRow } from '../dispatch-row.ts';
import { rowOf } from '../round.ts';
import { currentRound } from '../state.ts';
import { toTimestamp } from '../time.ts';
import { askEvent } from './pending-decisions.ts';
import type { SettleRule } from './settle-rule.ts';
import { transitionEvent } from './transition.ts';

/** A dispatch that ended otherwise than received. */
export function failed(row: DispatchRow | null): row is DispatchRow {
  return row !== null && isTerminal(row) && row.state !== 'received';
}

export const closePoster: SettleRule = {
  id: 'close_poster',
  source: '000 §4; 01 Dispatch accounting',
  whilePending: false,
  next: ({ state, planned, now }) => {
    const round = currentRound(state);
    if (state.state !== 'COLLECTING' || state.phase !== 'poster' || round === null) return null;
    const poster = rowOf(round.rows, round.poster);
    if (round.poster_recorded || (!round.poster_skipped && poster?.state !== 'received')) {
      if (round.poster_recorded || !failed(poster)) return null;
      return askEvent(state, now, { planned, kind: 'poster_failed', about: [poster.dispatch_id] });
    }
    return {
      event: 'round.poster_session',
      timestamp: toTimestamp(now),
      payload: {
        round: round.round,
        dispatch_id: round.poster_skipped ? null : (poster?.dispatch_id ?? null),
      },
    };
  },
};

export const beginReview: SettleRule = {
  id: 'begin_review',
  source: '01 State and phase',
  whilePending: false,
  next: ({ state, now }) => {
    const round = currentRound(state);
    if (state.state !== 'COLLECTING' || state.phase !== 'poster' || round === null) return null;
    if (!round.poster_recorded || round.review.row === null) return null;
    const reason = `the review charter of round ${round.round} is issued`;
    return transitionEvent(state, now, { state: 'REVIEWING', phase: 'review', reason });
  },
};

export const closeReview: SettleRule = {
  id: 'close_review',
  source: '000 §4; 01 Dispatch accounting',
  whilePending: false,
  next: ({ state, planned, now }) => {
    const round = currentRound(state);
    if (state.state !== 'REVIEWING' || state.phase !== 'review' || round === null) return null;
    const review = rowOf(round.rows, round.review);
    if (review?.state === 'received') return peerReview(review, now);
    if (!failed(review)) return null;
    return askEvent(state, now, { planned, kind: 'review_failed', about: [review.dispatch_id] });
  },
};

function peerReview(review: DispatchRow, now: number): ConferenceEvent {
  const verdicts = review.facts?.status === 'blocked' ? [] : (review.facts?.verdicts ?? []);
  const count = (verdict: string): number => verdicts.filter((fact) => fact.verdict === verdict).length;
  return {
    event: 'round.peer_review',
    timestamp: toTimestamp(now),
    payload: {
      round: review.round,
      dispatch_id: review.dispatch_id,
      validated_count: count('validated'),
      challenged_count: count('challenged'),
      overturned_count: count('overturned'),
    },
  };
}
