/**
 * A self-contained encoding: `decode` needs nothing but its bytes, so its length is the honest size.
 *
 * Layout: one byte with the coder (low two bits) and the number of transforms, one byte for each transform, then what the
 * coder made. Amounts are not kept: a transformed text holds what its inverse needs.
 */
import { TRANSFORM_BY_ID, TRANSFORM_BY_NAME } from '../transforms/index.mjs';
import { CODERS } from './coders.mjs';
import { CHAIN_MAX, coderOf, writeChain } from './recipe.mjs';

/** @param {string} name */
function transformOf(name) {
  const transform = TRANSFORM_BY_NAME.get(name);
  if (transform === undefined) throw new Error(`no transform is called ${name}`);
  return transform;
}

/**
 * An encoder of one text. It applies a chain once, however many recipes start with it.
 * @param {Uint8Array} bytes
 * @returns {(recipe: import('./recipe.mjs').Recipe) => Promise<Uint8Array>}
 */
export function encoderOf(bytes) {
  /** @type {Map<string, Uint8Array>} */
  const transformed = new Map([['', bytes]]);

  /**
   * @param {readonly import('./recipe.mjs').Step[]} chain
   * @returns {Uint8Array}
   */
  function applied(chain) {
    const key = writeChain(chain);
    const known = transformed.get(key);
    if (known !== undefined) return known;
    const step = chain[chain.length - 1];
    const made = transformOf(step.name).apply(applied(chain.slice(0, -1)), step.amount ?? 0);
    transformed.set(key, made);
    return made;
  }

  return async ({ chain, coder, parameters }) => {
    const header = [coderOf(coder).id + 4 * chain.length, ...chain.map(({ name }) => transformOf(name).id)];
    const body = await coderOf(coder).compress(applied(chain), parameters);
    return new Uint8Array(Buffer.concat([Uint8Array.from(header), body]));
  };
}

/**
 * @param {Uint8Array} encoding
 * @returns {Promise<Uint8Array>} rejects with an Error that says what is wrong with the bytes
 */
export async function decode(encoding) {
  const first = encoding[0];
  if (first === undefined) throw new Error('an encoding has at least its first byte');
  const steps = Math.floor(first / 4);
  if (steps > CHAIN_MAX || encoding.length <= steps) throw new Error('the header is cut off or damaged');
  const coder = Object.values(CODERS).find(({ id }) => id === first % 4);
  if (coder === undefined) throw new Error('no coder has that number');
  let text = await coder.decompress(encoding.subarray(1 + steps));
  for (const id of encoding.subarray(1, 1 + steps).toReversed()) {
    const transform = TRANSFORM_BY_ID.get(id);
    if (transform === undefined) throw new Error(`no transform has the number ${id}`);
    text = transform.invert(text);
  }
  return text;
}
