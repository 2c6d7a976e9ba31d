/** The one place that appends: a step of the core, then one group commit, then the state moves (design "Ledger"). */
import type { ConferenceEvent } from '@x/protocol';
import type { Command } from '../commands/command.ts';
import { step } from '../decide.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { State } from '../state.ts';
import type { Clock, LedgerPort, LedgerRefused, Recorded } from './ports.ts';

/** What became of one command. */
export type Executed =
  | { readonly status: 'done'; readonly events: readonly Recorded[] }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  /** The ledger refused: nothing of it is recorded and the state is where it was. */
  | { readonly status: 'not_recorded'; readonly trouble: LedgerRefused };

export interface Committed {
  readonly state: State;
  readonly executed: readonly Executed[];
}

/**
 * Carries out some commands as one group: one write, one sync. A refused command leaves the others as they are;
 * a ledger that refuses leaves all of them undone.
 */
export function commit(
  state: State,
  commands: readonly Command[],
  { ledger, clock }: { readonly ledger: LedgerPort; readonly clock: Clock },
): Committed {
  const entries: ConferenceEvent[] = [];
  const outcomes: (Refusal | { readonly from: number; readonly to: number })[] = [];
  let next = state;
  for (const command of commands) {
    const stepped = step(next, command, clock.now(command));
    if (isRefusal(stepped)) {
      outcomes.push(stepped);
      continue;
    }
    const from = entries.length;
    for (const event of stepped.events) entries.push(event);
    outcomes.push({ from, to: entries.length });
    next = stepped.state;
  }
  const recorded = record(entries, ledger);
  if ('status' in recorded) {
    const executed = outcomes.map((outcome): Executed =>
      isRefusal(outcome)
        ? { status: 'refused', refusal: outcome }
        : { status: 'not_recorded', trouble: recorded },
    );
    return { state, executed };
  }
  const executed = outcomes.map((outcome): Executed =>
    isRefusal(outcome)
      ? { status: 'refused', refusal: outcome }
      : { status: 'done', events: recorded.slice(outcome.from, outcome.to) },
  );
  return { state: next, executed };
}

function record(entries: readonly ConferenceEvent[], ledger: LedgerPort): Recorded[] | LedgerRefused {
  if (entries.length === 0) return [];
  const appended = ledger.append(ledger.head, entries);
  if (appended.status === 'refused') return appended;
  return entries.map((entry, index) => {
    const { seq, digest } = appended.records[index] ?? { seq: 0, digest: '' };
    // The maker of the brand: the append has just returned.
    return { ...entry, seq, digest } as Recorded;
  });
}
