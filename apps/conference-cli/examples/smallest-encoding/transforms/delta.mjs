/** Byte delta: each byte becomes its difference from the one before. Made for samples and pixels, tried here on text. */

/** @type {import('./transform.mjs').Transform} */
export const delta = {
  id: 9,
  name: 'delta',
  apply: (bytes) => bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0)),
  invert(bytes) {
    let before = 0;
    return bytes.map((byte) => (before = (before + byte) & 255));
  },
};
