/**
 * A strict YAML 1.2 reader (02 Reading what a child sends): the core schema without tags, anchors, aliases,
 * directives and second documents, keys as strings, numbers as JSON spells them.
 *
 * Y1 Nesting is bounded on the tokens, before anything recursive sees the text: the library's composer overflows
 *    the stack at some 900 levels, and that cannot be caught.
 * Y2 Its messages quote the text, so only its codes are used.
 * Y3 Keys are compared here, by a set: the library compares each with each.
 */
import { PACKET_DEPTH_MAX } from '@x/protocol';
import { isMap, isPair, isScalar, isSeq, Lexer, parseDocument, type Scalar } from 'yaml';
import { faultAt, type ReadFault } from './read-fault.ts';
import type { ValueRead } from './read-json.ts';
import { readNumber } from './read-number.ts';

/** Columns to which structure may be indented: no packet of 32 levels needs more. */
const YAML_INDENT_MAX = 128;
/**
 * Tokens of the whole text: so many, and one for each four characters. Packets have one for seven or more; only floods
 * of punctuation have more, and the library takes some 20 µs for each.
 */
const YAML_TOKENS_FREE = 4_000;
const YAML_CHARACTERS_PER_TOKEN = 4;

/** The value of a YAML text, or where and why it has none. */
export function readYaml(text: string): ValueRead {
  const outside = tokenFault(text);
  if (outside !== null) return outside;
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    stringKeys: true,
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    // `silent` would also hide that there is a second document; nothing is printed by this function.
    logLevel: 'error',
    keepSourceTokens: false,
  });
  const [finding] = [...document.errors, ...document.warnings];
  if (finding !== undefined) {
    return faultAt([], `YAML 1.2 without errors (line ${lineOf(text, finding.pos[0])}: ${finding.code})`);
  }
  return valueOf(document.contents, [], 1);
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/**
 * What the tokens alone show: forbidden constructs, an upper bound of the nesting, and flow punctuation that the
 * library would answer with an error object for each character.
 */
function tokenFault(text: string): ReadFault | null {
  let flow = 0;
  let indicators = 0;
  let indent = 0;
  let tokens = 0;
  let lineStart = true;
  let commaAllowed = false;
  const tokensMax = YAML_TOKENS_FREE + Math.floor(text.length / YAML_CHARACTERS_PER_TOKEN);
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > tokensMax) return faultAt([], `at most ${tokensMax} tokens of YAML for its length`);
    const kind = token.charAt(0);
    if (token === '\n' || token === '\r\n') {
      lineStart = true;
      indicators = 0;
      indent = 0;
    } else if (kind === ' ' || kind === '\t') {
      if (lineStart) indent = token.length;
    } else if (kind !== '#') {
      const construct = FORBIDDEN[kind];
      if (construct !== undefined) return faultAt([], `YAML without ${construct}`);
      if (lineStart && indent > YAML_INDENT_MAX) return tooDeep();
      lineStart = false;
      if (token === ',' && !commaAllowed) return faultAt([], 'YAML with an entry before each comma');
      if (token === '{' || token === '[') flow += 1;
      else if (token === '}' || token === ']') flow -= 1;
      else if (flow === 0 && (token === '-' || token === '?' || token === ':')) indicators += 1;
      commaAllowed = token !== ',' && token !== '{' && token !== '[';
      if (flow < 0) return faultAt([], 'YAML with an opening bracket for each closing one');
      if (flow > PACKET_DEPTH_MAX || indicators > PACKET_DEPTH_MAX) return tooDeep();
    }
  }
  return null;
}

/** By the first character of a token. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  '&': 'anchors and aliases',
  '*': 'anchors and aliases',
  '!': 'tags',
  '%': 'directives',
};

function tooDeep(): ReadFault {
  return faultAt([], `at most ${PACKET_DEPTH_MAX} levels of nesting`);
}

function valueOf(node: unknown, path: readonly (string | number)[], depth: number): ValueRead {
  if (node === null) return { ok: true, value: null };
  if (isScalar(node)) return scalarOf(node, path);
  if (depth > PACKET_DEPTH_MAX) return faultAt(path, `at most ${PACKET_DEPTH_MAX} levels of nesting`);
  if (isSeq(node)) {
    const array: unknown[] = [];
    for (const item of node.items) {
      const read = valueOf(item, [...path, array.length], depth + 1);
      if (!read.ok) return read;
      array.push(read.value);
    }
    return { ok: true, value: array };
  }
  if (isMap(node)) {
    const object = Object.create(null) as Record<string, unknown>;
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key) || typeof pair.key.value !== 'string') {
        return faultAt(path, 'keys that are strings');
      }
      const key = pair.key.value;
      const inside = [...path, key];
      if (key in object) return faultAt(inside, 'each key once');
      const read = valueOf(pair.value, inside, depth + 1);
      if (!read.ok) return read;
      object[key] = read.value;
    }
    return { ok: true, value: object };
  }
  return faultAt(path, 'a value without references');
}

function scalarOf(node: Scalar, path: readonly (string | number)[]): ValueRead {
  const { value } = node;
  if (typeof value === 'string') {
    return value.isWellFormed()
      ? { ok: true, value }
      : faultAt(path, 'whole characters, not half a surrogate pair');
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = readNumber(node.source ?? '');
    return number.ok ? number : faultAt(path, number.expected);
  }
  if (typeof value === 'boolean' || value === null) return { ok: true, value };
  return faultAt(path, 'a value that JSON has');
}
