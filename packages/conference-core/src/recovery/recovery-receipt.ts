/** The recovery receipt (source 003, "Recovery receipt"): a function of ledger, files found and time; same input, same bytes. */
import { digestOfJson, type BlockedCode, type Digest, type RecoveryReceipt } from '@x/protocol';
import { timeSpentMs } from '../rules/accounting.ts';
import { allRows, isFinal, type State } from '../state.ts';

export interface ReceiptInput {
  /** What comparing the files with the ledger gave. */
  readonly stale_state: 'current' | BlockedCode;
  /** Milliseconds: the time that the recovery is made for. */
  readonly now: number;
  /** The revision of the bounded work as it stands now; null where the grant that the ledger holds gives nothing any more. */
  readonly current_revision: number | null;
  /** The user's decision, or `none yet`. */
  readonly user_decision: string;
}

/** Rebuilds every dispatch state and names the last complete round and phase (RECO-01, RECO-08). Never fails. */
export function recoveryReceipt(
  state: State,
  input: ReceiptInput,
): { receipt: RecoveryReceipt; digest: Digest } {
  const rows = [...allRows(state)];
  const plan = state.planned?.plan;
  const spent = timeSpentMs(state, Math.max(input.now, state.head_ms));
  const written = [...state.artifacts.keys()].toSorted();
  const receipt: RecoveryReceipt = {
    last_complete_round: state.rounds.filter(({ completed }) => completed).length,
    last_complete_phase: state.last_complete_phase,
    state: state.state,
    phase: state.phase,
    dispatches: rows.map(({ dispatch_id, state: ended }) => ({ dispatch_id, state: ended })),
    accepted_packets: rows.flatMap((row) =>
      row.state === 'received' && row.digest !== null ? [row.digest] : [],
    ),
    rejected_packets: rows.flatMap((row) =>
      row.state === 'failed' && row.digest !== null ? [row.digest] : [],
    ),
    stale_state: input.stale_state,
    bounded_work:
      state.grant === null
        ? null
        : {
            grant_id: state.grant.grant_id,
            granted_revision: state.grant.revision,
            current_revision: input.current_revision,
          },
    remaining_iterations:
      plan === undefined ? 0 : Math.max(0, plan.max_total_iterations - state.iterations_spent),
    remaining_time_ms: plan?.time_budget_ms === undefined ? null : Math.max(0, plan.time_budget_ms - spent),
    user_decision: input.user_decision,
    root_writes: written.length === 0 ? 'none' : written,
    cleanup: state.closing.receipt !== null ? 'done' : isFinal(state) ? 'owed' : 'not due',
  };
  return { receipt, digest: digestOfJson(receipt) };
}
