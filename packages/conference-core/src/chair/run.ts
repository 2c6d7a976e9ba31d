/**
 * runConference: the only loop. It does what `nextActions` says, one turn at a time, until the conference is done or
 * somebody must be asked (design "The Chair").
 *
 * N1 Results come as messages; nothing polls, and no elapsed time counts as progress.
 * N2 A signal stops resumably: what is recorded stays, children are ended, nothing is cancelled by it.
 */
import type { Decision, Outcome } from '@x/protocol';
import type { Command } from '../commands/command.ts';
import type { Action } from '../next-actions.ts';
import type { Proposal } from '../proposals.ts';
import type { Refusal } from '../refusal.ts';
import { isFinal, openDispatches, openRows } from '../state.ts';
import { createAsking, type Asking } from './asking.ts';
import type { Chair, Incoming, IssueOutcome } from './chair.ts';
import type { Executed } from './commit.ts';
import type { ArtifactPort, Asker, DelegateHost, HostMessage, RecordedEnd } from './ports.ts';
import { writeArtifact, type Trouble } from './housekeeping.ts';

/** Why the loop ended. */
export type RunEnd =
  | { readonly end: 'done'; readonly outcome: Outcome; readonly target_met: boolean }
  /** Nobody here can answer; every open id is terminal. */
  | { readonly end: 'asked'; readonly decision: Decision }
  | { readonly end: 'unconfirmed' }
  | { readonly end: 'interrupted' }
  | { readonly end: 'refused'; readonly refusal: Refusal }
  /** A ledger, store or artifact refused a write; what is recorded stands. */
  | { readonly end: 'trouble'; readonly code: string; readonly message: string };

export interface RunPorts {
  readonly host: DelegateHost;
  readonly asker: Asker;
  /** Null without a grant: nothing touches the disk. */
  readonly artifacts: ArtifactPort | null;
  readonly signal: AbortSignal;
  readonly driver: 'run' | 'embedded';
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
    const capability = await host.capability();
    const attached = chair.execute({
      command: 'attach',
      driver: ports.driver,
      host: host.name,
      capability,
      temporary_roots: host.temporaryRoots,
    });
    const trouble = troubleIn(attached);
    if (trouble !== null) return trouble;
    host.attach(
      inbox.push,
      openRows(chair.state).map(({ dispatch_id }) => dispatch_id),
    );
    return await loop(chair, ports, { inbox, asking, slots: capability.slots });
  } finally {
    asking.stop();
    await host.close();
  }
}

interface Loop {
  readonly inbox: Inbox;
  readonly asking: Asking;
  readonly slots: number;
}

async function loop(chair: Chair, ports: RunPorts, { inbox, asking, slots }: Loop): Promise<RunEnd> {
  const { signal } = ports;
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
    if (turn.kind === 'acted') continue;
    await waitForMore({ chair, inbox, until: turn.until_ms, signal });
  }
}

type Turn =
  | { readonly kind: 'acted' }
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
        const turn = answer(chair, ports, action.decision);
        if (turn !== null) return turn;
        break;
      }
      case 'issue':
        proposals.push(action.proposal);
        break;
      case 'wait':
        until_ms = action.until_ms;
        break;
      case 'start':
        break;
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

function troubleIn(executed: Executed): RunEnd | null {
  if (executed.status === 'done') return null;
  if (executed.status === 'refused') return { end: 'refused', refusal: executed.refusal };
  const { code, message } = executed.trouble;
  return { end: 'trouble', code, message };
}

function write(chair: Chair, ports: RunPorts, path: string): Turn {
  return asTurnOf(writeArtifact(chair, ports.artifacts, path));
}

function asTurnOf(trouble: Trouble | null): Turn {
  return trouble === null ? ACTED : { kind: 'end', end: { end: 'trouble', ...trouble } };
}

/** Asks, or takes the answer that came; null while somebody thinks, or when nobody here can answer. */
function answer(chair: Chair, ports: ActPorts, decision: Decision): Turn | null {
  const option = ports.asking.about(decision);
  if (option === null) return null;
  const { decision_id } = decision;
  return asTurn(chair.execute({ command: 'answer', decision_id, option, answered_by: ports.asker.name }));
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

/** Books everything that came, in order: results together, in one commit. */
async function book(chair: Chair, messages: readonly HostMessage[], ports: RunPorts): Promise<RunEnd | null> {
  let batch: Incoming[] = [];
  const flush = async (): Promise<RunEnd | null> => {
    const results = batch;
    batch = [];
    for (const executed of await chair.submit(results)) {
      if (executed.status === 'not_recorded') return troubleIn(executed);
    }
    return null;
  };
  for (const message of messages) {
    if (message.message === 'result') {
      const { dispatch_id, bytes, cost } = message;
      batch.push({ dispatch_id, bytes, ...(cost === undefined ? {} : { cost }) });
      continue;
    }
    const trouble = (await flush()) ?? bookOther(chair, message, ports);
    if (trouble !== null) return trouble;
  }
  return flush();
}

function bookOther(
  chair: Chair,
  message: Exclude<HostMessage, { message: 'result' }>,
  ports: RunPorts,
): RunEnd | null {
  switch (message.message) {
    case 'acknowledged':
      ports.acknowledged?.(message.dispatch_id);
      return null;
    case 'failed': {
      const { dispatch_id, code, reason, cost } = message;
      const command: Command = {
        command: 'fail',
        dispatch_id,
        code,
        reason,
        ...(cost === undefined ? {} : { cost }),
      };
      const executed = chair.execute(command);
      // A child that was cancelled or timed out also ends: its dispatch is over already.
      return executed.status === 'not_recorded' ? troubleIn(executed) : null;
    }
    case 'recorded': {
      const executed = chair.execute(message.command);
      return executed.status === 'not_recorded' ? troubleIn(executed) : null;
    }
  }
}

interface Inbox {
  readonly push: (message: HostMessage) => void;
  readonly take: (max: number) => HostMessage[];
  /** Ends the waiting for a message without one. */
  readonly wake: () => void;
  /** Resolves when a message is there, somebody wakes it, or the signal aborts. */
  readonly arrival: (signal: AbortSignal) => Promise<void>;
}

function createInbox(): Inbox {
  const queue: HostMessage[] = [];
  let woken = false;
  let waiting: (() => void) | null = null;
  const wake = (): void => {
    woken = true;
    waiting?.();
  };
  return {
    push: (message) => {
      queue.push(message);
      wake();
    },
    take: (max) => {
      woken = false;
      return queue.splice(0, max);
    },
    wake,
    arrival: (signal) =>
      new Promise((resolve) => {
        if (woken || queue.length > 0 || signal.aborted) {
          resolve();
          return;
        }
        const done = (): void => {
          waiting = null;
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting = done;
        signal.addEventListener('abort', done, { once: true });
      }),
  };
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
  const wakeAt = Math.min(until, budgetEndMs(chair));
  const changed = new Promise<void>((resolve) => chair.onceChanged(stop.signal, resolve));
  await Promise.race([
    inbox.arrival(stop.signal),
    chair.ports.clock.sleepUntil(wakeAt, stop.signal),
    changed,
  ]);
  stop.abort();
  signal.removeEventListener('abort', relay);
}

/** When the time budget ends if what is out stays out. */
function budgetEndMs(chair: Chair): number {
  const budget = chair.state.planned?.plan.time_budget_ms;
  if (budget === undefined) return Infinity;
  const { spent_ms, since_ms } = chair.state.busy;
  return since_ms + (budget - spent_ms);
}
