/**
 * Measurements: encode, decode, compare every byte, count. The lanes measure what they claim; the reviewer measures the
 * same recipes again in a process of its own.
 */
import { decode, encoderOf } from './encoding.mjs';

/**
 * @typedef {object} Measured
 * @property {number} size bytes of the encoding
 * @property {string | null} fault why the encoding is none: what decoding gives back instead of the text; null if all is well
 */

/**
 * Measures each recipe, several at once.
 * @param {Uint8Array} corpus
 * @param {readonly import('./recipe.mjs').Recipe[]} recipes
 * @returns {Promise<Measured[]>} in the order of the recipes
 */
export async function measureAll(corpus, recipes) {
  const encode = encoderOf(corpus);
  return Promise.all(
    recipes.map(async (recipe) => {
      const encoding = await encode(recipe);
      return { size: encoding.length, fault: await faultOf(corpus, encoding) };
    }),
  );
}

/**
 * @param {Uint8Array} corpus
 * @param {Uint8Array} encoding
 */
async function faultOf(corpus, encoding) {
  let decoded;
  try {
    decoded = await decode(encoding);
  } catch (error) {
    return `decoding fails (${error instanceof Error ? error.message : String(error)})`;
  }
  if (Buffer.compare(corpus, decoded) === 0) return null;
  const at = corpus.findIndex((byte, position) => byte !== decoded[position]);
  return at === -1
    ? `decoding gives ${decoded.length} bytes instead of ${corpus.length}`
    : `decoding gives another text from byte ${at + 1} on`;
}
