/**
 * Front coding: what a line shares with the start of the line before becomes one byte, the length of the shared part.
 *
 * Layout: the value that stands for "nothing shared", then the lines; a shared length is that value plus the length, out of
 * a range of values that the text leaves free.
 */
import { checkLength, concat, freeValues, handedThrough, toBytes, toText, unchanged } from './transform.mjs';

/**
 * The longest run of free values: start and how many.
 * @param {readonly number[]} free ascending
 */
function longestRange(free) {
  let best = { start: 0, length: 0 };
  let start = 0;
  free.forEach((value, at) => {
    if (at === 0 || value !== (free[at - 1] ?? 0) + 1) start = at;
    const length = at - start + 1;
    if (length > best.length) best = { start: free[start] ?? 0, length };
  });
  return best;
}

/** @type {import('./transform.mjs').Transform} */
export const frontCoding = {
  id: 10,
  name: 'front',
  apply(bytes) {
    const { start, length: room } = longestRange(freeValues(bytes));
    if (room < 3) return unchanged(bytes);
    let before = '';
    const lines = toText(bytes)
      .split('\n')
      .map((line) => {
        let shared = 0;
        while (shared < room - 1 && shared < line.length && line[shared] === before[shared]) shared += 1;
        before = line;
        // One shared character saves nothing.
        return shared < 2 ? line : String.fromCharCode(start + shared) + line.slice(shared);
      });
    return concat([Uint8Array.of(start, room), toBytes(lines.join('\n'))]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const start = bytes[0] ?? 0;
    const room = bytes[1] ?? 0;
    let before = '';
    let length = 0;
    const lines = toText(bytes.subarray(2))
      .split('\n')
      .map((line) => {
        const shared = line.charCodeAt(0) - start;
        before = shared >= 2 && shared < room ? before.slice(0, shared) + line.slice(1) : line;
        length += before.length;
        checkLength(length);
        return before;
      });
    return toBytes(lines.join('\n'));
  },
};
