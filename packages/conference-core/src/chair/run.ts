/**
 * runConference: the only loop. It does what `nextActions` says, one turn at a time, until the conference is done or
 * somebody must be asked (design "The Chair").
 *
 * N1 Results come as messages; nothing polls, and no elapsed time counts as progress.
 * N2 A signal stops resumably: what is recorded stays, children are ended, nothing is cancelled by it.
 */
import { capabilitySchema, firstIssue, type Decision, type DecisionOption } from '@x/protocol';
import type { Action } from '../next-actions.ts';
import type { Proposal } from '../proposals.ts';
import { budgetEndMs } from '../rules/accounting.ts';
import { isFinal, openDispatches, openRows } from '../state.ts';
import { createAsking, type Asking } from './asking.ts';
import { book } from './book.ts';
import type { Chair, IssueOutcome } from './chair.ts';
import type { Executed } from './commit.ts';
import { writeArtifact, type Trouble } from './housekeeping.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { ArtifactPort, Asker, DelegateHost, RecordedEnd } from './ports.ts';
import { troubleIn, type RunEnd } from './run-end.ts';

export interface RunPorts {
  readonly host: DelegateHost;
  readonly asker: Asker;
  /** Null without a grant: nothing touches the disk. */
  readonly artifacts: ArtifactPort | null;
  readonly signal: AbortSignal;
  readonly driver: 'run' | 'embedded';
  /**
   * Compares the files with the ledger again, restores what is ours, and records the answer `revalidate` (01 State and
   * phase, STALE); null: done. Without it the answer alone is recorded: for a root whose files are elsewhere, or nowhere.
   */
  readonly revalidate?: (answeredBy: string) => Promise<Trouble | null>;
  /** Called when a host acknowledged: shown, never counted as a result. */
  readonly acknowledged?: (dispatchId: string) => void;
}

/** Messages that can wait between two turns; a host that sends more is told by none being lost: they queue in memory. */
export const TURN_MESSAGES_MAX = 1_024;

/** Runs until done, asked, interrupted or in trouble. Always closes the host; never rejects for what a child sends. */
export async function runConference(chair: Chair, ports: RunPorts): Promise<RunEnd> {
  const inbox = createInbox();
  const { host } = ports;
  const asking = createAsking(ports.asker, inbox.wake);
  // Children end with their dispatch, whoever ended it: the clock, the user, a budget.
  chair.observe((event) => {
    if (event.event === 'dispatch.cancelled' || event.event === 'dispatch.timed_out') {
      // The Chair gives only recorded events to its observers.
      host.cancel(event as RecordedEnd);
    }
  });
  try {
    const gate = await passGate(chair, ports);
    if ('end' in gate) return gate;
    host.attach(
      inbox.push,
      openRows(chair.state).map(({ dispatch_id }) => dispatch_id),
    );
    return await loop(chair, ports, { inbox, asking, slots: gate.slots });
  } finally {
    asking.stop();
    await host.close();
  }
}

/** The capability gate (001): what the host lacks is recorded, and blocks before anything is sent. */
async function passGate(chair: Chair, { host, driver }: RunPorts): Promise<{ slots: number } | RunEnd> {
  const offered = capabilitySchema.safeParse(await host.capability());
  if (!offered.success) {
    const { path, expected } = firstIssue(offered.error);
    const message = `the host ${host.name} says of itself what no host can be: ${path}: ${expected}`;
    return { end: 'trouble', code: 'CAPABILITY_INVALID', message };
  }
  const capability = offered.data;
  const attached = chair.execute({
    command: 'attach',
    driver,
    host: host.name,
    capability,
    temporary_roots: host.temporaryRoots,
  });
  return troubleIn(attached) ?? { slots: capability.slots };
}

interface Loop {
  readonly inbox: Inbox;
  readonly asking: Asking;
  readonly slots: number;
}

async function loop(chair: Chair, ports: RunPorts, start: Loop): Promise<RunEnd> {
  const { signal } = ports;
  const { inbox, asking } = start;
  let { slots } = start;
  for (;;) {
    if (signal.aborted) return { end: 'interrupted' };
    const messages = inbox.take(TURN_MESSAGES_MAX);
    if (messages.length > 0) {
      const trouble = await book(chair, messages, ports);
      if (trouble !== null) return trouble;
      continue;
    }
    const free = Math.max(0, slots - openDispatches(chair.state));
    // What the clock alone brings about is booked before anything is decided on.
    const ticked = troubleIn(chair.execute({ command: 'expire' }));
    if (ticked !== null) return ticked;
    const turn = await act(chair, { ...ports, asking }, chair.actions(free));
    if (turn.kind === 'end') return turn.end;
    if (turn.kind === 'gate') {
      const gate = await passGate(chair, ports);
      if ('end' in gate) return gate;
      ({ slots } = gate);
      continue;
    }
    if (turn.kind === 'acted') continue;
    await waitForMore({ chair, inbox, until: turn.until_ms, signal });
  }
}

