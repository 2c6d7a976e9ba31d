/** `conference decide DIR DECISION OPTION`: a person's answer to a pending decision, or to a recovery proposal (07). */
import { resolve } from 'node:path';
import { DECISION_OPTIONS, type DecisionOption } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { usage } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { applyRecovery } from '../recovery/apply.ts';
import { damagedProposal } from '../recovery/damaged.ts';
import { inspect } from '../recovery/inspect.ts';
import { stepHead } from '../stepwise/delegate-task.ts';
import { withChair, type StepFlags, type StepResult, type StepSession } from '../stepwise/with-chair.ts';
import { readFolder } from '../store/read-folder.ts';

interface Asked {
  readonly folder: string;
  readonly id: string;
  readonly option: string;
}

const DECIDED_BY = 'conference decide';

export async function decide(
  context: CliContext,
  flags: StepFlags,
  folder: string,
  ...[id, option]: [string, string]
): Promise<void> {
  const asked = { folder: resolve(context.cwd, folder), id, option };
  const keepVerifiedPrefix = await prefixToKeep(asked);
  await withChair(context, flags, {
    folder,
    purpose: 'decide',
    forward: { verb: 'decide', decision_id: id, option },
    ...(keepVerifiedPrefix === null ? {} : { keepVerifiedPrefix }),
    // Proposals are named by the ledger's head: what is owed moves it, so it waits.
    houseAfter: true,
    work: (session) => (keepVerifiedPrefix === null ? answer(session, asked) : recordKept(session, asked)),
  });
}

/** The line of a damaged ledger that this answer is about. */
async function prefixToKeep({ folder, id, option }: Asked): Promise<{ readonly line: number } | null> {
  if (option !== 'keep_verified_prefix') return null;
  const found = await readFolder(folder);
  if (found.ok || found.failure.damaged === undefined) return null;
  const { message, damaged } = found.failure;
  const { proposal_id, options } = damagedProposal({ ...damaged, message });
  return proposal_id === id && options.length > 0 ? { line: damaged.line } : null;
}

async function recordKept(session: StepSession, asked: Asked): Promise<StepResult> {
  const { chair, store } = session;
  const inspection = await inspectNow(session, asked.folder);
  const failure = await applyRecovery({ chair, store, folder: asked.folder }, inspection, {
    proposal: null,
    option: 'keep_verified_prefix',
    decidedBy: DECIDED_BY,
  });
  return failure === null ? decided(session, asked) : { ok: false, failure };
}

async function answer(session: StepSession, asked: Asked): Promise<StepResult> {
  const { chair, store } = session;
  const { id: decision_id, option } = asked;
  if (chair.state.pending?.decision_id === decision_id) return answerPending(session, asked);
  const inspection = await inspectNow(session, asked.folder);
  const proposal = inspection.proposals.find(({ proposal_id }) => proposal_id === decision_id);
  if (proposal === undefined) {
    const executed = chair.execute({ command: 'answer', decision_id, option, answered_by: DECIDED_BY });
    if (executed.status === 'done') return decided(session, asked);
    return { ok: false, failure: refusalFailure(executed) };
  }
  const chosen = proposal.options.find(({ id }) => id === option);
  if (chosen === undefined) {
    const accepted = proposal.options.map(({ id }) => id).join(', ') || 'none';
    return {
      ok: false,
      failure: usage(
        'NO_SUCH_OPTION',
        `NO_SUCH_OPTION: proposal ${decision_id} has no option ${option}: accepted are ${accepted}`,
      ),
    };
  }
  const failure = await applyRecovery({ chair, store, folder: asked.folder }, inspection, {
    proposal,
    option: chosen.id,
    decidedBy: DECIDED_BY,
  });
  return failure === null ? decided(session, asked) : { ok: false, failure };
}

/** A stale state is revalidated by comparing again: what was wrong may still be. */
async function answerPending(session: StepSession, asked: Asked): Promise<StepResult> {
  const { chair, store } = session;
  const { pending } = chair.state;
  const option = DECISION_OPTIONS.find((known) => known === asked.option);
  if (pending?.kind === 'stale_state' && option === 'revalidate') {
    const inspection = await inspectNow(session, asked.folder);
    const failure = await applyRecovery({ chair, store, folder: asked.folder }, inspection, {
      proposal: null,
      option: option satisfies DecisionOption,
      decidedBy: DECIDED_BY,
    });
    return failure === null ? decided(session, asked) : { ok: false, failure };
  }
  const { id: decision_id } = asked;
  const executed = chair.execute({
    command: 'answer',
    decision_id,
    option: asked.option,
    answered_by: DECIDED_BY,
  });
  return executed.status === 'done'
    ? decided(session, asked)
    : { ok: false, failure: refusalFailure(executed) };
}

function inspectNow({ chair, store }: StepSession, folder: string) {
  return inspect(chair, { folder, head: store.ledger.head.digest, now: Date.now(), tornBytes: 0 });
}

function decided({ chair }: StepSession, { id, option }: Asked): StepResult {
  const head = stepHead(chair.state, chair.ports.ledger.head.seq);
  return {
    ok: true,
    document: { ...head, decision_id: id, option },
    words: `Decided: ${option}. The conference is ${chair.state.state}.\n`,
    exit: chair.state.state === 'BLOCKED' ? exitCode.blocked : exitCode.done,
  };
}
