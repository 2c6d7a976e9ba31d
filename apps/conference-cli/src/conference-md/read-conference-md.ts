/**
 * From a conference.md to what the start gate takes, and the prose that round 1 gets as excerpts (03 conference.md).
 *
 * Unknown headings and keys are left alone. `Final confirmation` is not read: a file never confirms.
 */
import { resolve } from 'node:path';
import type { GateField, GateInput, GateList, Given } from '@x/conference-core';
import { readSections, type Section } from './sections.ts';

/** Prose sections whose text is evidence for round 1, in this order. */
export const CONTEXT_SECTIONS = ['Current Approach', 'Shared Knowledge', 'Context & References'] as const;

export interface ConferenceMd {
  readonly input: GateInput;
  readonly context: readonly { readonly source: string; readonly text: string }[];
}

interface Key {
  readonly section: string;
  readonly keys: readonly string[];
  readonly field: GateField;
}

const GATE = 'pre-flight gate';
/** Where each field may stand; several places must agree. */
const KEYS: readonly Key[] = [
  { section: 'success metric', keys: ['metric'], field: 'metric' },
  { section: 'success metric', keys: ['target'], field: 'target' },
  { section: 'success metric', keys: ['direction'], field: 'direction' },
  { section: 'researchers', keys: ['count'], field: 'lanes' },
  { section: 'researchers', keys: ['iterations per round'], field: 'iterations_per_round' },
  { section: 'researchers', keys: ['max rounds'], field: 'max_rounds' },
  { section: GATE, keys: ['goal'], field: 'goal' },
  { section: GATE, keys: ['mode'], field: 'mode' },
  { section: GATE, keys: ['metric', 'success metric'], field: 'metric' },
  { section: GATE, keys: ['target'], field: 'target' },
  { section: GATE, keys: ['direction'], field: 'direction' },
  { section: GATE, keys: ['count', 'researchers', 'researcher count'], field: 'lanes' },
  { section: GATE, keys: ['iterations per round'], field: 'iterations_per_round' },
  { section: GATE, keys: ['max rounds'], field: 'max_rounds' },
  { section: GATE, keys: ['max total iterations'], field: 'max_total_iterations' },
  { section: GATE, keys: ["critic / devil's advocate", 'critic / devil’s advocate'], field: 'contrarian' },
  {
    section: 'researchers',
    keys: ["critic / devil's advocate", 'critic / devil’s advocate'],
    field: 'contrarian',
  },
  { section: 'search space partitioning', keys: ['strategy'], field: 'strategy' },
  { section: 'noise handling', keys: ['noise runs'], field: 'noise_runs' },
  { section: 'noise handling', keys: ['min consensus delta'], field: 'min_consensus_delta' },
  { section: 'constraints', keys: ['max total iterations'], field: 'max_total_iterations' },
  { section: 'constraints', keys: ['time budget'], field: 'time_budget' },
  { section: 'constraints', keys: ['cost budget'], field: 'cost_budget' },
  { section: 'constraints', keys: ['researcher timeout'], field: 'researcher_timeout' },
  { section: 'constraints', keys: ['poster timeout'], field: 'poster_timeout' },
  { section: 'constraints', keys: ['reviewer timeout'], field: 'reviewer_timeout' },
  { section: 'constraints', keys: ['synthesis timeout'], field: 'synthesis_timeout' },
  { section: 'constraints', keys: ['pause_every', 'pause every'], field: 'pause_every' },
  { section: 'constraints', keys: ['write root'], field: 'write_root' },
  { section: 'convergence', keys: ['order'], field: 'order' },
  { section: 'convergence', keys: ['plateau window'], field: 'plateau_window' },
  { section: 'convergence', keys: ['noise threshold'], field: 'noise_threshold' },
  { section: 'convergence', keys: ['early quality'], field: 'early_quality' },
  { section: 'convergence', keys: ['stuck level'], field: 'stuck_level' },
  { section: 'convergence', keys: ['quality score'], field: 'quality_score' },
  { section: 'convergence', keys: ['early quality score'], field: 'early_quality_score' },
];

interface ListKey {
  readonly section: string;
  /** Empty: the whole section is the list. */
  readonly key: string;
  readonly list: GateList;
}

