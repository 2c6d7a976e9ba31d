/**
 * From a conference.md to what the start gate takes, and the prose that round 1 gets as excerpts (03 conference.md).
 *
 * Nothing is judged here: two texts for one value reach the gate as two, each with its line, and the gate says so.
 * Unknown headings and keys are left alone. `Final confirmation` is not read: a file never confirms.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { GateField, GateInput, GateList, Given } from '@x/conference-core';
import type { Bullet } from './bullets.ts';
import { keysOf, LIST_SECTIONS, meaningOf, PROSE_SECTIONS } from './keys.ts';
import { readSections, type Section } from './sections.ts';
import { oneLine, sameTitle } from './words.ts';

/** Prose sections whose text is evidence for round 1, in this order. */
const CONTEXT_SECTIONS = ['Current Approach', 'Shared Knowledge', 'Context & References'] as const;

export interface ConferenceMd {
  readonly input: GateInput;
  readonly context: readonly { readonly source: string; readonly text: string }[];
}

type Values = Partial<Record<GateField, Given[]>>;
type Lists = Partial<Record<GateList, Given[]>>;

/**
 * Reads the text of a conference.md. `folder`: what relative roots resolve against; null leaves them as written.
 * Never throws.
 */
export function readConferenceMd(markdown: string, folder: string | null): ConferenceMd {
  const sections = readSections(markdown, keysOf);
  const values: Values = {};
  const lists: Lists = {};
  for (const section of sections) {
    for (const [title, field] of PROSE_SECTIONS) {
      if (section.title === title) readProse(section, field, values);
    }
    for (const [title, list] of LIST_SECTIONS) {
      if (section.title === title) (lists[list] ??= []).push(...wholeSection(section));
    }
    readKeys(section.title, keyedEntries(section), { values, lists });
  }
  resolveRoots(values, lists, folder);
  return {
    input: { values, lists: withoutRepeats(lists), focus: readFocus(sections) },
    context: readContext(sections),
  };
}

/** What a lane's focus says is the lane's, not a value of the plan. */
function keyedEntries({ bullets, parts }: Section): Bullet[] {
  return [...bullets, ...parts.flatMap((part) => (focusOf(part.title) === null ? part.bullets : []))];
}

function place(line: number): string {
  return `line ${line}`;
}

/** The whole section is the value: its prose on one line, or the one task of a list that is ticked. */
function readProse(section: Section, field: GateField, values: Values): void {
  if (section.bullets.some(({ key }) => meaningOf(section.title, key) !== undefined)) return;
  const ticked = [...section.body.matchAll(/^[ \t]*[-*+][ \t]+\[[xX]\][ \t]+(.+)$/gm)].map(
    ([, text = '']) => text,
  );
  const texts = ticked.length > 0 ? ticked : [section.body];
  for (const text of texts) {
    (values[field] ??= []).push({ text: bare(oneLine(text)), place: place(section.line) });
  }
}

/** Code or emphasis around a whole text, and the sign of a list of one. */
function bare(text: string): string {
  const entry = /^[-*+] (?!.* [-*+] )(.+)$/.exec(text)?.[1] ?? text;
  return (
    /^(?:`([^`]+)`|\*\*([^*]+)\*\*)$/
      .exec(entry)
      ?.slice(1)
      .find((part) => part !== undefined) ?? entry
  );
}

/** Entries with a known key, wherever they are nested. */
function readKeys(title: string, bullets: readonly Bullet[], into: { values: Values; lists: Lists }): void {
  for (const bullet of bullets) {
    const meaning = bullet.key === '' ? undefined : meaningOf(title, bullet.key);
    if (meaning === undefined) readKeys(title, bullet.nested, into);
    else if ('field' in meaning) (into.values[meaning.field] ??= []).push(...valuesOf(title, bullet, into));
    else (into.lists[meaning.list] ??= []).push(...entriesOf(title, bullet, into));
  }
}

/** A value, and beside it whatever stands below it: more than one is for the gate to ask about. */
function valuesOf(
  title: string,
  { value, line, nested }: Bullet,
  into: { values: Values; lists: Lists },
): Given[] {
  const below = notKeys(title, nested, into).map((entry) => ({
    text: folded(entry),
    place: place(entry.line),
  }));
  return value === '' && below.length > 0 ? below : [{ text: value, place: place(line) }, ...below];
}

/** `- **Allowed changes:** a; b`, or a list below the key. */
function entriesOf(
  title: string,
  { value, line, nested }: Bullet,
  into: { values: Values; lists: Lists },
): Given[] {
  const entries = [
    ...splitEntries(value).map((text) => ({ text, place: place(line) })),
    ...notKeys(title, nested, into).map((entry) => ({ text: folded(entry), place: place(entry.line) })),
  ];
  return entries.filter(({ text }) => text !== '');
}

/** Entries below a key that are no keys themselves; those are read for what they are. */
function notKeys(title: string, nested: readonly Bullet[], into: { values: Values; lists: Lists }): Bullet[] {
  const isKey = ({ key }: Bullet): boolean => key !== '' && meaningOf(title, key) !== undefined;
  readKeys(title, nested.filter(isKey), into);
  return nested.filter((entry) => !isKey(entry));
}

/** Entries are parted by semicolons, but not within code. */
function splitEntries(value: string): string[] {
  return [...value.matchAll(/(?:`[^`]*`|[^;`]|`(?![^`]*`))+/g)].map(([entry]) => bare(entry.trim()));
}

