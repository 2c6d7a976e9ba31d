/** `conference expire` and `cancel`: the clock, and the end (07). */
import type { Command } from '@x/conference-core';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { stepHead } from '../stepwise/delegate-task.ts';
import { withChair, type StepFlags, type StepResult, type StepSession } from '../stepwise/with-chair.ts';

export interface CancelFlags extends StepFlags {
  readonly reason: string;
}

export function expire(context: CliContext, flags: StepFlags, folder = '.'): Promise<void> {
  return withChair(context, flags, {
    folder,
    purpose: 'expire',
    work: (session) => {
      const timedOut: string[] = [];
      session.chair.observe((event) => {
        if (event.event === 'dispatch.timed_out') timedOut.push(event.payload.dispatch_id);
      });
      const words = (): string =>
        timedOut.length === 0 ? 'Nothing is overdue.\n' : `Timed out: ${timedOut.join(' ')}\n`;
      return carryOut(session, { command: 'expire' }, { extra: () => ({ timed_out: timedOut }), words });
    },
  });
}

export function cancel(context: CliContext, flags: CancelFlags, folder = '.'): Promise<void> {
  return withChair(context, flags, {
    folder,
    purpose: 'cancel',
    forward: { verb: 'cancel', reason: flags.reason },
    work: (session) =>
      carryOut(
        session,
        { command: 'cancel', reason: flags.reason },
        {
          extra: () => ({ cancelled: true }),
          words: () => 'Cancelled. Open dispatches are ended and what was not reviewed is discarded.\n',
        },
      ),
  });
}

function carryOut(
  { chair }: StepSession,
  command: Command,
  shown: { readonly extra: () => object; readonly words: () => string },
): StepResult {
  const executed = chair.execute(command);
  if (executed.status !== 'done') return { ok: false, failure: refusalFailure(executed) };
  const head = stepHead(chair.state, chair.ports.ledger.head.seq);
  return { ok: true, document: { ...head, ...shown.extra() }, words: shown.words(), exit: exitCode.done };
}
