/**
 * Numbered series: a line that only counts one on from the line before (`CONF-06`, `CONF-07`) becomes one flag byte.
 *
 * Layout: the flag, then the lines; the flag stands for a line and its newline.
 */
import { checkLength, concat, freeValues, handedThrough, toBytes, toText, unchanged } from './transform.mjs';

/**
 * The line that counts one on, of the same width where it fits; null after a line that ends in no digit.
 * @param {string} line
 */
function successor(line) {
  const digits = /\d{1,9}$/.exec(line)?.[0];
  if (digits === undefined) return null;
  return line.slice(0, -digits.length) + String(Number(digits) + 1).padStart(digits.length, '0');
}

/** @type {import('./transform.mjs').Transform} */
export const series = {
  id: 2,
  name: 'series',
  apply(bytes) {
    const flag = freeValues(bytes)[0];
    if (flag === undefined) return unchanged(bytes);
    const mark = String.fromCharCode(flag);
    const lines = toText(bytes).split('\n');
    const last = lines.length - 1;
    let out = '';
    lines.forEach((line, at) => {
      const before = lines[at - 1];
      const continues = at < last && before !== undefined && line === successor(before);
      if (continues) out += mark;
      else out += at < last ? `${line}\n` : line;
    });
    return concat([Uint8Array.of(flag), toBytes(out)]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const mark = String.fromCharCode(bytes[0] ?? 0);
    const text = toText(bytes.subarray(1));
    let out = '';
    let before = '';
    for (let at = 0; at < text.length;) {
      if (text[at] === mark) {
        const line = successor(before);
        if (line === null) throw new Error('a series continues a line that ends in no digit');
        out += `${line}\n`;
        checkLength(out.length);
        before = line;
        at += 1;
        continue;
      }
      const end = text.indexOf('\n', at);
      if (end === -1) return toBytes(out + text.slice(at));
      before = text.slice(at, end);
      out += `${before}\n`;
      at = end + 1;
    }
    return toBytes(out);
  },
};
