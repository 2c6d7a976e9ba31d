/**
 * Case modelling: `The` becomes flag + `the`, `PACKET` another flag + `packet`, so that both share their statistics with
 * the words in small letters.
 *
 * Layout: the flag of one capital, the flag of a run of capitals, then the text in small letters.
 */
import { concat, freeValues, handedThrough, toBytes, toText, unchanged } from './transform.mjs';

/** @type {import('./transform.mjs').Transform} */
export const letterCase = {
  id: 3,
  name: 'case',
  apply(bytes) {
    const [one, run] = freeValues(bytes);
    if (one === undefined || run === undefined) return unchanged(bytes);
    const [oneMark, runMark] = [String.fromCharCode(one), String.fromCharCode(run)];
    // A run ends where the small letters after its flag end, so one that a small letter follows gives up its last capital.
    const text = toText(bytes).replace(/[A-Z]{2,}(?![a-z])|[A-Z]/g, (capitals) =>
      capitals.length === 1 ? oneMark + capitals.toLowerCase() : runMark + capitals.toLowerCase(),
    );
    return concat([Uint8Array.of(one, run), toBytes(text)]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const oneMark = String.fromCharCode(bytes[0] ?? 0);
    const runMark = String.fromCharCode(bytes[1] ?? 0);
    const out = [];
    const text = toText(bytes.subarray(2));
    for (let at = 0; at < text.length; at++) {
      const char = text[at] ?? '';
      if (char === oneMark) {
        at += 1;
        out.push((text[at] ?? '').toUpperCase());
      } else if (char === runMark) {
        while (/[a-z]/.test(text[at + 1] ?? '')) out.push((text[++at] ?? '').toUpperCase());
      } else {
        out.push(char);
      }
    }
    return toBytes(out.join(''));
  },
};
