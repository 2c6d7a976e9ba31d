/**
 * RFC 8785 canonical JSON: one value, one text, on any machine.
 *
 * Refuses what JSON cannot say (undefined, functions, symbols, NaN, Infinity, BigInt, lone surrogates)
 * instead of printing something that reads back differently.
 */
import canonicalize from 'canonicalize';

/** Anything that JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Thrown for a value that has no canonical JSON: always a bug of the caller, never a child's doing. */
export class CanonicalJsonError extends Error {
  readonly code = 'NOT_CANONICAL_JSON';
}

/** Depth to which a value is followed; a packet is bounded far below it (02 Reading). */
export const CANONICAL_DEPTH_MAX = 512;

/**
 * The canonical text of a value. Object members whose value is `undefined` are left out, as in `JSON.stringify`.
 * @throws CanonicalJsonError for what JSON cannot say, naming its path.
 */
export function canonicalJson(value: unknown): string {
  assertJson(value, '$', 0);
  const text = canonicalize(value);
  if (text === undefined) throw new CanonicalJsonError('$ has no JSON form');
  return text;
}

function assertJson(value: unknown, path: string, depth: number): void {
  if (depth > CANONICAL_DEPTH_MAX) throw new CanonicalJsonError(`${path} is nested too deeply`);
  switch (typeof value) {
    case 'boolean':
      return;
    case 'string':
      if (!value.isWellFormed()) throw new CanonicalJsonError(`${path} holds half a surrogate pair`);
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new CanonicalJsonError(`${path} is ${value}, which JSON cannot say`);
      return;
    case 'object': {
      if (value === null) return;
      if (Array.isArray(value)) {
        // By index: `forEach` steps over holes, which would then be printed as nothing at all.
        for (let index = 0; index < value.length; index += 1) {
          assertJson(value[index], `${path}[${index}]`, depth + 1);
        }
        return;
      }
      if (!isPlain(value)) throw new CanonicalJsonError(`${path} is not plain data`);
      for (const [key, member] of Object.entries(value)) {
        if (member === undefined) continue;
        if (!key.isWellFormed()) throw new CanonicalJsonError(`${path} has a key with half a surrogate pair`);
        assertJson(member, `${path}.${key}`, depth + 1);
      }
      return;
    }
    default:
      throw new CanonicalJsonError(`${path} is a ${typeof value}, which JSON cannot say`);
  }
}

/** A class instance (a Date, a Map, a typed array) would print as something else than it is. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
