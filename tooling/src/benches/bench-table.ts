/**
 * Lays bench rows out for a person.
 *
 * Boundary: pure.
 */
import { textTable } from '../text-table.ts';
import type { BenchRow } from './bench-row.ts';

export const benchTable = (rows: readonly BenchRow[]): string =>
  textTable(
    [
      ['bench', 'figure', 'value', 'aim', 'met', 'also'],
      ...rows.map(({ bench, figure, value, aim, met, extras }) => [
        bench,
        figure,
        value === undefined ? '' : String(value),
        aim,
        met === undefined ? '' : met ? 'yes' : 'NO',
        Object.entries(extras)
          .map(([name, extra]) => `${name}=${typeof extra === 'string' ? extra : JSON.stringify(extra)}`)
          .join(' '),
      ]),
    ],
    ['left', 'left', 'right', 'left', 'left', 'left'],
  );
