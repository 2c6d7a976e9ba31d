/** Plain columns: cells are padded to the widest, the last one is left as it is. */
import { displayWidth } from './display-width.ts';

export function table(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
    });
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - displayWidth(cell)),
      )
      .join('  ');
  return rows.map((row) => `${indent}${line(row)}\n`).join('');
}
