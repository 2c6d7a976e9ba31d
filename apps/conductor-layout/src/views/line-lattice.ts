/** A sheet of cells for boxes with shared borders: lines that meet become the right corner, tee or cross. */

const UP = 1;
const RIGHT = 2;
const DOWN = 4;
const LEFT = 8;

/** The character for each set of arms, by its bits. */
const LINES = ' ╵╶└╷│┌├╴┘─┴┐┤┬┼';

export interface Lattice {
  /** The four border lines of a box, at these columns and rows. */
  rectangle(box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }): void;
  /** Text from a cell to the right, over whatever is there. The caller keeps it inside the sheet. */
  text(column: number, row: number, text: string): void;
  lines(): string[];
}

/** An empty sheet of this many cells. */
export function openLattice(columns: number, rows: number): Lattice {
  const arms = new Uint8Array(columns * rows);
  const texts = new Map<number, string>();
  const add = (column: number, row: number, bits: number): void => {
    const at = row * columns + column;
    arms[at] = (arms[at] ?? 0) | bits;
  };
  const horizontal = (row: number, from: number, to: number): void => {
    for (let column = from; column < to; column += 1) {
      add(column, row, RIGHT);
      add(column + 1, row, LEFT);
    }
  };
  const vertical = (column: number, from: number, to: number): void => {
    for (let row = from; row < to; row += 1) {
      add(column, row, DOWN);
      add(column, row + 1, UP);
    }
  };
  const cell = (at: number): string => texts.get(at) ?? LINES.charAt(arms[at] ?? 0);
  return {
    rectangle({ left, top, right, bottom }) {
      horizontal(top, left, right);
      horizontal(bottom, left, right);
      vertical(left, top, bottom);
      vertical(right, top, bottom);
    },
    text(column, row, text) {
      for (const [offset, char] of [...text].entries()) texts.set(row * columns + column + offset, char);
    },
    lines: () =>
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (__, column) => cell(row * columns + column)).join(''),
      ),
  };
}
