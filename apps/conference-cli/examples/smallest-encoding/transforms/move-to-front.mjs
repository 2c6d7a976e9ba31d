/** Move to front: each byte becomes its place in a list of recently seen ones. Runs become zeros. */

/** @type {import('./transform.mjs').Transform} */
export const moveToFront = {
  id: 7,
  name: 'mtf',
  apply: (bytes) =>
    recode(
      bytes,
      (list, byte) => list.indexOf(byte),
      (_byte, place) => place,
    ),
  invert: (bytes) =>
    recode(
      bytes,
      (_list, byte) => byte,
      (value) => value,
    ),
};

/**
 * @param {Uint8Array} bytes
 * @param {(list: Uint8Array, byte: number) => number} placeOf where the byte's value stands in the list
 * @param {(value: number, place: number) => number} shown what goes out for it
 */
function recode(bytes, placeOf, shown) {
  const list = Uint8Array.from({ length: 256 }, (_, value) => value);
  return bytes.map((byte) => {
    const place = placeOf(list, byte);
    const value = list[place] ?? 0;
    list.copyWithin(1, 0, place);
    list[0] = value;
    return shown(value, place);
  });
}
