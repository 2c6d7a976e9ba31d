/**
 * Word substitution: the words that cost most become one byte each, out of the byte values that the text leaves free.
 *
 * Layout: number of words, the ranges of free values used as codes (count, then start and length of each), the words each
 * ended by a newline, then the text.
 */
import { checkLength, concat, freeValues, handedThrough, toBytes, toText, unchanged } from './transform.mjs';

/** A run of letters; the `s` at its end stays outside, so that a word and its plural share one code. */
const WORD = /[A-Za-z]{2,}?(?=s?(?![A-Za-z]))/g;

/**
 * The words that save most bytes, at most `most` of them, in an order that depends on the text alone.
 * @param {string} text
 * @param {number} most
 */
function costliest(text, most) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => ({ word, saved: (word.length - 1) * count - word.length - 1 }))
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => b.saved - a.saved || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map(({ word }) => word)
    .sort();
}

/**
 * @param {readonly number[]} values ascending
 * @returns {number[]} count, then start and length of each range
 */
function ranges(values) {
  /** @type {[number, number][]} */
  const found = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === value) last[1] += 1;
    else found.push([value, 1]);
  }
  return [found.length, ...found.flat()];
}

/** @type {import('./transform.mjs').Transform} */
export const words = {
  id: 4,
  name: 'words',
  amounts: [40, 80, 160],
  apply(bytes, amount) {
    const text = toText(bytes);
    const free = freeValues(bytes);
    const table = costliest(text, Math.min(amount, free.length, 255));
    if (table.length === 0) return unchanged(bytes);
    const codes = free.slice(0, table.length);
    const codeOf = new Map(table.map((word, at) => [word, String.fromCharCode(codes[at] ?? 0)]));
    return concat([
      Uint8Array.of(table.length, ...ranges(codes)),
      toBytes(table.map((word) => `${word}\n`).join('')),
      toBytes(text.replace(WORD, (word) => codeOf.get(word) ?? word)),
    ]);
  },
  invert(bytes) {
    const through = handedThrough(bytes);
    if (through !== null) return through;
    const count = bytes[0] ?? 0;
    const rangesEnd = 2 + 2 * (bytes[1] ?? 0);
    const codes = [];
    for (let at = 2; at < rangesEnd; at += 2) {
      for (let step = 0; step < (bytes[at + 1] ?? 0); step++) codes.push((bytes[at] ?? 0) + step);
    }
    const text = toText(bytes.subarray(rangesEnd));
    const wordOf = new Map();
    let at = 0;
    for (let nth = 0; nth < count; nth++) {
      const end = text.indexOf('\n', at);
      const code = codes[nth];
      if (end === -1 || code === undefined) throw new Error(`word ${nth + 1} of ${count} is missing`);
      wordOf.set(code, text.slice(at, end));
      at = end + 1;
    }
    let out = '';
    for (; at < text.length; at++) {
      out += wordOf.get(text.charCodeAt(at)) ?? text[at];
      checkLength(out.length);
    }
    return toBytes(out);
  },
};
