/**
 * What every transform is: a reversible change of bytes that makes the coder after it do better.
 *
 * T1  `invert(apply(bytes))` is `bytes`, for any bytes at all: a transform that cannot do its work on some input says so
 *     in its first byte and hands the input through.
 * T2  Whatever `invert` needs (flags, tables, positions) stands in the transformed bytes, so it counts in the size.
 * T3  Same bytes and argument, same result.
 * T4  `invert` is given bytes of unknown origin. It ends, and makes at most `LENGTH_MAX` bytes, or throws an Error.
 */

/**
 * @typedef {object} Transform
 * @property {number} id one byte in the header of an encoding; never reused
 * @property {string} name as recipes write it
 * @property {readonly number[]} [amounts] arguments worth trying, smallest first; absent for a transform without one
 * @property {(bytes: Uint8Array, amount: number) => Uint8Array} apply
 * @property {(bytes: Uint8Array) => Uint8Array} invert see T4
 */

/** Bytes that decoding makes at most: a few damaged ones must not fill the memory. */
export const LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Throws where decoding would make too much.
 * @param {number} length
 */
export function checkLength(length) {
  if (length > LENGTH_MAX) throw new Error(`decoding makes more than ${LENGTH_MAX} bytes`);
}

/** First byte of a transformed text whose transform had nothing to do or no room to do it. */
const UNCHANGED = 0;

/**
 * The bytes with the mark that says "handed through".
 * @param {Uint8Array} bytes
 */
export function unchanged(bytes) {
  return concat([Uint8Array.of(UNCHANGED), bytes]);
}

/**
 * What `unchanged` was given, or null where the transform did its work.
 * @param {Uint8Array} bytes
 */
export function handedThrough(bytes) {
  if (bytes.length === 0) throw new Error('a transformed text has at least its first byte');
  return bytes[0] === UNCHANGED ? bytes.subarray(1) : null;
}

/** @param {readonly Uint8Array[]} parts */
export function concat(parts) {
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * One character a byte: string functions then work on bytes.
 * @param {Uint8Array} bytes
 */
export function toText(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** @param {string} text made of characters up to 0xff */
export function toBytes(text) {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/**
 * The byte values from 1 that do not occur, ascending: room for flags and codes.
 * @param {Uint8Array} bytes
 */
export function freeValues(bytes) {
  const seen = new Uint8Array(256);
  for (const byte of bytes) seen[byte] = 1;
  const free = [];
  for (let value = 1; value < 256; value++) if (seen[value] === 0) free.push(value);
  return free;
}

/**
 * A whole number below 2^32 in 7-bit groups, lowest first.
 * @param {number} value
 */
export function varint(value) {
  const out = [];
  let rest = value;
  while (rest > 127) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
  return Uint8Array.from(out);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {{ value: number, next: number }}
 */
export function readVarint(bytes, at) {
  let value = 0;
  for (let group = 0; group < 5; group++) {
    const byte = bytes[at + group];
    if (byte === undefined) throw new Error('a number is cut off');
    value += (byte % 128) * 128 ** group;
    if (byte < 128) return { value, next: at + group + 1 };
  }
  throw new Error('a number has more than five groups');
}