function wholeSection(section: Section): Given[] {
  const entries = [...section.bullets, ...section.parts.flatMap(({ bullets }) => bullets)].map((entry) => ({
    text: folded(entry),
    place: place(entry.line),
  }));
  if (entries.length > 0 || section.body === '') return entries;
  return [{ text: oneLine(section.body), place: place(section.line) }];
}

/** An entry with what stands below it, as one text. */
function folded({ whole, nested }: Bullet): string {
  if (nested.length === 0) return whole;
  return `${whole.replace(/\s*[:：]$/, '')}: ${nested.map(folded).join('; ')}`;
}

const ROOT_LISTS = ['allowed_read_roots', 'forbidden_read_roots'] as const;

function resolveRoots(values: Values, lists: Lists, folder: string | null): void {
  const resolved = (given: Given[] | undefined): Given[] | undefined =>
    given?.map(({ text, place: at }) => ({ text: rootOf(text, folder), place: at }));
  const write = resolved(values.write_root);
  if (write !== undefined) values.write_root = write;
  for (const list of ROOT_LISTS) {
    const roots = resolved(lists[list]);
    if (roots !== undefined) lists[list] = roots;
  }
}

function rootOf(text: string, folder: string | null): string {
  if (/^(none|tbd|todo|n\/?a|\?+|\{.*\}|_.*_|)$/i.test(text) || folder === null) return text;
  if (text === '~' || text.startsWith('~/')) return join(homedir(), text.slice(1));
  return resolve(folder, text);
}

/** The same entry twice is one. */
function withoutRepeats(lists: Lists): Lists {
  const unique: Lists = {};
  for (const list of Object.keys(lists) as GateList[]) {
    // The keys of a record of lists.
    const seen = new Set<string>();
    unique[list] = (lists[list] ?? []).filter(({ text }) => !seen.has(text) && seen.add(text));
  }
  return unique;
}

const FOCUS = /^researcher ([a-z]{1,3})(?:'s)? focus(?:\s*[:–—-]\s*(.*))?$/i;

/** Lane and text of a title such as `Researcher A Focus` or `Researcher A Focus: caching`. */
function focusOf(title: string): { readonly lane: string; readonly text: string } | null {
  const [found, lane = '', text = ''] = FOCUS.exec(title.replace(/[:\s]+$/, '')) ?? [];
  return found === undefined ? null : { lane: lane.toUpperCase(), text };
}

/** `### Researcher A Focus`, or an entry of that name. */
function readFocus(sections: readonly Section[]): GateInput['focus'] {
  const focus: Record<string, Given[]> = {};
  for (const section of sections.filter(({ title }) => title === 'search space partitioning')) {
    const given = [
      ...section.parts.map((part) => ({ ...part, key: part.title, rest: [part.body] })),
      ...section.bullets.map((entry) => ({ ...entry, rest: [entry.value, ...entry.nested.map(folded)] })),
    ];
    for (const { key, rest, line } of given) {
      const found = focusOf(key);
      if (found === null) continue;
      const text = [found.text, ...rest].filter((part) => part !== '').join('\n\n');
      (focus[found.lane] ??= []).push({ text, place: place(line) });
    }
  }
  return focus;
}

/** A section that nobody filled in is no evidence. */
function readContext(sections: readonly Section[]): ConferenceMd['context'] {
  return CONTEXT_SECTIONS.flatMap((source) => {
    const title = sameTitle(source);
    const text = sections
      .filter((section) => section.title === title && section.text !== '')
      .map((section) => section.text)
      .join('\n\n');
    return text === '' || /^_[^_]*_$|^\*[^*]*\*$|^\{[^{}]*\}$/.test(text) ? [] : [{ source, text }];
  });
}
