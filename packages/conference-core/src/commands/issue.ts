/** Records a dispatch before its charter is sent. Only what `nextActions` proposes can be issued (001 Phase 1). */
import type { ConferenceEvent } from '@x/protocol';
import { laneLetter } from '../lane.ts';
import { proposals } from '../proposals.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import type { IssueCommand } from './command.ts';

export function decideIssue(state: State, command: IssueCommand, now: number): ConferenceEvent[] | Refusal {
  for (const proposal of proposals(state)) {
    if (proposal.dispatch_id !== command.dispatch_id) continue;
    const { dispatch_id, role, round, lane, attempt, iteration_allowance, timeout_ms } = proposal;
    const { excerpts_left_out = 0 } = command;
    return [
      {
        event: 'dispatch.issued',
        timestamp: toTimestamp(now),
        payload: {
          dispatch_id,
          role,
          round,
          ...(lane === null ? {} : { lane: laneLetter(lane) }),
          attempt,
          charter_digest: command.charter_digest,
          context_digest: command.context_digest,
          deadline: toTimestamp(now + timeout_ms),
          ...(iteration_allowance === null ? {} : { iteration_allowance }),
          ...(excerpts_left_out === 0 ? {} : { excerpts_left_out }),
        },
      },
    ];
  }
  return refuse(
    'NOT_PROPOSED',
    `dispatch ${command.dispatch_id} is not what is to be issued now: ask for the next actions`,
  );
}
