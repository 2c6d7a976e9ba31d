/**
 * A layout as boxes in a terminal, to its true ratios.
 *
 * Boundary: pure; a layout and a width in, lines out. Plain characters, no colour, no escape.
 *
 * D1  No line is wider than the width given.
 * D2  Each edge stands within half a cell of its true place, so each size within one cell of its own.
 * D3  Every pane is there: in its box, or by number in the list below where the box is too small for its name.
 */
import { paneAreas } from '../plan/pane-areas.ts';
import type { PlannedPane, TeamLayout } from '../plan/layout-node.ts';
import { openLattice } from './line-lattice.ts';
import type { Lattice } from './line-lattice.ts';
import { percent } from './percent.ts';

/** Narrower than this nothing can be drawn; the list remains. */
const DRAWING_COLUMNS_MIN = 8;

/** Wider terminals would only stretch the boxes. */
const DRAWING_COLUMNS_MAX = 200;

/** A terminal cell is about twice as high as wide; this gives a picture of about 16:9. */
const ROWS_PER_COLUMN = 0.28;

/** A name, a share, and the line below them. */
const PANE_ROWS_MIN = 3;

const DRAWING_ROWS_MAX = 120;

/** A pane in cells: the positions of its four border lines. */
export interface PaneCells {
  readonly pane: PlannedPane;
  readonly share: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface CellGrid {
  /** Cells between the first and the last border line, in each direction. */
  readonly columns: number;
  readonly rows: number;
  readonly panes: readonly PaneCells[];
}

/** The border lines of each pane for a drawing of at most `width` columns. */
export function layoutCells(plan: TeamLayout, width: number): CellGrid {
  const areas = paneAreas(plan.layout);
  const columns = Math.min(width, DRAWING_COLUMNS_MAX) - 1;
  const lowest = Math.min(...areas.map(({ top, bottom }) => bottom - top));
  const wanted = Math.max(columns * ROWS_PER_COLUMN, PANE_ROWS_MIN / lowest);
  const rows = Math.min(DRAWING_ROWS_MAX, Math.ceil(wanted));
  const panes = areas.map(({ pane, share, left, top, right, bottom }) => ({
    pane,
    share,
    // Absolute edges are rounded, not sizes: rounding cannot add up, and neighbours meet (D2).
    left: Math.round(left * columns),
    top: Math.round(top * rows),
    right: Math.round(right * columns),
    bottom: Math.round(bottom * rows),
  }));
  return { columns, rows, panes };
}

/** The drawing of a layout, at most `width` columns wide. */
export function drawTree(plan: TeamLayout, width: number): string[] {
  const isDrawn = width >= DRAWING_COLUMNS_MIN;
  const grid = layoutCells(plan, Math.max(width, DRAWING_COLUMNS_MIN));
  const lattice = openLattice(grid.columns + 1, grid.rows + 1);
  const listed: string[] = [];
  for (const cells of grid.panes) lattice.rectangle(cells);
  for (const [index, cells] of grid.panes.entries()) {
    const { label } = cells.pane;
    const share = percent(cells.share);
    if (isDrawn && writeInBox(lattice, cells, [label, share])) continue;
    const number = String(index + 1);
    writeInBox(lattice, cells, [number, share]);
    listed.push(`${number}  ${label}  ${share}`);
  }
  const drawing = isDrawn ? lattice.lines() : [];
  return [...wrapped(plan.label, width), ...drawing, ...listed.flatMap((line) => wrapped(line, width))];
}

/** Writes the first line if the box takes all of it, and as many of the rest as have room. */
function writeInBox(
  lattice: Lattice,
  { left, top, right, bottom }: PaneCells,
  [name, ...rest]: readonly [string, ...string[]],
): boolean {
  const room = right - left - 1;
  if (name.length > room || bottom - top < 2) return false;
  const lines = [name, ...rest.filter((text) => text.length <= room)].slice(0, bottom - top - 1);
  // A space between border and text wherever there is room for one.
  const indent = lines.every((text) => text.length < room) ? 1 : 0;
  for (const [row, text] of lines.entries()) lattice.text(left + 1 + indent, top + 1 + row, text);
  return true;
}

/** A line in pieces of at most `width`: a name that goes on is better than one cut off. */
function wrapped(line: string, width: number): string[] {
  const pieces = Math.ceil(line.length / width);
  return Array.from({ length: pieces }, (_, piece) =>
    line.slice(piece * width, (piece + 1) * width).trimEnd(),
  );
}
