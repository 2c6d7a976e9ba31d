/**
 * Table transposition: all fields of one column, then all of the next one, and so on. Like stands beside like. The amount
 * says which column comes first; the others follow in turn.
 *
 * Layout: number of fields a line, the first column, 1 if the text ends with a newline (else 0), then each column's fields,
 * each ended by a newline. Lines with different numbers of fields: handed through.
 */
import { concat, handedThrough, toBytes, toText, unchanged } from './transform.mjs';

const FIELDS_MAX = 255;

/** @type {import('./transform.mjs').Transform} */
export const columns = {
  id: 1,
  name: 'columns',
  amounts: [1, 4],
  apply(bytes, amount) {
    const text = toText(bytes);
    const ended = text.endsWith('\n');
    const rows = (ended ? text.slice(0, -1) : text).split('\n').map((line) => line.split('\t'));
    const fields = rows[0].length;
    if (fields > FIELDS_MAX || rows.some((row) => row.length !== fields)) return unchanged(bytes);
    const first = Math.max(0, amount - 1) % fields;
    let out = '';
    for (let nth = 0; nth < fields; nth++) {
      for (const row of rows) out += `${row[(first + nth) % fields]}\n`;
    }
    return concat([Uint8Array.of(fields, first, ended ? 1 : 0), toBytes(out)]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const [fields, first, ended] = bytes;
    const cells = toText(bytes.subarray(3)).split('\n').slice(0, -1);
    const rows = cells.length / fields;
    if (!Number.isInteger(rows)) throw new Error(`${cells.length} fields do not make lines of ${fields}`);
    const lines = [];
    for (let row = 0; row < rows; row++) {
      const line = [];
      for (let column = 0; column < fields; column++) {
        line.push(cells[((column - first + fields) % fields) * rows + row]);
      }
      lines.push(line.join('\t'));
    }
    return toBytes(lines.join('\n') + (ended === 1 ? '\n' : ''));
  },
};
