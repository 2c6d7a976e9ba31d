/**
 * Burrows–Wheeler: sorts all rotations of the bytes and keeps their last column, which gathers what stands before equal
 * contexts. The rotations are sorted by doubling the compared length, with counting sort: n log n at worst.
 *
 * Layout: the row of the original (7-bit groups), then the last column.
 */
import { concat, readVarint, varint } from './transform.mjs';

/**
 * Rotations of the bytes in sorted order, as start positions; equal rotations in any order.
 *
 * `rank` is the class of each rotation among those compared by their first `length` bytes. Rotations in order of the half
 * that begins `length` further on are known, so one stable counting sort by rank compares twice the length.
 * @param {Uint8Array} bytes
 */
export function sortedRotations(bytes) {
  const n = bytes.length;
  let rank = Int32Array.from(bytes);
  let nextRank = new Int32Array(n);
  let classes = 256;
  let order = sortedBy(
    rank,
    classes,
    Int32Array.from({ length: n }, (_, at) => at),
  );
  for (let length = 0; length < n; length = Math.max(1, 2 * length)) {
    if (length > 0) {
      const later = order.map((at) => (at >= length ? at - length : at - length + n));
      order = sortedBy(rank, classes, later);
    }
    let last = 0;
    for (let at = 1; at < n; at++) {
      const [here, before] = [order[at], order[at - 1]];
      const differ =
        rank[here] !== rank[before] ||
        (length > 0 && rank[wrapped(here + length, n)] !== rank[wrapped(before + length, n)]);
      if (differ) last += 1;
      nextRank[here] = last;
    }
    if (n > 0) nextRank[order[0]] = 0;
    [rank, nextRank] = [nextRank, rank];
    classes = last + 1;
    if (classes === n) break;
  }
  return order;
}

/** @param {number} at @param {number} n */
function wrapped(at, n) {
  return at < n ? at : at - n;
}

/**
 * The positions in order of their rank, those of equal rank as they stand.
 * @param {Int32Array} rank below `classes`
 * @param {number} classes
 * @param {Int32Array} positions
 */
function sortedBy(rank, classes, positions) {
  const starts = new Int32Array(classes + 1);
  for (const value of rank) starts[value + 1] += 1;
  for (let value = 1; value <= classes; value++) starts[value] += starts[value - 1];
  const sorted = new Int32Array(positions.length);
  for (const at of positions) sorted[starts[rank[at]]++] = at;
  return sorted;
}

/** @type {import('./transform.mjs').Transform} */
export const burrowsWheeler = {
  id: 6,
  name: 'bwt',
  apply(bytes) {
    const n = bytes.length;
    const order = sortedRotations(bytes);
    const last = new Uint8Array(n);
    let row = 0;
    for (let at = 0; at < n; at++) {
      if (order[at] === 0) row = at;
      last[at] = bytes[(order[at] - 1 + n) % n];
    }
    return concat([varint(row), last]);
  },
  invert(bytes) {
    const { value: row, next } = readVarint(bytes, 0);
    const last = bytes.subarray(next);
    const n = last.length;
    if (row > 0 && row >= n) throw new Error(`row ${row} of ${n}`);
    const starts = new Int32Array(257);
    for (const byte of last) starts[byte + 1] += 1;
    for (let value = 1; value < 257; value++) starts[value] += starts[value - 1];
    const before = new Int32Array(n);
    for (let at = 0; at < n; at++) before[at] = starts[last[at]]++;
    const out = new Uint8Array(n);
    for (let at = n - 1, here = row; at >= 0; at--) {
      out[at] = last[here];
      here = before[here];
    }
    return out;
  },
};
