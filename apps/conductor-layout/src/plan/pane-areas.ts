/**
 * Where each pane of a layout stands, in parts of the whole: the one geometry that both drawings use.
 *
 * Boundary: pure. Units of the caller (cells, pixels) come later, by scaling absolute edges, so that
 * rounding never adds up over nested splits.
 */
import type { NodeOf } from './layout-node.ts';

/** A rectangle in parts of the whole picture: `left`, `top`, `right`, `bottom` from 0 to 1. */
export interface PaneArea<Pane> {
  readonly pane: Pane;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The part of the whole area that the pane takes, from 0 to 1; all shares add up to 1. */
  readonly share: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The panes of a tree in reading order of the plan, each with its area. Neighbours share their edges exactly. */
export function paneAreas<Pane extends { readonly type: 'pane' }>(root: NodeOf<Pane>): PaneArea<Pane>[] {
  const areas: PaneArea<Pane>[] = [];
  place(root, { left: 0, top: 0, right: 1, bottom: 1 }, areas);
  return areas;
}

function place<Pane extends { readonly type: 'pane' }>(
  node: NodeOf<Pane>,
  box: Box,
  areas: PaneArea<Pane>[],
): void {
  if (node.type === 'pane') {
    areas.push({ pane: node, ...box, share: (box.right - box.left) * (box.bottom - box.top) });
    return;
  }
  if (node.direction === 'right') {
    const edge = box.left + (box.right - box.left) * node.ratio;
    place(node.first, { ...box, right: edge }, areas);
    place(node.second, { ...box, left: edge }, areas);
  } else {
    const edge = box.top + (box.bottom - box.top) * node.ratio;
    place(node.first, { ...box, bottom: edge }, areas);
    place(node.second, { ...box, top: edge }, areas);
  }
}
