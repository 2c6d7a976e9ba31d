/**
 * The part of YAML that a teams file uses: maps, lists and text, written out.
 *
 * Boundary: nodes of the library in, names and nodes out; what they mean is decided by the callers.
 */
import { isAlias, isMap, isScalar } from 'yaml';
import type { Node, Pair, Scalar, YAMLMap } from 'yaml';
import { quoted } from '../inert-text.ts';
import type { FaultLog } from './fault-log.ts';

/** What `name:`, `name: ~` and `name: null` have for a value. Quoted, `"null"` is text. */
const EMPTY_SCALARS: ReadonlySet<unknown> = new Set(['', '~', 'null', 'Null', 'NULL']);

/** Tags that say what is so anyway. */
const PLAIN_TAGS: ReadonlySet<string> = new Set([
  'tag:yaml.org,2002:str',
  'tag:yaml.org,2002:seq',
  'tag:yaml.org,2002:map',
]);

/** Whether nothing was written, as opposed to an empty text (`""`). */
export function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.type === 'PLAIN' && EMPTY_SCALARS.has(node.value);
}

/** Reports an alias or a foreign tag, neither of which is ever resolved. */
export function isUnresolved(node: Node, log: FaultLog): boolean {
  if (isAlias(node)) {
    log.report(
      node,
      'YAML_FEATURE',
      `the alias ${quoted(`*${node.source}`)} is not followed: write the value out`,
    );
    return true;
  }
  if (node.tag !== undefined && !PLAIN_TAGS.has(node.tag)) {
    log.report(
      node,
      'YAML_FEATURE',
      `the tag ${quoted(node.tag)} is not accepted: every value is text as written`,
    );
    return true;
  }
  return false;
}

export interface NamedValue {
  readonly key: Scalar;
  readonly name: string;
  /** Null where the key has no node for a value at all. */
  readonly value: Node | null;
}

/**
 * The pairs of a map whose keys are text, each name once; the others are reported.
 *
 * @param what what a key names, for the messages: `team`, `key`
 */
export function namedValues(map: YAMLMap, what: string, log: FaultLog): NamedValue[] {
  const firsts = new Map<string, Node>();
  return map.items.flatMap((pair): NamedValue[] => {
    // The library types items of a parsed map as unknown; both sides are nodes or null by its parser.
    const { key, value } = pair as Pair<Node | null, Node | null>;
    if (key === null || !isScalar(key) || isEmptyScalar(key)) {
      log.report(
        key ?? value ?? map,
        'WRONG_SHAPE',
        `a ${what} is named by one word of text before the colon`,
      );
      return [];
    }
    if (isUnresolved(key, log)) return [];
    const name = String(key.value);
    const first = firsts.get(name);
    if (first !== undefined) {
      log.report(
        key,
        'DUPLICATE',
        `${what} ${quoted(name)} stands here twice: the first is at line ${log.lineOf(first)}`,
      );
      return [];
    }
    firsts.set(name, key);
    return [{ key, name, value }];
  });
}

/** What a node is, in the words of a message. */
export function kindOf(node: Node): 'a map' | 'a list' | 'text' {
  if (isScalar(node)) return 'text';
  return isMap(node) ? 'a map' : 'a list';
}
