/**
 * Lays rows of text out in columns, for a terminal and for a pipe alike: no colours, no escapes, no trailing blanks.
 */

export type Alignment = 'left' | 'right';

/** The first row is the heading; every row has as many cells as `alignments`. */
export const textTable = (rows: readonly (readonly string[])[], alignments: readonly Alignment[]): string => {
  const widths = alignments.map((_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? '';
          return alignments[column] === 'right' ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
