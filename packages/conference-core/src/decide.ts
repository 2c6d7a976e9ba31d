/**
 * decide(state, command): only what the command itself establishes, or a refusal (design "The Decider").
 *
 * Consequences are `settle`'s. `step` is what a root calls: clock first (C6), then the command, then every consequence,
 * all of it one group commit.
 */
import type { ConferenceEvent } from '@x/protocol';
import type { Command } from './commands/command.ts';
import { decideIssue } from './commands/issue.ts';
import { decideFail, decideResult } from './commands/result.ts';
import { decideAttach, decideConfirm, decideGrant, decidePlan, decideRevoke } from './commands/start.ts';
import {
  decideAnswer,
  decideBlock,
  decideCancel,
  decideClose,
  decideInspect,
  decideWritten,
} from './commands/steer.ts';
import { evolve } from './evolve.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { settle } from './settle.ts';
import type { State } from './state.ts';

/**
 * The events of one command. Never throws on bad input; a refusal changes nothing.
 * @param now milliseconds, not earlier than the last event
 */
export function decide(state: State, command: Command, now: number): ConferenceEvent[] | Refusal {
  switch (command.command) {
    case 'plan':
      return decidePlan(state, command, now);
    case 'grant':
      return decideGrant(state, command, now);
    case 'revoke_grant':
      return decideRevoke(state, command, now);
    case 'confirm':
      return decideConfirm(state, command, now);
    case 'attach':
      return decideAttach(state, command, now);
    case 'issue':
      return decideIssue(state, command, now);
    case 'result':
      return decideResult(state, command, now);
    case 'fail':
      return decideFail(state, command, now);
    case 'expire':
      return [];
    case 'answer':
      return decideAnswer(state, command, now);
    case 'cancel':
      return decideCancel(state, command, now);
    case 'written':
      return decideWritten(state, command, now);
    case 'block':
      return decideBlock(state, command, now);
    case 'inspect':
      return decideInspect(state, command, now);
    case 'close':
      return decideClose(state, now);
  }
}

/** Events and the state after them. */
export interface Step {
  readonly events: readonly ConferenceEvent[];
  readonly state: State;
}

/** Consequences of one command: bounded by what can be open at once, and far above it. */
export const CONSEQUENCES_MAX = 100_000;

/** Settles a state at a time: every missing consequence, in order (design C1). */
export function settleAll(state: State, now: number): Step {
  const events: ConferenceEvent[] = [];
  let next = state;
  for (let count = 0; count < CONSEQUENCES_MAX; count += 1) {
    const event = settle(next, now);
    if (event === null) return { events, state: next };
    events.push(event);
    next = evolve(next, event);
  }
  throw new Error(`more than ${CONSEQUENCES_MAX} consequences of one command`);
}

/**
 * One command with its consequences: first the clock, then the command, then what follows from it.
 * A refusal leaves nothing behind, the clock's events included: the next command finds them again.
 */
export function step(state: State, command: Command, clockMs: number): Step | Refusal {
  const now = Math.max(clockMs, state.head_ms);
  // A recovery receipt is of the ledger as it stands: were the clock booked first, a round would go on without the lanes
  // that the receipt asks about (01 Recovery).
  const before = command.command === 'inspect' ? { events: [], state } : settleAll(state, now);
  const decided = decide(before.state, command, now);
  if (isRefusal(decided)) return decided;
  const middle = decided.reduce(evolve, before.state);
  const after = settleAll(middle, now);
  return { events: [...before.events, ...decided, ...after.events], state: after.state };
}

/** The state that a ledger folds to. */
export function fold(events: Iterable<ConferenceEvent>, from: State): State {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}
