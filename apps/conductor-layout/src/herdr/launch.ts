/**
 * A live start: the order of requests, and what is undone when one fails (06 Live).
 *
 * Boundary: herdr is a port; nothing is printed here.
 *
 * L1  Nothing is made while a workspace of that label is there, or while herdr is too old to finish.
 * L2  A workspace that this start made and could not fill is closed again, whatever stopped it.
 * L3  Once the panes run, only the person's own cancel closes them; a later fault leaves them running.
 */
import type { WireNode } from '../plan/layout-node.ts';
import { PROTOCOL_MIN } from './messages.ts';
import type { Herdr, HerdrFault, HerdrMethod, HerdrResult } from './messages.ts';

export interface LaunchOrder {
  readonly label: string;
  readonly cwd: string;
  readonly root: WireNode;
}

/** What became of the workspace that a failed start had asked for. */
export type Undo =
  | { readonly state: 'NOTHING_MADE' }
  | { readonly state: 'CLOSED'; readonly workspaceId: string }
  /** It may be open still: herdr said so, or did not answer. */
  | { readonly state: 'MAY_BE_OPEN'; readonly workspaceId: string | null };

export type LaunchOutcome =
  | { readonly code: 'OPENED'; readonly workspaceId: string }
  /** The panes run; the empty first tab could not be closed. */
  | {
      readonly code: 'OPENED_WITH_EMPTY_TAB';
      readonly workspaceId: string;
      readonly tabId: string;
      readonly fault: HerdrFault;
    }
  | { readonly code: 'HERDR_TOO_OLD'; readonly protocol: number; readonly version: string }
  | { readonly code: 'LABEL_TAKEN'; readonly workspaceId: string }
  | { readonly code: 'FAILED'; readonly step: HerdrMethod; readonly fault: HerdrFault; readonly undo: Undo }
  | { readonly code: 'CANCELLED'; readonly undo: Undo };

const NOTHING_MADE: Undo = { state: 'NOTHING_MADE' };

/**
 * Opens a workspace. Never rejects.
 *
 * @param signal is looked at between requests: one that is under way is answered first, so that it can be undone
 */
export async function launch(herdr: Herdr, order: LaunchOrder, signal: AbortSignal): Promise<LaunchOutcome> {
  const pong = await herdr.request('ping', {});
  if (!pong.ok) return failed('ping', pong.fault, NOTHING_MADE);
  const { protocol, version } = pong.result;
  if (protocol < PROTOCOL_MIN) return { code: 'HERDR_TOO_OLD', protocol, version };
  const list = await herdr.request('workspace.list', {});
  if (!list.ok) return failed('workspace.list', list.fault, NOTHING_MADE);
  const taken = list.result.workspaces.find(({ label }) => label === order.label);
  if (taken !== undefined) return { code: 'LABEL_TAKEN', workspaceId: taken.workspace_id };
  if (signal.aborted) return { code: 'CANCELLED', undo: NOTHING_MADE };
  const { label, cwd } = order;
  const created = await herdr.request('workspace.create', { label, cwd, focus: false });
  if (!created.ok) {
    const undo = await undoUnansweredCreate(herdr, order, created.fault, list.result);
    return failed('workspace.create', created.fault, undo);
  }
  return fill(herdr, order, created.result, signal);
}

async function fill(
  herdr: Herdr,
  order: LaunchOrder,
  { workspace, tab }: HerdrResult<'workspace.create'>,
  signal: AbortSignal,
): Promise<LaunchOutcome> {
  const { workspace_id } = workspace;
  if (signal.aborted) return { code: 'CANCELLED', undo: await closeAgain(herdr, workspace_id) };
  const applied = await herdr.request('layout.apply', { workspace_id, root: order.root });
  if (!applied.ok) return failed('layout.apply', applied.fault, await closeAgain(herdr, workspace_id));
  if (signal.aborted) return { code: 'CANCELLED', undo: await closeAgain(herdr, workspace_id) };
  // A server that fills the first tab instead of adding one leaves nothing to close.
  if (applied.result.layout.tab_id === tab.tab_id) return { code: 'OPENED', workspaceId: workspace_id };
  const closed = await herdr.request('tab.close', { tab_id: tab.tab_id });
  if (closed.ok) return { code: 'OPENED', workspaceId: workspace_id };
  return { code: 'OPENED_WITH_EMPTY_TAB', workspaceId: workspace_id, tabId: tab.tab_id, fault: closed.fault };
}

function failed(step: HerdrMethod, fault: HerdrFault, undo: Undo): LaunchOutcome {
  return { code: 'FAILED', step, fault, undo };
}

async function closeAgain(herdr: Herdr, workspaceId: string): Promise<Undo> {
  const closed = await herdr.request('workspace.close', { workspace_id: workspaceId });
  return { state: closed.ok ? 'CLOSED' : 'MAY_BE_OPEN', workspaceId };
}

/**
 * `workspace.create` without an answer may have made one. It is ours to close if it was not listed before,
 * has our label, and is still as empty as a new one; anything else is left to the person, by name.
 */
async function undoUnansweredCreate(
  herdr: Herdr,
  { label }: LaunchOrder,
  fault: HerdrFault,
  before: HerdrResult<'workspace.list'>,
): Promise<Undo> {
  if (fault.code !== 'UNANSWERED') return NOTHING_MADE;
  const after = await herdr.request('workspace.list', {});
  if (!after.ok) return { state: 'MAY_BE_OPEN', workspaceId: null };
  const known = new Set(before.workspaces.map(({ workspace_id }) => workspace_id));
  const made = after.result.workspaces.filter(
    (each) => each.label === label && !known.has(each.workspace_id),
  );
  const [first] = made;
  if (first === undefined) return NOTHING_MADE;
  const isNew = made.length === 1 && first.tab_count === 1 && first.pane_count === 1;
  return isNew
    ? closeAgain(herdr, first.workspace_id)
    : { state: 'MAY_BE_OPEN', workspaceId: first.workspace_id };
}
