/**
 * Where in a child's message the packet stands (02 Reading what a child sends): one fenced block of JSON or YAML, or
 * one JSON object, with prose around. Two candidates are a fault, never "the first one".
 *
 * F1 A block labelled json or yaml is a candidate whatever it holds. An unlabelled block or a bare object is one when
 *    it names a member that packets have; inline `{"level": 9}` in prose is not.
 * F2 Fences are those of CommonMark: three or more ` or ~, indented by at most three spaces, closed by at least as
 *    many of the same. A fence that is never closed is a fault: a YAML packet cut off in the middle could still fit.
 * F3 Bare objects are found by balancing braces outside strings; linear in the text.
 */
import { isMemberName } from './read-fault.ts';

export type Found =
  | { readonly ok: true; readonly format: 'json' | 'yaml'; readonly text: string }
  | { readonly ok: false; readonly expected: string };

interface Block {
  readonly format: 'json' | 'yaml';
  readonly text: string;
}

interface Candidates {
  /** Blocks that claim to be a packet. */
  readonly strong: Block[];
  /** Objects that do not: read only when there is nothing else, for a precise refusal. */
  readonly weak: Block[];
}

const ONE_PACKET = 'one JSON object, or one fenced block of JSON or YAML';

/** The one candidate of a message. */
export function findBlock(text: string): Found {
  const candidates: Candidates = { strong: [], weak: [] };
  const fault = eachSegment(text, candidates);
  if (fault !== null) return { ok: false, expected: fault };
  const { strong, weak } = candidates;
  const blocks = strong.length > 0 ? strong : weak;
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return { ok: true, ...only };
  if (blocks.length > 1) return { ok: false, expected: `${ONE_PACKET}, not ${blocks.length} of them` };
  const bare = text.trim();
  // No packet, but somebody meant one: reading it says where it goes wrong.
  return bare.startsWith('{')
    ? { ok: true, format: 'json', text: bare }
    : { ok: false, expected: ONE_PACKET };
}

interface Fence {
  readonly mark: string;
  readonly language: string;
  readonly from: number;
}

function eachSegment(text: string, candidates: Candidates): string | null {
  let open: Fence | null = null;
  let proseFrom = 0;
  let lineFrom = 0;
  while (lineFrom <= text.length) {
    const end = text.indexOf('\n', lineFrom);
    const lineEnd = end === -1 ? text.length : end;
    const fence = fenceOf(text, lineFrom, lineEnd);
    if (open === null) {
      if (fence !== null) {
        const fault = addBare(text.slice(proseFrom, lineFrom), candidates);
        if (fault !== null) return fault;
        open = {
          mark: fence.mark,
          language: languageOf(fence.info),
          from: Math.min(lineEnd + 1, text.length),
        };
      }
    } else if (fence !== null && fence.info === '' && closes(fence.mark, open.mark)) {
      addFenced(open.language, text.slice(open.from, Math.max(open.from, lineFrom)), candidates);
      open = null;
      proseFrom = lineEnd;
    }
    if (end === -1) break;
    lineFrom = end + 1;
  }
  if (open !== null) return 'a fenced block that is closed';
  return addBare(text.slice(proseFrom), candidates);
}

function closes(mark: string, open: string): boolean {
  return mark.charAt(0) === open.charAt(0) && mark.length >= open.length;
}

function fenceOf(text: string, from: number, to: number): { mark: string; info: string } | null {
  let at = from;
  while (at < from + 3 && text.charAt(at) === ' ') at += 1;
  const character = text.charAt(at);
  if (character !== '`' && character !== '~') return null;
  let end = at;
  while (end < to && text.charAt(end) === character) end += 1;
  if (end - at < 3) return null;
  const info = text.slice(end, to).trim();
  // A line such as ```code``` is inline code, not the start of a block.
  if (character === '`' && info.includes('`')) return null;
  return { mark: text.slice(at, end), info };
}

function languageOf(info: string): string {
  return (info.split(/\s/, 1)[0] ?? '').toLowerCase();
}

function addFenced(language: string, content: string, { strong, weak }: Candidates): void {
  if (language === 'json') strong.push({ format: 'json', text: content });
  else if (language === 'yaml' || language === 'yml') strong.push({ format: 'yaml', text: content });
  else if (language === '') {
    const isObject = content.trimStart().startsWith('{');
    if (isObject) (namesMember(content) ? strong : weak).push({ format: 'json', text: content });
    else if (namesYamlMember(content)) strong.push({ format: 'yaml', text: content });
  }
}

const QUOTED_KEY = /"([a-z_]{1,32})"\s{0,8}:/g;
const YAML_KEY = /^["']?([a-z_]{1,32})["']?[ \t]{0,8}:/gm;

function namesMember(text: string): boolean {
  for (const [, key] of text.matchAll(QUOTED_KEY)) if (key !== undefined && isMemberName(key)) return true;
  return false;
}

function namesYamlMember(text: string): boolean {
  for (const [, key] of text.matchAll(YAML_KEY)) if (key !== undefined && isMemberName(key)) return true;
  return false;
}

/** Adds the JSON objects of a stretch of prose. */
function addBare(prose: string, { strong, weak }: Candidates): string | null {
  let at = prose.indexOf('{');
  while (at !== -1) {
    if (!startsObject(prose, at)) {
      at = prose.indexOf('{', at + 1);
      continue;
    }
    const end = endOfObject(prose, at);
    const text = prose.slice(at, end);
    const named = namesMember(text);
    if (named && inList(prose, at, end)) return 'one JSON object, not a list of them';
    (named ? strong : weak).push({ format: 'json', text });
    at = prose.indexOf('{', end);
  }
  return null;
}

/** Whether `{` opens a JSON object: braces in prose are not followed by a quoted key. */
function startsObject(prose: string, at: number): boolean {
  let next = at + 1;
  while (isSpace(prose.charAt(next))) next += 1;
  return prose.charAt(next) === '"';
}

function inList(prose: string, from: number, to: number): boolean {
  let before = from - 1;
  while (before >= 0 && isSpace(prose.charAt(before))) before -= 1;
  let after = to;
  while (isSpace(prose.charAt(after))) after += 1;
  return prose.charAt(before) === '[' && prose.charAt(after) === ']';
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

/** The offset after the brace that closes the one at `from`, or the end where none does. */
function endOfObject(prose: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < prose.length; at += 1) {
    const character = prose.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return prose.length;
}
