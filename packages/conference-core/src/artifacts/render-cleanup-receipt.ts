/** The cleanup receipt for a person: the last section of the report (source 000 §8; 03 Artifacts). */
import type { CleanupReceipt } from '@x/protocol';
import { inline } from './inert-text.ts';
import { bullets, code, section } from './markdown.ts';

/** @param finished whether the conference has ended; before that the section says what is still open */
export function renderCleanupReceipt(receipt: CleanupReceipt, finished: boolean): string {
  const states = byState(receipt.dispatches);
  const facts = [
    `Dispatches: ${dispatchCounts(states)}`,
    `Temporary paths removed: ${finished ? temporaryPaths(receipt) : 'none yet'}`,
    `Background processes created: ${receipt.background_processes_created}`,
    `Live profiles touched: ${receipt.live_profiles_touched}`,
    `Root artifacts written: ${listed(receipt.root_artifacts_written, code)}`,
    `Blocked actions: ${listed(receipt.blocked_actions, code)}`,
    `Residual uncertainty: ${listed(receipt.residual_uncertainty, (text) => inline(text))}`,
  ];
  const ids = [...states].map(([state, list]) => `${state}: ${list.map(code).join(' ')}`);
  return section(
    'Cleanup receipt',
    [
      finished ? null : 'The conference is not finished; this is how things stand.',
      bullets(facts),
      ids.length === 0 ? null : 'Dispatch ids by final state:',
      bullets(ids),
    ],
    'None.',
  );
}

function byState(dispatches: CleanupReceipt['dispatches']): ReadonlyMap<string, string[]> {
  const states = new Map<string, string[]>();
  for (const { dispatch_id, state } of dispatches) {
    const list = states.get(state) ?? [];
    list.push(dispatch_id);
    states.set(state, list);
  }
  return states;
}

function dispatchCounts(states: ReadonlyMap<string, readonly string[]>): string {
  const counts = [...states].map(([state, ids]) => `${ids.length} ${state}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}

/** Folders are named by dispatch id, so where every dispatch had one they are not listed a second time. */
function temporaryPaths({ dispatches, temporary_paths_removed: removed }: CleanupReceipt): string {
  if (removed === 'none') return 'none';
  const own = new Set<string>(dispatches.map(({ dispatch_id }) => dispatch_id));
  if (removed.length === own.size && removed.every((path) => own.has(path))) {
    return `${removed.length}, one for each dispatch, named by its id`;
  }
  return removed.map((path) => inline(path)).join(', ');
}

function listed(list: readonly string[] | 'none', show: (text: string) => string): string {
  if (list === 'none') return 'none';
  return list.map(show).join(', ');
}
