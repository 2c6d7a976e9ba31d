/**
 * The closed word lists of the protocol, free of any schema library so that code which only folds or
 * prints pays nothing for them. Each list is a const tuple; its union type has the same name.
 */

/** Source 000 §1. A conference is in exactly one of them at every moment. */
export const CONFERENCE_STATES = [
  'PLANNING',
  'CONFIRMED',
  'DISPATCHING',
  'COLLECTING',
  'REVIEWING',
  'SYNTHESIZING',
  'COMPLETE',
  'BLOCKED',
  'CANCELLED',
  'BUDGET_STOP',
] as const;
export type ConferenceState = (typeof CONFERENCE_STATES)[number];

/** "Any state" of the sources: the states a conference can still be blocked, cancelled or stopped in (01 State). */
export const LIVE_STATES = [
  'PLANNING',
  'CONFIRMED',
  'DISPATCHING',
  'COLLECTING',
  'REVIEWING',
  'SYNTHESIZING',
] as const satisfies readonly ConferenceState[];
export type LiveState = (typeof LIVE_STATES)[number];

/** What the open dispatches are for (01 State and phase). */
export const PHASES = ['research', 'poster', 'review', 'transfer', 'synthesis'] as const;
export type Phase = (typeof PHASES)[number];

export const ROLES = ['researcher', 'poster', 'reviewer', 'synthesis'] as const;
export type Role = (typeof ROLES)[number];

/** Source 000 §2. The last four are terminal and are never left. */
export const DISPATCH_STATES = ['dispatched', 'received', 'failed', 'timed_out', 'cancelled'] as const;
export type DispatchState = (typeof DISPATCH_STATES)[number];

export const PACKET_STATUSES = ['completed', 'blocked', 'failed'] as const;
export type PacketStatus = (typeof PACKET_STATUSES)[number];

export const CONFIDENCES = ['low', 'medium', 'high'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** From best to worst: of several verdicts on one ref the last of them counts (02 Packets). */
export const VERDICTS = ['validated', 'challenged', 'overturned'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const HYPOTHESIS_VERDICTS = ['supported', 'falsified', 'unresolved'] as const;
export type HypothesisVerdict = (typeof HYPOTHESIS_VERDICTS)[number];

export const MODES = ['metric', 'qualitative'] as const;
export type Mode = (typeof MODES)[number];

export const DIRECTIONS = ['maximize', 'minimize'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** `core` is the contract's evaluation order, `guide` the convergence guide's (01 Convergence, settled conflict). */
export const ORDERS = ['core', 'guide'] as const;
export type Order = (typeof ORDERS)[number];

/** Who drives the root (03 Ledger, `conference.started`). */
export const DRIVERS = ['run', 'stepwise', 'mcp', 'embedded'] as const;
export type Driver = (typeof DRIVERS)[number];

/** How a conference ended, or `CONTINUE`. `STOPPED_BY_USER` is a decision answered with `stop`. */
export const OUTCOMES = [
  'CONTINUE',
  'CONVERGED',
  'CONVERGED_PLATEAU',
  'STALLED',
  'BUDGET_STOP',
  'CANCELLED',
  'STOPPED_BY_USER',
  'BLOCKED_NO_VALID_PACKET',
] as const;
export type Outcome = (typeof OUTCOMES)[number];
