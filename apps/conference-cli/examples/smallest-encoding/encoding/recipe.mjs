/**
 * A recipe: everything needed to make an encoding again, as one line of text. It is the provenance of a measurement.
 *
 *   columns, case, words 64, brotli quality 11 lgwin 18 mode text
 *
 * Transforms in the order they are applied, each with its amount if it takes one, then the coder with its parameters;
 * a parameter left out has its usual value. One recipe has one spelling: `readRecipe` refuses every other.
 */
import { TRANSFORM_BY_NAME } from '../transforms/index.mjs';
import { CODERS } from './coders.mjs';

/** Transforms in one recipe; the header of an encoding has six bits for their number. */
export const CHAIN_MAX = 16;

/**
 * @typedef {{ readonly name: string, readonly amount?: number }} Step
 * @typedef {object} Recipe
 * @property {readonly Step[]} chain
 * @property {string} coder
 * @property {import('./coders.mjs').Parameters} parameters all of the coder's, none left out
 */

/**
 * A recipe of these parts; parameters that are not given have their usual value.
 * @param {readonly Step[]} chain
 * @param {string} coder
 * @param {import('./coders.mjs').Parameters} [parameters]
 * @returns {Recipe}
 */
export function recipe(chain, coder, parameters = {}) {
  const known = Object.entries(coderOf(coder).parameters);
  return {
    chain,
    coder,
    parameters: Object.fromEntries(known.map(([name, { usual }]) => [name, parameters[name] ?? usual])),
  };
}

/** @param {string} name */
export function coderOf(name) {
  const coder = Object.hasOwn(CODERS, name) ? CODERS[name] : undefined;
  if (coder === undefined)
    throw new Error(`expected one of ${Object.keys(CODERS).join(', ')}, found ${name}`);
  return coder;
}

/** @param {readonly Step[]} chain */
export function writeChain(chain) {
  return chain.map(({ name, amount }) => (amount === undefined ? name : `${name} ${amount}`)).join(', ');
}

/** @param {Recipe} it */
export function writeRecipe(it) {
  const said = Object.entries(coderOf(it.coder).parameters)
    .filter(([name, { usual, always }]) => always || it.parameters[name] !== usual)
    .map(([name]) => ` ${name} ${it.parameters[name]}`);
  const coder = it.coder + said.join('');
  return it.chain.length === 0 ? coder : `${writeChain(it.chain)}, ${coder}`;
}

/**
 * The recipe that a line of text spells, or null: a packet may hold any text there.
 * @param {string} text
 * @returns {Recipe | null}
 */
export function readRecipe(text) {
  const parts = text.split(', ');
  const [coder, ...said] = (parts.pop() ?? '').split(' ');
  if (coder === undefined || !Object.hasOwn(CODERS, coder) || parts.length > CHAIN_MAX) return null;
  const chain = parts.map(readStep);
  const known = coderOf(coder).parameters;
  /** @type {Record<string, import('./coders.mjs').Value>} */
  const parameters = {};
  for (let at = 0; at < said.length; at += 2) {
    const name = said[at] ?? '';
    const values = Object.hasOwn(known, name) ? known[name].values : [];
    const value = values.find((each) => String(each) === said[at + 1]);
    if (value === undefined) return null;
    parameters[name] = value;
  }
  const steps = chain.filter((step) => step !== null);
  if (steps.length < chain.length) return null;
  const found = recipe(steps, coder, parameters);
  return writeRecipe(found) === text ? found : null;
}

/**
 * @param {string} text
 * @returns {Step | null}
 */
function readStep(text) {
  const [, name = '', digits] = /^([a-z-]+)(?: ([1-9]\d{0,3}))?$/.exec(text) ?? [];
  const transform = TRANSFORM_BY_NAME.get(name);
  if (transform === undefined || (transform.amounts === undefined) !== (digits === undefined)) return null;
  return digits === undefined ? { name } : { name, amount: Number(digits) };
}
