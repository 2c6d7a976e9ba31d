/**
 * The `evaluate` verb without the verb: unknown JSON in, answers out (07 evaluate).
 *
 * Boundary: parsed once, here. What cannot be judged is a finding with its path, and then nothing is judged: one bad
 * document of an array, and none is answered.
 */
import type { Parsed } from '../plan/quantity.ts';
import type { DecisionRecord } from './decision-record.ts';
import { evaluateDocumentSchema } from './document-schema.ts';
import type { EvaluateDocument } from './document-schema.ts';
import { evaluateConvergence } from './evaluate.ts';
import { convergenceDefaults } from './input.ts';
import type { ConvergenceConfig, ConvergenceInput, QualitativeConfig } from './input.ts';
import { parseNoiseThreshold } from './noise-threshold.ts';
import { counted, shownText } from './shown.ts';
import { parseTarget } from './target.ts';

/** How many findings one answer lists. */
export const findingsMax = 20;

/** One thing that is wrong with a document. `path` is of the form `$.rounds[1].lanes[0].status`. */
export interface DocumentFinding {
  readonly path: string;
  readonly found: string;
  readonly accepted: string;
}

/** What `evaluate` prints for one document. */
export type EvaluateAnswer = Pick<
  DecisionRecord,
  'outcome' | 'winner' | 'target_met' | 'rules' | 'round_bests'
>;

type Refused = { readonly ok: false; readonly findings: readonly DocumentFinding[] };

type Path = readonly PropertyKey[];

function shownPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    const key = String(step);
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${shownText(key)}]`;
  });
  return `$${steps.join('')}`;
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

type Issues = NonNullable<ReturnType<typeof evaluateDocumentSchema.safeParse>['error']>['issues'];

function shapeFindings(document: unknown, issues: Issues, base: Path): readonly DocumentFinding[] {
  return issues.slice(0, findingsMax).flatMap((issue) => {
    const at =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return at.map((path) => ({
      path: shownPath([...base, ...path]),
      found: shownValue(valueAt(document, path)),
      accepted: issue.message,
    }));
  });
}

/** Findings about what one round says together with the round before it. */
function roundFindings(
  rounds: EvaluateDocument['rounds'],
  index: number,
  base: Path,
): readonly DocumentFinding[] {
  const findings: DocumentFinding[] = [];
  const [round, before] = [rounds[index], rounds[index - 1]];
  if (round === undefined) return findings;
  const note = (path: Path, found: unknown, accepted: string): void => {
    findings.push({
      path: shownPath([...base, 'rounds', index, ...path]),
      found: shownValue(found),
      accepted,
    });
  };
  if (before !== undefined && round.round <= before.round) {
    note(['round'], round.round, `more than ${before.round}: rounds stand in order, each once`);
  }
  for (const field of ['iterations_spent', 'elapsed_ms'] as const) {
    if (before !== undefined && round[field] < before[field]) {
      note([field], round[field], `at least ${before[field]}: a running total never falls`);
    }
  }
  const seen = new Set<string>();
  for (const [at, { lane }] of round.lanes.entries()) {
    if (seen.has(lane)) note(['lanes', at, 'lane'], lane, 'each lane once a round');
    seen.add(lane);
  }
  return findings;
}

type Common = Omit<QualitativeConfig, 'mode' | 'early_quality' | 'quality_score' | 'early_quality_score'>;

function resolveConfig(
  document: EvaluateDocument,
  base: Path,
): { readonly ok: true; readonly config: ConvergenceConfig } | Refused {
  const { config, rounds } = document;
  const common: Common = {
    order: config.order ?? convergenceDefaults.order,
    plateau_window: config.plateau_window ?? convergenceDefaults.plateau_window,
    stuck_level: config.stuck_level ?? convergenceDefaults.stuck_level,
    max_rounds: config.max_rounds,
    max_total_iterations: config.max_total_iterations,
    time_budget_ms: config.time_budget_ms ?? null,
    lanes: rounds.at(-1)?.lanes.length ?? 0,
  };
  if (config.mode === 'qualitative') {
    const scores = {
      early_quality: config.early_quality ?? convergenceDefaults.early_quality,
      quality_score: config.quality_score ?? convergenceDefaults.quality_score,
      early_quality_score: config.early_quality_score ?? convergenceDefaults.early_quality_score,
    };
    return { ok: true, config: { ...common, mode: 'qualitative', ...scores } };
  }
  const refuse = (path: Path, found: string, accepted: string): Refused => {
    return { ok: false, findings: [{ path: shownPath([...base, 'config', ...path]), found, accepted }] };
  };
  if (config.metric === undefined)
    return refuse(['metric'], 'nothing', 'in mode "metric" an object with name, target, direction');
  const { name, direction, target: targetText } = config.metric;
  const target = parseTarget(targetText);
  if (!target.ok) return refuse(['metric', 'target'], shownText(target.found), target.accepted);
  const noise: Parsed<null> | ReturnType<typeof parseNoiseThreshold> =
    config.noise_threshold === undefined
      ? { ok: true, value: null }
      : parseNoiseThreshold(String(config.noise_threshold));
  if (!noise.ok) return refuse(['noise_threshold'], shownText(noise.found), noise.accepted);
  const metric = { name, direction, target: target.value };
  return { ok: true, config: { ...common, mode: 'metric', metric, noise_threshold: noise.value } };
}

function inputOf(document: EvaluateDocument): ConvergenceInput {
  const rounds = document.rounds.map(({ round, iterations_spent, elapsed_ms, lanes }) => ({
    round,
    iterations_spent,
    elapsed_ms,
    cost_reached: false,
    lanes: lanes.map(({ lane, status, stuck_level, score, measurements }) => ({
      lane,
      status,
      stuck_level: stuck_level ?? null,
      score: score ?? null,
      measurements: (measurements ?? []).map(({ name, value, verdict }) => {
        return { name: name ?? null, value, verdict: verdict ?? null };
      }),
    })),
  }));
  return { cancelled: document.cancelled ?? false, rounds };
}

/** Reads one document. `base` is its place in the input; the result is complete, no default is left to anybody else. */
function readDocument(
  document: unknown,
  base: Path,
): { readonly ok: true; readonly config: ConvergenceConfig; readonly input: ConvergenceInput } | Refused {
  const parsed = evaluateDocumentSchema.safeParse(document);
  if (!parsed.success) return { ok: false, findings: shapeFindings(document, parsed.error.issues, base) };
  const resolved = resolveConfig(parsed.data, base);
  const findings = parsed.data.rounds.flatMap((_, index) => roundFindings(parsed.data.rounds, index, base));
  if (!resolved.ok) return { ok: false, findings: [...resolved.findings, ...findings].slice(0, findingsMax) };
  if (findings.length > 0) return { ok: false, findings: findings.slice(0, findingsMax) };
  return { ok: true, config: resolved.config, input: inputOf(parsed.data) };
}

/**
 * Answers one document with one answer, an array of documents with an array of answers in order (07 evaluate).
 * Refuses with findings (at most 20, in the order of the document) and a message that names the first. Never throws.
 */
export function evaluateDocuments(
  found: unknown,
):
  | { readonly ok: true; readonly answer: EvaluateAnswer | readonly EvaluateAnswer[] }
  | (Refused & { readonly message: string }) {
  const read = Array.isArray(found)
    ? found.map((document: unknown, index) => readDocument(document, [index]))
    : [readDocument(found, [])];
  const findings = read.flatMap((one) => (one.ok ? [] : one.findings)).slice(0, findingsMax);
  const [first] = findings;
  if (first !== undefined) {
    const more = findings.length === 1 ? '' : ` (and ${counted(findings.length - 1, 'more finding')})`;
    return {
      ok: false,
      findings,
      message: `${first.path}: found ${first.found}, accepted is ${first.accepted}${more}`,
    };
  }
  const answers = read.flatMap((one) => {
    if (!one.ok) return [];
    const { outcome, winner, target_met, rules, round_bests } = evaluateConvergence(one.config, one.input);
    return [{ outcome, winner, target_met, rules, round_bests }];
  });
  const [only] = answers;
  return { ok: true, answer: Array.isArray(found) || only === undefined ? answers : only };
}
