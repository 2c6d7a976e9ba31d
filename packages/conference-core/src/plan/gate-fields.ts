/**
 * The fields of the start gate as people give them: text, with the place it was found at (01 Start gate).
 *
 * Where the text comes from (a file, flags, a prompt) is not known here. Several places may give one field; given
 * twice and differently it is vague, never guessed.
 */
import { cutText, type Parsed } from './quantity.ts';

/** Every field, with how a person calls it. */
export const GATE_FIELDS = {
  goal: 'Goal',
  mode: 'Mode',
  metric: 'Success Metric › Metric',
  target: 'Success Metric › Target',
  direction: 'Success Metric › Direction',
  lanes: 'Researchers › Count',
  iterations_per_round: 'Researchers › Iterations per round',
  max_rounds: 'Researchers › Max rounds',
  contrarian: "Pre-Flight Gate › Critic / Devil's Advocate",
  strategy: 'Search Space Partitioning › Strategy',
  researcher_timeout: 'Constraints › Researcher timeout',
  poster_timeout: 'Constraints › Poster timeout',
  reviewer_timeout: 'Constraints › Reviewer timeout',
  synthesis_timeout: 'Constraints › Synthesis timeout',
  max_total_iterations: 'Constraints › Max total iterations',
  time_budget: 'Constraints › Time budget',
  cost_budget: 'Constraints › Cost budget',
  pause_every: 'Constraints › pause_every',
  write_root: 'Constraints › Write root',
  order: 'Convergence › Order',
  plateau_window: 'Convergence › Plateau window',
  noise_threshold: 'Convergence › Noise threshold',
  early_quality: 'Convergence › Early quality',
  stuck_level: 'Convergence › Stuck level',
  quality_score: 'Convergence › Quality score',
  early_quality_score: 'Convergence › Early quality score',
  noise_runs: 'Noise Handling › Noise runs',
  min_consensus_delta: 'Noise Handling › Min consensus delta',
} as const;
export type GateField = keyof typeof GATE_FIELDS;

/** Fields that are lists, each entry a text of its own. */
export const GATE_LISTS = {
  criteria: 'Success Criteria',
  allowed_actions: 'Search Space › Allowed changes',
  forbidden_actions: 'Search Space › Forbidden changes',
  more_forbidden_actions: 'Constraints › Forbidden actions',
  allowed_read_roots: 'Constraints › Allowed read roots',
  forbidden_read_roots: 'Constraints › Forbidden read roots',
  guard: 'Guard',
} as const;
export type GateList = keyof typeof GATE_LISTS;

/** A text somebody gave, and where: `conference.md line 12`, `--max-rounds`. */
export interface Given {
  readonly text: string;
  readonly place: string;
}

export interface GateInput {
  readonly values: Readonly<Partial<Record<GateField, readonly Given[]>>>;
  readonly lists: Readonly<Partial<Record<GateList, readonly Given[]>>>;
  /** `### Researcher A Focus`, by lane letter. */
  readonly focus: Readonly<Record<string, readonly Given[]>>;
}

/** What the gate needs from the user: only what is missing or vague (AUTO-12). */
export interface GateFinding {
  readonly field: string;
  readonly problem: 'missing' | 'vague';
  /** Cut to a bounded length; empty when nothing was given. */
  readonly found: string;
  readonly accepted: string;
  readonly places: readonly string[];
}

const FOUND_SHOWN_MAX = 120;

/** The one text of a field, or the finding that there are several. Absent is undefined. */
export function oneText(
  label: string,
  given: readonly Given[] | undefined,
): { readonly text: string | undefined; readonly places: readonly string[] } | GateFinding {
  const places = (given ?? []).map(({ place }) => place);
  const texts = new Set((given ?? []).map(({ text }) => text.trim()).filter((text) => !isPlaceholder(text)));
  const [first] = texts;
  if (texts.size <= 1) return { text: first ?? given?.[0]?.text.trim(), places };
  return {
    field: label,
    problem: 'vague',
    found: cutText([...texts].join(' | '), FOUND_SHOWN_MAX),
    accepted: 'the same value in every place, or one place only',
    places,
  };
}

/** Text of a template that nobody filled in, or a word that puts the answer off (01 Start gate). */
export function isPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  return (
    trimmed === '' ||
    /^\{[^{}]*\}$/.test(trimmed) ||
    /^_[^_]*_$/.test(trimmed) ||
    /^<!--[\s\S]*-->$/.test(trimmed) ||
    /^(tbd|todo|n\/?a|\?+|…|\.\.\.|ask user.*)$/i.test(trimmed)
  );
}

/** The finding of a parser, with field and places. */
export function findingOf(
  label: string,
  parsed: Extract<Parsed<unknown>, { ok: false }>,
  places: readonly string[],
): GateFinding {
  return { field: label, problem: parsed.problem, found: parsed.found, accepted: parsed.accepted, places };
}

/** A text that has no single meaning here. */
export function vague(
  label: string,
  found: string,
  accepted: string,
  places: readonly string[],
): GateFinding {
  return { field: label, problem: 'vague', found: cutText(found, FOUND_SHOWN_MAX), accepted, places };
}

export function missing(label: string, accepted: string): GateFinding {
  return { field: label, problem: 'missing', found: '', accepted, places: [] };
}
