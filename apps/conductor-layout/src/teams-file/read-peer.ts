/** One item of a team's list → a peer, or its faults at their places. */
import { isMap, isScalar } from 'yaml';
import type { Node, Scalar } from 'yaml';
import { isAbsolute, normalize } from 'node:path/posix';
import { quoted } from '../inert-text.ts';
import type { FaultLog } from './fault-log.ts';
import { nearestWord } from './nearest.ts';
import { parsePeer, PEER_KEYS, PLAIN_VALUE } from './peer.ts';
import type { Peer } from './peer.ts';
import { isEmptyScalar, isUnresolved, kindOf, namedValues } from './plain-yaml.ts';
import type { NamedValue } from './plain-yaml.ts';

/** The characters of a plain value, in words. */
export const ACCEPTED_CHARS = 'letters, digits and . _ / , - are accepted';

export interface ReadPeer {
  /** Null where something in it was reported. */
  readonly peer: Peer | null;
  /** The name as written, good or bad, for telling twins; null where there is none. */
  readonly name: Scalar | null;
}

export function readPeer(node: Node, log: FaultLog): ReadPeer {
  if (isUnresolved(node, log)) return { peer: null, name: null };
  if (!isMap(node)) {
    log.report(
      node,
      'WRONG_SHAPE',
      `a peer is a map, not ${kindOf(node)}: write \`- name: …\` and its other keys below`,
    );
    return { peer: null, name: null };
  }
  const pairs = new Map(namedValues(node, 'key', log).map((pair) => [pair.name, pair]));
  const { values, spoiled } = plainValues(pairs, log);
  const parsed = parsePeer(values);
  if (!parsed.success) reportIssues(parsed.error.issues, { node, pairs, spoiled }, log);
  const envFile = values['env_file'];
  const isEscaping = typeof envFile === 'string' && !spoiled.has('env_file') && !isInsideRepository(envFile);
  if (isEscaping && PLAIN_VALUE.test(envFile)) {
    const message = `env_file ${quoted(envFile)}: give a path inside the repository, relative to it`;
    log.report(pairs.get('env_file')?.value ?? node, 'VALUE_REFUSED', message);
  }
  const name = pairs.get('name')?.value;
  const peer = parsed.success && spoiled.size === 0 && !isEscaping ? parsed.data : null;
  return { peer, name: isScalar(name) ? name : null };
}

interface PeerSource {
  readonly node: Node;
  readonly pairs: ReadonlyMap<string, NamedValue>;
  /** Keys whose values are already reported: nothing more is said about them. */
  readonly spoiled: ReadonlySet<string>;
}

/** The values as plain text. Null prototype: `__proto__` is a key like any other, and an unknown one. */
function plainValues(
  pairs: ReadonlyMap<string, NamedValue>,
  log: FaultLog,
): { values: Record<string, unknown>; spoiled: Set<string> } {
  const values: Record<string, unknown> = Object.create(null);
  const spoiled = new Set<string>();
  for (const { key, name, value } of pairs.values()) {
    values[name] = '';
    if (!PEER_KEYS.includes(name)) continue;
    if (value === null || isEmptyScalar(value)) {
      log.report(value ?? key, 'VALUE_REFUSED', `${name} is empty: give it a value, or leave the key out`);
      spoiled.add(name);
    } else if (isUnresolved(value, log)) {
      spoiled.add(name);
    } else if (!isScalar(value)) {
      const hint = name === 'extensions' ? ': write them in one word, as web-tools,db' : '';
      log.report(value, 'WRONG_SHAPE', `${name} is one value, not ${kindOf(value)}${hint}`);
      spoiled.add(name);
    } else {
      values[name] = String(value.value);
    }
  }
  return { values, spoiled };
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

function reportIssues(issues: readonly Issue[], source: PeerSource, log: FaultLog): void {
  const meant = new Set<string>();
  for (const name of issues.flatMap((issue) => issue.keys ?? [])) {
    const nearest = nearestWord(name, PEER_KEYS);
    if (nearest !== undefined) meant.add(nearest);
    const hint = nearest === undefined ? '' : ` — did you mean ${nearest}?`;
    const key = source.pairs.get(name)?.key ?? source.node;
    log.report(
      key,
      'UNKNOWN_KEY',
      `a peer has no key ${quoted(name)}${hint} Its keys are ${PEER_KEYS.join(', ')}`,
    );
  }
  for (const key of issues.flatMap((issue) => (issue.keys === undefined ? [String(issue.path[0])] : []))) {
    const pair = source.pairs.get(key);
    if (source.spoiled.has(key)) continue;
    if (pair !== undefined) log.report(pair.value ?? pair.key, 'VALUE_REFUSED', refusal(key, source));
    // A mistyped key, or a runner that is none, is one slip: what follows from it is not told as another.
    else if (!meant.has(key) && !(key === 'persona' && source.pairs.has('runner'))) {
      const unless = key === 'persona' ? ' (only a peer with `runner: claude-code` needs none)' : '';
      log.report(source.node, 'MISSING_KEY', `this peer has no ${key}${unless}`);
    }
  }
}

function refusal(key: string, { pairs }: PeerSource): string {
  const shown = quoted(textOf(pairs.get(key)));
  if (key === 'runner')
    return `runner ${shown}: claude-code is the only one; leave the key out for the usual harness`;
  if (key === 'extensions' && textOf(pairs.get('runner')) === 'claude-code') {
    return `extensions ${shown}: a peer with runner claude-code takes none`;
  }
  return `${key} ${shown}: only ${ACCEPTED_CHARS}`;
}

function textOf(pair: NamedValue | undefined): string {
  return isScalar(pair?.value) ? String(pair.value.value) : '';
}

/** Whether a path stays inside the folder that it is relative to, and names something in it. By its text alone. */
function isInsideRepository(path: string): boolean {
  const normal = normalize(path);
  return (
    !isAbsolute(normal) && normal !== '.' && normal !== './' && normal !== '..' && !normal.startsWith('../')
  );
}
