/** What a person decides, and what the root records of its own effects. */
import type { ConferenceEvent } from '@x/protocol';
import { owedArtifacts } from '../artifacts/owed.ts';
import { CONFERENCE_MD, FINAL_REPORT_MD, SYNTHESIS_MD } from '../artifacts/paths.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { transitionEvent } from '../rules/transition.ts';
import { hasReviewedEvidence, isFinal, isLive, openDispatches, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';
import type {
  AnswerCommand,
  BlockCommand,
  CancelCommand,
  InspectCommand,
  WrittenCommand,
} from './command.ts';

/** After the cleanup receipt only late results are recorded (CONF-27). */
const CLOSED = 'the conference is closed: its cleanup receipt is recorded, and only late results may follow';

export function decideAnswer(state: State, command: AnswerCommand, now: number): ConferenceEvent[] | Refusal {
  const { pending } = state;
  if (pending === null || pending.decision_id !== command.decision_id) {
    const open =
      pending === null ? 'no decision is pending' : `the pending decision is ${pending.decision_id}`;
    return refuse('NO_SUCH_DECISION', `there is no decision ${command.decision_id} to answer: ${open}`);
  }
  const option = pending.options.find(({ id }) => id === command.option);
  if (option === undefined) {
    const known = pending.options.map(({ id }) => id).join(', ');
    return refuse(
      'NO_SUCH_OPTION',
      `decision ${pending.decision_id} has no option ${command.option}: accepted are ${known}`,
    );
  }
  const { decision_id, kind } = pending;
  return [
    {
      event: 'decision.answered',
      timestamp: toTimestamp(now),
      payload: { decision_id, kind, option: option.id, answered_by: command.answered_by },
    },
  ];
}

export function decideCancel(state: State, command: CancelCommand, now: number): ConferenceEvent[] | Refusal {
  if (!isLive(state) && state.state !== 'BLOCKED') {
    return refuse('NOT_ALLOWED_NOW', `the conference is ${state.state} and cannot be cancelled any more`);
  }
  const reason = `the user cancelled: ${command.reason}`;
  return [transitionEvent(state, now, { state: 'CANCELLED', phase: null, reason })];
}

export function decideWritten(
  state: State,
  command: WrittenCommand,
  now: number,
): ConferenceEvent[] | Refusal {
  const { path, digest, bytes } = command;
  if (state.closing.receipt !== null) return refuse('NOT_ALLOWED_NOW', CLOSED);
  // The user's own file may become known at any time: read again, or taken as it is by a decision.
  if (path !== CONFERENCE_MD && !owedArtifacts(state).includes(path)) {
    return refuse('NOT_OWED', `${path} is not owed now: ${owedArtifacts(state).join(', ') || 'nothing is'}`);
  }
  return [{ event: 'artifact.written', timestamp: toTimestamp(now), payload: { path, digest, bytes } }];
}

export function decideBlock(
  state: State,
  { code, reason }: BlockCommand,
  now: number,
): ConferenceEvent[] | Refusal {
  if (state.state === 'BLOCKED' && state.blocked?.code === code) return [];
  if (!isLive(state))
    return refuse('NOT_ALLOWED_NOW', `a conference that is ${state.state} cannot be blocked`);
  return [{ event: 'conference.blocked', timestamp: toTimestamp(now), payload: { code, reason } }];
}

export function decideInspect(
  state: State,
  command: InspectCommand,
  now: number,
): ConferenceEvent[] | Refusal {
  if (state.planned === null) return refuse('NOT_PLANNED', 'there is no conference to recover');
  if (state.closing.receipt !== null) return refuse('NOT_ALLOWED_NOW', CLOSED);
  if (isFinal(state)) {
    return refuse('NOT_ALLOWED_NOW', `a conference that is ${state.state} only owes its closing events`);
  }
  const { receipt, receipt_digest } = command;
  return [{ event: 'recovery.inspected', timestamp: toTimestamp(now), payload: { receipt, receipt_digest } }];
}

/** The temporary roots are gone and the report is there: the conference ends (01 State, "End of a conference"). */
export function decideClose(state: State, now: number): ConferenceEvent[] | Refusal {
  if (!isFinal(state) || openDispatches(state) > 0) {
    return refuse('NOT_ALLOWED_NOW', `a conference that is ${state.state} cannot be closed yet`);
  }
  if (state.closing.ended) return [];
  if (state.grant !== null && !state.artifacts.has(FINAL_REPORT_MD)) {
    return refuse('NOT_ALLOWED_NOW', `${FINAL_REPORT_MD} is to be written before the conference ends`);
  }
  const final_report_path = state.artifacts.has(FINAL_REPORT_MD) ? FINAL_REPORT_MD : null;
  const total_iterations = state.iterations_spent;
  const timestamp = toTimestamp(now);
  if (state.state === 'CANCELLED') {
    const payload = { reason: cancelReason(state), final_report_path, total_iterations };
    return [{ event: 'conference.cancelled', timestamp, payload }];
  }
  return [
    {
      event: 'conference.completed',
      timestamp,
      payload: {
        outcome: state.outcome ?? 'CONTINUE',
        target_met: state.target_met,
        synthesis_path: state.artifacts.has(SYNTHESIS_MD) ? SYNTHESIS_MD : null,
        final_report_path,
        total_iterations,
      },
    },
  ];
}

/** A stop with reviewed evidence leads to synthesis: what ended as cancelled after one was cancelled there. */
function cancelReason(state: State): string {
  const decided = state.answered.at(-1)?.option;
  if (decided === 'restart') return 'the user decided to restart';
  return decided === 'stop' && !hasReviewedEvidence(state) ? 'stopped by the user' : 'cancelled by the user';
}
