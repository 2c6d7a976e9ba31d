/** The cleanup receipt (source 000 §8): what was opened, and that it is closed. A function of the state alone. */
import { WRITE_AUTHORITY_MISSING, type CleanupReceipt } from '@x/protocol';
import { allRows, type State } from '../state.ts';
import { limitationsOf } from './limitations.ts';
import { FINAL_REPORT_MD } from './paths.ts';

/**
 * The receipt as it stands once the report is written: the report carries it as its last section, so it lists
 * the report before the event that records it. Temporary folders are named by dispatch id.
 */
export function cleanupReceipt(state: State): CleanupReceipt {
  const rows = [...allRows(state)];
  const written = new Set(state.artifacts.keys());
  if (state.grant !== null) written.add(FINAL_REPORT_MD);
  const removed = state.started?.temporary_roots === true ? rows.map(({ dispatch_id }) => dispatch_id) : [];
  return {
    dispatches: rows.map(({ dispatch_id, state: ended }) => ({ dispatch_id, state: ended })),
    temporary_paths_removed: orNone(removed),
    background_processes_created: 'none',
    live_profiles_touched: 'none',
    root_artifacts_written: orNone([...written].toSorted()),
    blocked_actions: orNone(state.grant === null ? [WRITE_AUTHORITY_MISSING] : []),
    residual_uncertainty: orNone(limitationsOf(state)),
  };
}

function orNone(list: string[]): string[] | 'none' {
  return list.length === 0 ? 'none' : list;
}
