/**
 * The text of a teams file → teams, or every fault in it with its place (06 Teams file).
 *
 * Boundary: pure; finding and reading the file are files of their own.
 *
 * T1  Values are taken as written: `no`, `1.10` and `0x10` are names, not a boolean and two numbers.
 * T2  One run tells all faults, in the order of the file.
 * T3  Nothing is resolved: an alias or a tag is a fault, so no text expands while it is read.
 */
import { Composer, isMap, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import type { CST, Document, Node } from 'yaml';
import { quoted } from '../inert-text.ts';
import { openFaultLog } from './fault-log.ts';
import type { FaultLog } from './fault-log.ts';
import type { Fault } from './fault.ts';
import { openNestingCounter } from './nesting.ts';
import { PLAIN_VALUE } from './peer.ts';
import type { Peer } from './peer.ts';
import { isEmptyScalar, isUnresolved, kindOf, namedValues } from './plain-yaml.ts';
import { ACCEPTED_CHARS, readPeer } from './read-peer.ts';

/** A team's peers by its name, in the order of the file. A map: `__proto__` is a name like any other. */
export type Teams = ReadonlyMap<string, readonly Peer[]>;

export type TeamsResult =
  | { readonly ok: true; readonly teams: Teams }
  /** At least one fault, in the order of the file. */
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** A teams file needs four levels; what nests deeper is none, and might end the process (see `nesting.ts`). */
const DEPTH_MAX = 64;

/** More panes than this make no workspace that a person can look at. */
const TEAM_PEERS_MAX = 256;

/** Reads the text of a teams file. Never throws; the caller bounds the size. */
export function parseTeams(text: string): TeamsResult {
  // A byte order mark is no text, and would shift the columns of the first line.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lineCounter = new LineCounter();
  const log = openFaultLog(lineCounter);
  const teams = readTeams(composeText(body, lineCounter, log), log);
  const faults = log.inFileOrder();
  return faults.length === 0 ? { ok: true, teams } : { ok: false, faults };
}

/**
 * The nodes of a text: the library's `parseDocument` in its parts, so that the nesting is known before
 * anything recurses over it.
 *
 * @returns null for an empty text, and for one that nests too deep (which is reported)
 */
function composeText(text: string, lineCounter: LineCounter, log: FaultLog): Node | null {
  const nesting = openNestingCounter();
  const parser = new Parser(lineCounter.addNewLine);
  const composer = new Composer({
    // Every scalar is text (T1). A schema named here is not overruled by a `%YAML 1.1` line.
    schema: 'failsafe',
    // The readers below compare each key once and name both places; the library compares all pairs.
    uniqueKeys: false,
  });
  const documents: Document.Parsed[] = [];
  let tooDeepAt: number | undefined;
  lineCounter.addNewLine(0);
  function* tokens(): Generator<CST.Token, void> {
    for (const lexeme of new Lexer().lex(text)) {
      if (nesting.depthAt(lexeme) > DEPTH_MAX) {
        tooDeepAt = parser.offset;
        return;
      }
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }
  for (const document of composer.compose(tokens(), true, text.length)) documents.push(document);
  if (tooDeepAt !== undefined) {
    log.report(
      tooDeepAt,
      'TOO_DEEP',
      `nests deeper than ${DEPTH_MAX} levels; a team is a list of peers, a peer has values`,
    );
    return null;
  }
  const [first, second] = documents;
  for (const { message, pos } of first?.errors ?? []) log.report(pos[0], 'YAML_SYNTAX', message);
  if (second !== undefined) {
    log.report(second.range[0], 'YAML_SYNTAX', 'a second document starts here: a teams file is one');
  }
  return first?.contents ?? null;
}

function readTeams(contents: Node | null, log: FaultLog): Teams {
  const teams = new Map<string, readonly Peer[]>();
  if (contents === null || isEmptyScalar(contents) || isUnresolved(contents, log)) return teams;
  if (!isMap(contents)) {
    const message = `a teams file is a map of teams, not ${kindOf(contents)}: write \`team-name:\`, its peers below`;
    log.report(contents, 'WRONG_SHAPE', message);
    return teams;
  }
  for (const { key, name, value } of namedValues(contents, 'team', log)) {
    if (!PLAIN_VALUE.test(name)) {
      log.report(key, 'VALUE_REFUSED', `team name ${quoted(name)}: only ${ACCEPTED_CHARS}`);
    }
    teams.set(name, readTeam(name, value, log));
  }
  return teams;
}

function readTeam(team: string, node: Node | null, log: FaultLog): Peer[] {
  if (node === null || isEmptyScalar(node) || isUnresolved(node, log)) return [];
  if (!isSeq<Node>(node)) {
    const message = `team ${quoted(team)} is a list of peers, not ${kindOf(node)}: start each with \`- name: …\`, or write []`;
    log.report(node, 'WRONG_SHAPE', message);
    return [];
  }
  if (node.items.length > TEAM_PEERS_MAX) {
    const message = `team ${quoted(team)} has ${node.items.length} peers; one workspace takes ${TEAM_PEERS_MAX}`;
    log.report(node, 'VALUE_REFUSED', message);
  }
  const firsts = new Map<string, Node>();
  return node.items.flatMap((item) => {
    const { peer, name } = readPeer(item, log);
    if (name !== null) checkTwin(String(name.value), name, firsts, log);
    return peer === null ? [] : [peer];
  });
}

/** Two peers of one name would answer to one address, and their panes could not be told apart. */
function checkTwin(name: string, node: Node, firsts: Map<string, Node>, log: FaultLog): void {
  const first = firsts.get(name);
  if (first === undefined) firsts.set(name, node);
  else
    log.report(
      node,
      'DUPLICATE',
      `a second peer named ${quoted(name)}: the first is at line ${log.lineOf(first)}`,
    );
}
