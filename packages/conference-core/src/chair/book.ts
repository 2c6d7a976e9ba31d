/** Books what a host told: results together in one commit, everything in the order in which it came. */
import type { Command } from '../commands/command.ts';
import type { Chair, Incoming } from './chair.ts';
import type { HostMessage } from './ports.ts';
import { troubleIn, type RunEnd } from './run-end.ts';

/** Who is told of an acknowledgement: it is shown, never counted. */
interface Told {
  readonly acknowledged?: (dispatchId: string) => void;
}

/** Books everything that came, in order: results together, in one commit. */
export async function book(
  chair: Chair,
  messages: readonly HostMessage[],
  ports: Told,
): Promise<RunEnd | null> {
  let batch: Incoming[] = [];
  const flush = async (): Promise<RunEnd | null> => {
    const results = batch;
    batch = [];
    for (const executed of await chair.submit(results)) {
      const trouble = troubleIn(executed);
      if (trouble !== null) return trouble;
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
  ports: Told,
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
      const isOver = executed.status === 'refused' && executed.refusal.code !== 'COST_UNREADABLE';
      return isOver ? null : troubleIn(executed);
    }
    case 'recorded': {
      const executed = chair.execute(message.command);
      return executed.status === 'not_recorded' ? troubleIn(executed) : null;
    }
  }
}
