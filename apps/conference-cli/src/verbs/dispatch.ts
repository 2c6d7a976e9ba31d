/** `conference dispatch DIR`: records and prints the charters that fit the free slots; the caller is the host (07). */
import { resolve } from 'node:path';
import { openDispatches, openRows, type Proposal } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { blockIfStale } from '../recovery/apply.ts';
import { findDrift } from '../recovery/drift.ts';
import { delegateTask, stepHead, type DelegateTask } from '../stepwise/delegate-task.ts';
import { withChair, type StepFlags, type StepResult, type StepSession } from '../stepwise/with-chair.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface DispatchFlags extends StepFlags {
  readonly slots: number;
  /** Only print again what is recorded and open. */
  readonly open: boolean;
}

export function dispatch(context: CliContext, flags: DispatchFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  return withChair(context, flags, {
    folder,
    purpose: 'dispatch',
    work: (session) => work(session, flags, path),
  });
}

/** Turns in which a deadline may pass while charters are made. */
const TURNS_MAX = 4;

async function work({ chair }: StepSession, flags: DispatchFlags, folder: string): Promise<StepResult> {
  if (flags.open) {
    const rows = openRows(chair.state);
    return done(
      chair.state,
      chair.ports.ledger.head.seq,
      rows.map((row) => delegateTask(chair.charterOf(row).charter, true)),
    );
  }
  // New charters are made from plan, artifacts and packets: none from what is not as the ledger says (PROTO-35).
  const stale = blockIfStale(chair, await findDrift(folder, chair));
  if (stale !== null) return { ok: false, failure: stale };
  const { slots } = flags;
  const capability = { delegate_task: true, slots, reports_cost: true };
  const attached = chair.execute({
    command: 'attach',
    driver: 'stepwise',
    host: 'caller',
    capability,
    temporary_roots: false,
  });
  if (attached.status !== 'done') return { ok: false, failure: refusalFailure(attached) };
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const issued = await issueOnce(chair, slots);
    if (issued !== 'moved') return issued;
  }
  const message = `STATE_MOVED: deadlines passed ${TURNS_MAX} times while charters were made: dispatch again`;
  return { ok: false, failure: { code: 'STATE_MOVED', message, exit: exitCode.failed } };
}

/** Books what the clock brought about, then records the charters that fit. */
async function issueOnce(chair: Chair, slots: number): Promise<StepResult | 'moved'> {
  const ticked = chair.execute({ command: 'expire' });
  if (ticked.status !== 'done') return { ok: false, failure: refusalFailure(ticked) };
  const free = Math.max(0, slots - openDispatches(chair.state));
  const proposals = chair
    .actions(free)
    .flatMap((action): Proposal[] => (action.action === 'issue' ? [action.proposal] : []));
  const outcome = await chair.issue(proposals);
  switch (outcome.status) {
    case 'issued': {
      const tasks = outcome.issued.map(({ sent }) => delegateTask(sent.charter, true));
      return done(chair.state, chair.ports.ledger.head.seq, tasks);
    }
    case 'moved':
      return 'moved';
    case 'secret': {
      const message = `CHARTER_SECRET: ${outcome.message}`;
      return { ok: false, failure: { code: 'CHARTER_SECRET', message, exit: exitCode.usage } };
    }
    case 'not_recorded':
      return { ok: false, failure: refusalFailure({ status: 'not_recorded', trouble: outcome.trouble }) };
  }
}

function done(
  state: StepSession['chair']['state'],
  revision: number,
  tasks: readonly DelegateTask[],
): StepResult {
  const asked =
    state.pending === null
      ? ''
      : `You are asked first: ${terminalText(state.pending.question)} (conference next)\n`;
  const lines = tasks.map(
    ({ role, lane, dispatch_id, deadline }) =>
      `${dispatch_id}  ${role}${lane === undefined ? '' : ` ${lane}`}  until ${deadline}\n`,
  );
  const exit =
    tasks.length === 0 && state.pending !== null
      ? state.state === 'BLOCKED'
        ? exitCode.blocked
        : exitCode.asked
      : exitCode.done;
  return {
    ok: true,
    document: {
      ...stepHead(state, revision),
      actions: tasks,
      ...(state.pending === null ? {} : { pending: state.pending }),
    },
    words: lines.length === 0 ? asked || 'Nothing to dispatch now.\n' : lines.join(''),
    exit,
  };
}