const LISTS: readonly ListKey[] = [
  { section: 'success criteria', key: '', list: 'criteria' },
  { section: 'search space', key: 'allowed changes', list: 'allowed_actions' },
  { section: 'search space', key: 'forbidden changes', list: 'forbidden_actions' },
  { section: 'constraints', key: 'forbidden actions', list: 'more_forbidden_actions' },
  { section: 'constraints', key: 'allowed read roots', list: 'allowed_read_roots' },
  { section: 'constraints', key: 'forbidden read roots', list: 'forbidden_read_roots' },
  { section: 'guard', key: '', list: 'guard' },
];

/** Reads the text of a conference.md. `folder`: what relative roots resolve against. Never throws. */
export function readConferenceMd(markdown: string, folder: string): ConferenceMd {
  const sections = readSections(markdown);
  const values: Partial<Record<GateField, Given[]>> = {};
  const add = (field: GateField, given: Given): void => {
    (values[field] ??= []).push(given);
  };
  for (const section of sections) {
    if (section.title === 'goal') add('goal', prose(section));
    if (section.title === 'mode') add('mode', prose(section));
    for (const { key, text, line } of section.bullets) {
      const known = KEYS.find((one) => one.section === section.title && one.keys.includes(key));
      if (known === undefined) continue;
      const resolved = known.field === 'write_root' ? rootOf(text, folder) : text;
      add(known.field, { text: stripCode(resolved), place: `line ${line}` });
    }
  }
  return {
    input: { values, lists: readLists(sections, folder), focus: readFocus(sections) },
    context: readContext(sections),
  };
}

function prose(section: Section): Given {
  return { text: section.body.replace(/\s*\n\s*/g, ' '), place: `line ${section.line}` };
}

/** A value in backticks is the value. */
function stripCode(text: string): string {
  return /^`[^`]+`$/.test(text) ? text.slice(1, -1) : text;
}

function readLists(sections: readonly Section[], folder: string): GateInput['lists'] {
  const lists: Partial<Record<GateList, Given[]>> = {};
  for (const section of sections) {
    for (const { key, list } of LISTS.filter((one) => one.section === section.title)) {
      const roots = list === 'allowed_read_roots' || list === 'forbidden_read_roots';
      const found = key === '' ? wholeSection(section) : keyed(section, key);
      (lists[list] ??= []).push(
        ...found.map(({ text, place }) => ({ text: roots ? rootOf(text, folder) : text, place })),
      );
    }
  }
  return lists;
}

function wholeSection(section: Section): Given[] {
  const bullets = section.bullets.map(({ key, text, line }) => ({
    text: key === '' ? text : `${key}: ${text}`,
    place: `line ${line}`,
  }));
  return bullets.length > 0 || section.body === '' ? bullets : [prose(section)];
}

/** `- **Allowed changes:** a; b`: entries are parted by semicolons. */
function keyed(section: Section, key: string): Given[] {
  return section.bullets
    .filter((bullet) => bullet.key === key)
    .flatMap(({ text, line }) =>
      text.split(';').map((entry) => ({ text: stripCode(entry.trim()), place: `line ${line}` })),
    )
    .filter(({ text }) => text !== '');
}

function rootOf(text: string, folder: string): string {
  const path = stripCode(text.trim());
  return /^(none|tbd|\{.*\}|_.*_)?$/i.test(path) ? path : resolve(folder, path);
}

function readFocus(sections: readonly Section[]): GateInput['focus'] {
  const focus: Record<string, Given[]> = {};
  for (const section of sections.filter(({ title }) => title === 'search space partitioning')) {
    for (const { title, body, line } of section.parts) {
      const lane = /^researcher ([A-Za-z]{1,3}) focus$/i.exec(title)?.[1]?.toUpperCase();
      if (lane !== undefined) (focus[lane] ??= []).push({ text: body, place: `line ${line}` });
    }
  }
  return focus;
}

function readContext(sections: readonly Section[]): ConferenceMd['context'] {
  return CONTEXT_SECTIONS.flatMap((source) => {
    const text = sections
      .filter(({ title }) => title === source.toLowerCase())
      .map(({ body, parts }) =>
        [body, ...parts.map((part) => `### ${part.title}\n\n${part.body}`)].join('\n\n').trim(),
      )
      .join('\n\n');
    return text === '' || /^_[^_]*_$/.test(text) || /^\{[^{}]*\}$/.test(text) ? [] : [{ source, text }];
  });
}
