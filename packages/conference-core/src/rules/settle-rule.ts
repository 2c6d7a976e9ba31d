/** One internal consequence: looked for in order, at most one event at a time (design "The Decider"). */
import type { ConferenceEvent } from '@x/protocol';
import type { Planned, State } from '../state.ts';

/** What every rule is given: a planned conference and the time it is settled at, milliseconds. */
export interface Settling {
  readonly state: State;
  readonly planned: Planned;
  readonly now: number;
}

export interface SettleRule {
  readonly id: string;
  readonly source: string;
  /** Whether it acts while a decision is pending or the conference is BLOCKED: then only accounting goes on. */
  readonly whilePending: boolean;
  readonly next: (settling: Settling) => ConferenceEvent | null;
}