type Turn =
  | { readonly kind: 'acted' }
  /** The host is to be asked again what it can. */
  | { readonly kind: 'gate' }
  | { readonly kind: 'end'; readonly end: RunEnd }
  | { readonly kind: 'wait'; readonly until_ms: number };

const ACTED: Turn = { kind: 'acted' };

type ActPorts = RunPorts & { readonly asking: Asking };

/** Does the first kind of work that is outstanding. */
async function act(chair: Chair, ports: ActPorts, actions: readonly Action[]): Promise<Turn> {
  if (isFinal(chair.state) && openDispatches(chair.state) === 0 && chair.state.closing.receipt === null) {
    // Temporary roots go before the report that says so (01 State, "End of a conference").
    await ports.host.close();
  }
  const proposals: Proposal[] = [];
  let until_ms: number | null = null;
  for (const action of actions) {
    switch (action.action) {
      case 'done':
        return { kind: 'end', end: { end: 'done', outcome: action.outcome, target_met: action.target_met } };
      case 'plan':
      case 'confirm':
        return { kind: 'end', end: { end: 'unconfirmed' } };
      case 'write':
        return write(chair, ports, action.path);
      case 'close':
        return asTurn(chair.execute({ command: 'close' }));
      case 'ask': {
        // Not awaited: an answer that came between asking and looking would be taken for nobody's.
        const option = ports.asking.about(action.decision);
        if (option !== null) return answer(chair, ports, { decision: action.decision, option });
        break;
      }
      case 'issue':
        proposals.push(action.proposal);
        break;
      case 'wait':
        until_ms = action.until_ms;
        break;
      case 'start':
        return { kind: 'gate' };
    }
  }
  if (proposals.length > 0) return issue(chair, ports, proposals);
  if (until_ms !== null) return { kind: 'wait', until_ms };
  const { pending } = chair.state;
  if (pending !== null) {
    // Somebody is thinking about it, or nobody here can.
    return ports.asking.isOpen(pending.decision_id)
      ? { kind: 'wait', until_ms: Infinity }
      : { kind: 'end', end: { end: 'asked', decision: pending } };
  }
  throw new Error(`nothing to do in state ${chair.state.state}`);
}

function asTurn(executed: Executed): Turn {
  const end = troubleIn(executed);
  return end === null ? ACTED : { kind: 'end', end };
}

function write(chair: Chair, ports: RunPorts, path: string): Turn {
  return asTurnOf(writeArtifact(chair, ports.artifacts, path));
}

function asTurnOf(trouble: Trouble | null): Turn {
  return trouble === null ? ACTED : { kind: 'end', end: { end: 'trouble', ...trouble } };
}

interface Chosen {
  readonly decision: Decision;
  readonly option: DecisionOption;
}

/** Takes the answer that came. */
async function answer(chair: Chair, ports: ActPorts, { decision, option }: Chosen): Promise<Turn> {
  if (decision.kind === 'stale_state' && option === 'revalidate' && ports.revalidate !== undefined) {
    return asTurnOf(await ports.revalidate(ports.asker.name));
  }
  const { decision_id } = decision;
  const turn = asTurn(
    chair.execute({ command: 'answer', decision_id, option, answered_by: ports.asker.name }),
  );
  return turn.kind === 'acted' && option === 'retry' ? { kind: 'gate' } : turn;
}

async function issue(chair: Chair, ports: RunPorts, proposals: readonly Proposal[]): Promise<Turn> {
  const outcome: IssueOutcome = await chair.issue(proposals);
  switch (outcome.status) {
    case 'issued':
      for (const { event, sent } of outcome.issued) ports.host.delegate(event, sent);
      return ACTED;
    case 'moved':
      return ACTED;
    case 'secret':
      return { kind: 'end', end: { end: 'trouble', code: 'CHARTER_SECRET', message: outcome.message } };
    case 'not_recorded': {
      const { code, message } = outcome.trouble;
      return { kind: 'end', end: { end: 'trouble', code, message } };
    }
  }
}

/** Until a message, the earliest deadline, a reached time budget, or a signal. */
async function waitForMore(input: {
  readonly chair: Chair;
  readonly inbox: Inbox;
  readonly until: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { chair, inbox, until, signal } = input;
  const stop = new AbortController();
  const relay = (): void => stop.abort();
  signal.addEventListener('abort', relay, { once: true });
  const plan = chair.state.planned?.plan;
  const wakeAt = Math.min(until, plan === undefined ? Infinity : budgetEndMs(chair.state, plan));
  const changed = new Promise<void>((resolve) => chair.onceChanged(stop.signal, resolve));
  await Promise.race([
    inbox.arrival(stop.signal),
    chair.ports.clock.sleepUntil(wakeAt, stop.signal),
    changed,
  ]);
  stop.abort();
  signal.removeEventListener('abort', relay);
}
