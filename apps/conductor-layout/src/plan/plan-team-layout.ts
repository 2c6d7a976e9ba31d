/**
 * The whole plan of a team's workspace, as a pure function of its arguments (06 Layout).
 *
 * Boundary: no file, no clock, no environment, no herdr. The same arguments give the same bytes when printed.
 *
 * P1  Every peer stands in exactly one pane, in the order of the teams file.
 * P2  Every peer gets the same share of the grid: a split gives its halves room by their number of peers.
 */
import type { Peer } from '../teams-file/peer.ts';
import type { PlannedNode, PlannedPane, SplitDirection, TeamLayout } from './layout-node.ts';
import { peerCommand } from './peer-command.ts';
import { workspaceLabel } from './workspace-label.ts';

/** The share of the width that the conductor's pane takes (06 Layout). */
const CONDUCTOR_RATIO = 0.35;

const CONDUCTOR_COMMAND: readonly string[] = ['hermes', '-p', 'dev'];

export interface TeamLayoutRequest {
  readonly team: string;
  readonly peers: readonly Peer[];
  /** Absolute path of the checkout: the working folder of each pane, and the source of the worktree tag. */
  readonly checkout: string;
  /** The coms project; `default` leaves no trace in commands and label. */
  readonly project: string;
  /** `false` lays out the peers alone, in a workspace labelled `peers`. */
  readonly conductor: boolean;
}

export type TeamLayoutPlan =
  | { readonly ok: true; readonly plan: TeamLayout }
  /** A team without peers, and no conductor either: a workspace has at least one pane. */
  | { readonly ok: false; readonly code: 'NOTHING_TO_LAY_OUT' };

/** Plans the workspace of a team. Never throws; the one refusal is a layout without any pane. */
export function planTeamLayout(request: TeamLayoutRequest): TeamLayoutPlan {
  const { team, peers, checkout, project } = request;
  const mode = request.conductor ? 'conductor' : 'peers';
  const label = workspaceLabel({ checkout, mode, team, project });
  const panes = peers.map((peer) => peerPane(peer, checkout, project));
  if (!request.conductor) {
    const layout = planGrid(panes, 0);
    return layout === null
      ? { ok: false, code: 'NOTHING_TO_LAY_OUT' }
      : { ok: true, plan: { label, layout } };
  }
  const root: PlannedPane = { type: 'pane', command: CONDUCTOR_COMMAND, cwd: checkout, label: 'conductor' };
  const grid = planGrid(panes, 1);
  if (grid === null) return { ok: true, plan: { label, layout: root } };
  const layout: PlannedNode = {
    type: 'split',
    direction: 'right',
    ratio: CONDUCTOR_RATIO,
    first: root,
    second: grid,
  };
  return { ok: true, plan: { label, layout } };
}

function peerPane(peer: Peer, checkout: string, project: string): PlannedPane {
  const pane = {
    type: 'pane',
    command: peerCommand(peer, project),
    cwd: checkout,
    label: peer.name,
  } as const;
  return peer.env_file === undefined ? pane : { ...pane, env_file: peer.env_file };
}

/**
 * A balanced split of the list: `ceil(n/2)` panes first, room by number, direction by depth.
 * It recurses to the depth log2(n), which the bound on peers a team keeps below ten.
 *
 * @param depth 0 for a grid of its own, 1 beside a conductor: `right` at even depth, `down` at odd
 */
function planGrid(panes: readonly PlannedPane[], depth: number): PlannedNode | null {
  const [only] = panes;
  if (only === undefined) return null;
  if (panes.length === 1) return only;
  const half = Math.ceil(panes.length / 2);
  const first = planGrid(panes.slice(0, half), depth + 1);
  const second = planGrid(panes.slice(half), depth + 1);
  if (first === null) return second;
  if (second === null) return first;
  const direction: SplitDirection = depth % 2 === 0 ? 'right' : 'down';
  return { type: 'split', direction, ratio: half / panes.length, first, second };
}
