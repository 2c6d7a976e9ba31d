/**
 * Canonical JSON, RFC 8785: one value, one text, on every machine.
 *
 * Boundary: values in, text out; nothing is read from a clock, a locale or a file.
 * 1. What has no meaning in JSON (undefined, functions, symbols, bigint, NaN, ±Infinity, lone surrogates, holes,
 *    dates and other class instances) is refused with its path, never dropped, never turned into null.
 * 2. Keys stand sorted by UTF-16 code unit; `-0` is `0`.
 * 3. Nesting is bounded by `depthMax`, which also ends a cycle.
 *
 * Why not the library `canonicalize`: it drops undefined members, calls `toJSON`, and costs four times JSON.stringify.
 * Here the usual case, keys that stand sorted already, is one check and one native JSON.stringify.
 * The library is the oracle in the tests.
 */
import { LedgerError } from './error.ts';

/** Deepest nesting of arrays and objects that has a canonical form here. */
export const depthMax = 512;

/** A value without a canonical form: `path` is a JSON pointer-like place (`$.a[0]`), `found` says what stands there. */
export type NotJson = { readonly status: 'not_json'; readonly path: string; readonly found: string };

/** The canonical text of a value. */
export type Canonical = { readonly status: 'canonical'; readonly text: string };

type Place = readonly (string | number)[];
type Problem = { readonly place: Place; readonly found: string };

/**
 * The canonical text of any value, or the place and kind of what has none. Never throws.
 *
 * Implements 03 Ledger ("RFC 8785 canonical JSON").
 */
export const canonicalize = (value: unknown): Canonical | NotJson => {
  const order = survey(value, 0);
  if (order !== 'not_json') {
    const text = order === 'sorted' ? JSON.stringify(value) : serialize(value);
    // JSON.stringify writes `\ud…` for a lone surrogate and, as a backslash in the data is doubled, seldom for anything else.
    if (!text.includes('\\ud')) return { status: 'canonical', text };
    if (findProblem(value, []) === null) return { status: 'canonical', text };
  }
  const problem = findProblem(value, []) ?? { place: [], found: 'no JSON' };
  return { status: 'not_json', path: showPlace(problem.place), found: problem.found };
};

/** The canonical text of a value known to be JSON. Throws `LedgerError` `NOT_JSON` otherwise: a bug of the caller. */
export const canonicalJson = (value: unknown): string => {
  const result = canonicalize(value);
  if (result.status === 'canonical') return result.text;
  throw new LedgerError('NOT_JSON', `${result.path}: found ${result.found}, which has no canonical JSON`);
};

type Order = 'sorted' | 'unsorted' | 'not_json';

/** The fast look: are all values JSON (strings aside), and do all keys stand sorted already? */
const survey = (value: unknown, depth: number): Order => {
  if (isLeaf(value)) return 'sorted';
  if (typeof value !== 'object' || value === null || depth >= depthMax) return 'not_json';
  let order: Order = 'sorted';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const member: unknown = value[index];
      if (isLeaf(member)) continue;
      const below = survey(member, depth + 1);
      if (below === 'not_json') return below;
      if (below === 'unsorted') order = below;
    }
    return order;
  }
  if (!isPlain(value)) return 'not_json';
  let previous = '';
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (previous > key) order = 'unsorted';
    previous = key;
    if (isLeaf(member)) continue;
    const below = survey(member, depth + 1);
    if (below === 'not_json') return below;
    if (below === 'unsorted') order = below;
  }
  return order;
};

const isLeaf = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'boolean' ||
  value === null;

/** The slow way, for values that `survey` found to be JSON: sorts each object's keys. */
const serialize = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`;
  const members = Object.entries(value)
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([key, member]) => `${JSON.stringify(key)}:${serialize(member)}`);
  return `{${members.join(',')}}`;
};

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const loneSurrogate = /\p{Surrogate}/u;

/** The first thing in a value that is not JSON, for the refusal. */
const findProblem = (value: unknown, place: Place): Problem | null => {
  if (typeof value === 'string')
    return loneSurrogate.test(value) ? { place, found: 'a lone surrogate' } : null;
  if (isLeaf(value)) return null;
  if (typeof value !== 'object' || value === null) return { place, found: kindOf(value) };
  if (place.length >= depthMax) return { place: [], found: `nesting deeper than ${depthMax}, or a cycle` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const problem = findProblem(value[index], [...place, index]);
      if (problem !== null) return problem;
    }
    return null;
  }
  if (!isPlain(value)) return { place, found: kindOf(value) };
  for (const [key, member] of Object.entries(value)) {
    if (loneSurrogate.test(key)) return { place, found: 'a key with a lone surrogate' };
    const problem = findProblem(member, [...place, key]);
    if (problem !== null) return problem;
  }
  return null;
};

/** Plain: `{}` or a null prototype, of this realm or another. Dates, maps and class instances are not. */
const isPlain = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
};

const kindOf = (value: unknown): string => {
  if (value === undefined) return 'undefined';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return `an instance of ${value.constructor.name}`;
  return `a ${typeof value}`;
};

const showPlace = (place: Place): string => {
  const shown = place.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `$${shown.join('')}`;
};
