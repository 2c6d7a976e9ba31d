/**
 * Zero runs: a run of zeros becomes its length in digits 0 and 1 (bijective, lowest first), every other value moves up
 * by one; 254 and 255 need a second byte.
 */
import { checkLength } from './transform.mjs';

const ESCAPE = 255;

/** @type {import('./transform.mjs').Transform} */
export const zeroRuns = {
  id: 8,
  name: 'zeros',
  apply(bytes) {
    const out = [];
    for (let at = 0; at < bytes.length;) {
      const value = bytes[at];
      if (value !== 0) {
        if (value < ESCAPE - 1) out.push(value + 1);
        else out.push(ESCAPE, value - (ESCAPE - 1));
        at += 1;
        continue;
      }
      let run = 0;
      for (; bytes[at] === 0; at++) run += 1;
      // Bijective base 2: run + 1 in binary without its leading one.
      for (let rest = run + 1; rest > 1; rest = Math.floor(rest / 2)) out.push(rest % 2);
    }
    return Uint8Array.from(out);
  },
  invert(bytes) {
    let out = new Uint8Array(2 * bytes.length);
    let length = 0;
    for (let at = 0; at < bytes.length;) {
      const value = bytes[at];
      if (length === out.length) out = enlarged(out, 2 * length);
      if (value > 1) {
        const escaped = value === ESCAPE;
        out[length++] = escaped ? ESCAPE - 1 + bytes[at + 1] : value - 1;
        at += escaped ? 2 : 1;
        continue;
      }
      let run = 0;
      for (let weight = 1; bytes[at] < 2; at++, weight *= 2) run += weight * (1 + bytes[at]);
      checkLength(length + run);
      if (length + run > out.length) out = enlarged(out, 2 * (length + run));
      length += run;
    }
    return out.subarray(0, length);
  },
};

/**
 * @param {Uint8Array} bytes
 * @param {number} length
 */
function enlarged(bytes, length) {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
