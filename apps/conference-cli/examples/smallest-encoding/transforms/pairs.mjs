/**
 * Byte pair encoding: the commonest pair of bytes becomes one free byte value, again and again.
 *
 * Layout: number of pairs, for each its code and its two bytes in the order they were made, then the bytes.
 */
import { checkLength, concat, freeValues, handedThrough, unchanged } from './transform.mjs';

/** Codes within codes, and so the second halves that wait; each code is made of earlier ones. */
const DEPTH_MAX = 256;
/** A rarer pair costs more in the table than it saves. */
const PAIR_COUNT_MIN = 6;

/**
 * The commonest pair of neighbours, the smaller one of equals.
 * @param {Uint8Array} bytes
 * @param {Uint32Array} counts 65,536 zeros, and zeros again afterwards
 */
function commonest(bytes, counts) {
  let best = { pair: 0, count: 0 };
  for (let at = 1; at < bytes.length; at++) counts[bytes[at - 1] * 256 + bytes[at]] += 1;
  for (let at = 1; at < bytes.length; at++) {
    const pair = bytes[at - 1] * 256 + bytes[at];
    const count = counts[pair];
    counts[pair] = 0;
    if (count > best.count || (count === best.count && count > 0 && pair < best.pair)) best = { pair, count };
  }
  return { first: best.pair >> 8, second: best.pair & 255, count: best.count };
}

/** @type {import('./transform.mjs').Transform} */
export const pairs = {
  id: 5,
  name: 'pairs',
  amounts: [16, 32, 64],
  apply(bytes, amount) {
    const free = freeValues(bytes);
    const counts = new Uint32Array(65_536);
    let text = bytes;
    const table = [];
    for (const code of free.slice(0, Math.min(amount, 255))) {
      const { first, second, count } = commonest(text, counts);
      if (count < PAIR_COUNT_MIN) break;
      const next = new Uint8Array(text.length);
      let length = 0;
      for (let at = 0; at < text.length; at++) {
        const both = text[at] === first && text[at + 1] === second;
        next[length++] = both ? code : (text[at] ?? 0);
        if (both) at += 1;
      }
      text = next.subarray(0, length);
      table.push(code, first, second);
    }
    if (table.length === 0) return unchanged(bytes);
    return concat([Uint8Array.of(table.length / 3, ...table), text]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const start = 1 + 3 * (bytes[0] ?? 0);
    if (bytes.length < start) throw new Error('the table of pairs is cut off');
    /** Code to its pair as one number; -1 for a byte that means itself. */
    const pairOf = new Int32Array(256).fill(-1);
    for (let at = 1; at < start; at += 3) pairOf[bytes[at]] = bytes[at + 1] * 256 + bytes[at + 2];
    const out = [];
    for (const byte of bytes.subarray(start)) {
      const open = [byte];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const pair = pairOf[next];
        if (pair === -1) out.push(next);
        else open.push(pair & 255, pair >> 8);
        // A damaged table may hold a code that means itself.
        if (open.length > DEPTH_MAX) throw new Error('the table of pairs goes round in circles');
        checkLength(out.length);
      }
    }
    return Uint8Array.from(out);
  },
};
