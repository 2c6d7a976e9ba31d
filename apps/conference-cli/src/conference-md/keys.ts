/** Which value of the start gate each key of a conference.md is, and where it may stand (03 conference.md). */
import type { GateField, GateList } from '@x/conference-core';

const GATE = 'pre-flight gate';

/** A field's own section, and what it is called there. Every one of them may stand in the Pre-Flight Gate again. */
const FIELD_KEYS: readonly (readonly [section: string, field: GateField, ...keys: string[]])[] = [
  ['goal', 'goal', 'goal'],
  ['mode', 'mode', 'mode'],
  ['success metric', 'metric', 'metric'],
  ['success metric', 'target', 'target'],
  ['success metric', 'direction', 'direction'],
  ['researchers', 'lanes', 'count'],
  ['researchers', 'iterations_per_round', 'iterations per round'],
  ['researchers', 'max_rounds', 'max rounds'],
  ['researchers', 'contrarian', "critic / devil's advocate", "devil's advocate", 'critic', 'contrarian'],
  ['search space partitioning', 'strategy', 'strategy'],
  ['noise handling', 'noise_runs', 'noise runs'],
  ['noise handling', 'min_consensus_delta', 'min consensus delta'],
  ['constraints', 'max_total_iterations', 'max total iterations'],
  ['constraints', 'time_budget', 'time budget'],
  ['constraints', 'cost_budget', 'cost budget'],
  ['constraints', 'researcher_timeout', 'researcher timeout'],
  ['constraints', 'poster_timeout', 'poster timeout'],
  ['constraints', 'reviewer_timeout', 'reviewer timeout'],
  ['constraints', 'synthesis_timeout', 'synthesis timeout'],
  ['constraints', 'pause_every', 'pause every'],
  ['constraints', 'write_root', 'write root'],
  ['convergence', 'order', 'order'],
  ['convergence', 'plateau_window', 'plateau window'],
  ['convergence', 'noise_threshold', 'noise threshold'],
  ['convergence', 'early_quality', 'early quality'],
  ['convergence', 'stuck_level', 'stuck level'],
  ['convergence', 'quality_score', 'quality score'],
  ['convergence', 'early_quality_score', 'early quality score'],
];

/** What the gate's section calls a field besides. */
const GATE_ALIASES: readonly (readonly [field: GateField, key: string])[] = [
  ['metric', 'success metric'],
  ['lanes', 'researchers'],
  ['lanes', 'researcher count'],
];

const LIST_KEYS: readonly (readonly [section: string, list: GateList, key: string])[] = [
  ['search space', 'allowed_actions', 'allowed changes'],
  ['search space', 'forbidden_actions', 'forbidden changes'],
  ['constraints', 'more_forbidden_actions', 'forbidden actions'],
  ['constraints', 'allowed_read_roots', 'allowed read roots'],
  ['constraints', 'forbidden_read_roots', 'forbidden read roots'],
];

/** Sections that are a list as a whole. */
export const LIST_SECTIONS: readonly (readonly [section: string, list: GateList])[] = [
  ['success criteria', 'criteria'],
  ['guard', 'guard'],
];

/** Sections that are one text as a whole, unless they give it by its key. */
export const PROSE_SECTIONS: readonly (readonly [section: string, field: GateField])[] = [
  ['goal', 'goal'],
  ['mode', 'mode'],
];

export type Meaning = { readonly field: GateField } | { readonly list: GateList };

function meaningsOf(title: string): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const [section, field, ...keys] of FIELD_KEYS) {
    if (section === title || title === GATE) for (const key of keys) meanings.set(key, { field });
  }
  for (const [field, key] of title === GATE ? GATE_ALIASES : []) meanings.set(key, { field });
  for (const [section, list, key] of LIST_KEYS) if (section === title) meanings.set(key, { list });
  return meanings;
}

const BY_SECTION = new Map(
  [GATE, ...FIELD_KEYS.map(([section]) => section), ...LIST_KEYS.map(([section]) => section)].map((title) => [
    title,
    meaningsOf(title),
  ]),
);

/** What a key means in a section; undefined for a key that is the user's own. */
export function meaningOf(title: string, key: string): Meaning | undefined {
  return BY_SECTION.get(title)?.get(key);
}

const NONE: ReadonlySet<string> = new Set();
const KEYS = new Map([...BY_SECTION].map(([title, meanings]) => [title, new Set(meanings.keys())]));

/** The keys that a section has. */
export function keysOf(title: string): ReadonlySet<string> {
  return KEYS.get(title) ?? NONE;
}
