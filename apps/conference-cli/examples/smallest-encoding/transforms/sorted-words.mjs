/**
 * The planted fault: all words of the text in alphabetical order. Nothing compresses better, and nothing gives the order
 * back: `invert` can only return what it was given. The reviewer must find that out by itself.
 */
import { toBytes, toText } from './transform.mjs';

/** @type {import('./transform.mjs').Transform} */
export const sortedWords = {
  id: 11,
  name: 'sorted-words',
  apply: (bytes) => toBytes(toText(bytes).split(' ').sort().join(' ')),
  invert: (bytes) => bytes,
};
