/**
 * The start gate: from what a person gave to a complete plan, or only what is missing or vague (001 Start gate).
 *
 * G1 Nothing is guessed: a value with a remark, a placeholder, or two values for one field is a finding.
 * G2 `Final confirmation` in a file never confirms; it is not even a field.
 * G3 Every default ends up in the plan, so it is shown, confirmed and digested.
 */
import {
  digestOfJson,
  LIMIT_DEFAULTS,
  PLAN_LANES_MAX,
  PLAN_ROUNDS_MAX,
  type Digest,
  type Limits,
  type Plan,
} from '@x/protocol';
import { parseNoiseThreshold } from '../convergence/noise-threshold.ts';
import { parseTarget } from '../convergence/target.ts';
import { convergenceDefaults } from '../convergence/input.ts';
import { laneIndex } from '../lane.ts';
import { RULES_VERSION } from '../packets/rules-version.ts';
import {
  findingOf,
  GATE_FIELDS,
  GATE_LISTS,
  isPlaceholder,
  missing,
  oneText,
  vague,
  type GateField,
  type GateFinding,
  type GateInput,
  type GateList,
} from './gate-fields.ts';
import { parseDuration, parsePositiveWhole, type Parsed } from './quantity.ts';

/** What the gate is given besides the fields: facts of this run that belong into the plan. */
export interface GateExtras {
  readonly limits?: Limits;
  readonly pass_env?: readonly string[];
  readonly context?: Plan['context'];
}

export type GateResult =
  | {
      readonly complete: true;
      readonly plan: Plan;
      readonly plan_digest: Digest;
      readonly total_iterations: number;
    }
  | { readonly complete: false; readonly findings: readonly GateFinding[] };

/** The state stays PLANNING either way; only `confirm` with the digest leaves it. Pure, never throws. */
export function startGate(input: GateInput, extras: GateExtras = {}): GateResult {
  const reader = readerOf(input);
  const mode = reader.oneOf('mode', ['metric', 'qualitative']);
  const metric = readMetric(reader, mode);
  const criteria = reader.list('criteria');
  if (mode === 'qualitative' && criteria.length === 0) {
    reader.add(missing(GATE_LISTS.criteria, 'at least one criterion that a reviewer can score from 1 to 10'));
  }
  const lanes = reader.positive('lanes', PLAN_LANES_MAX);
  const iterations_per_round = reader.positive('iterations_per_round');
  const max_rounds = reader.positive('max_rounds', PLAN_ROUNDS_MAX);
  const contrarian = reader.yesNo('contrarian');
  if (contrarian === true && lanes === 1) {
    reader.add(
      vague(GATE_FIELDS.contrarian, 'yes, with one lane', 'a contrarian lane needs at least two lanes', []),
    );
  }
  const researcher_ms = reader.duration('researcher_timeout');
  const allowed_actions = reader.requiredList('allowed_actions');
  const forbidden = reader.requiredList('forbidden_actions');
  const total = totalOf(reader, { lanes, iterations_per_round, max_rounds });
  const max_total_iterations = reader.optional('max_total_iterations', parsePositiveWhole) ?? total;
  const time_budget_ms = reader.optional('time_budget', parseDuration);
  const cost_budget = reader.optional('cost_budget', parseCost);
  const write_root = reader.optional('write_root', parseRoot) ?? null;
  const goal = reader.text('goal', 'what the conference is to find out, in a sentence');
  const plan: Plan = {
    v: 1,
    goal: goal ?? '',
    mode: mode ?? 'metric',
    ...(metric === undefined ? {} : { metric }),
    criteria,
    lanes: lanes ?? 0,
    contrarian: contrarian ?? false,
    strategy: reader.oneOf('strategy', ['assigned', 'free'], 'free') ?? 'free',
    focus: readFocus(reader, input, lanes),
    iterations_per_round: iterations_per_round ?? 0,
    max_rounds: max_rounds ?? 0,
    max_total_iterations: max_total_iterations ?? 0,
    ...(time_budget_ms === undefined ? {} : { time_budget_ms }),
    ...(cost_budget === undefined ? {} : { cost_budget }),
    allowed_actions,
    forbidden_actions: [...forbidden, ...reader.list('more_forbidden_actions')],
    allowed_read_roots: reader.list('allowed_read_roots').filter(notNone),
    forbidden_read_roots: reader.list('forbidden_read_roots').filter(notNone),
    write_root,
    review_cadence: 'every_round',
    pause_every: reader.optional('pause_every', parsePause) ?? 0,
    timeouts: {
      researcher_ms: researcher_ms ?? 0,
      poster_ms: reader.optional('poster_timeout', parseDuration) ?? researcher_ms ?? 0,
      reviewer_ms: reader.optional('reviewer_timeout', parseDuration) ?? researcher_ms ?? 0,
      synthesis_ms: reader.optional('synthesis_timeout', parseDuration) ?? researcher_ms ?? 0,
    },
    convergence: readConvergence(reader),
    guard: reader.list('guard').filter(notNone),
    noise: readNoise(reader),
    limits: extras.limits ?? LIMIT_DEFAULTS,
    rules: RULES_VERSION,
    pass_env: [...(extras.pass_env ?? [])],
    context: [...(extras.context ?? [])],
  };
  if (lanes !== undefined && max_total_iterations !== undefined && max_total_iterations < lanes) {
    const accepted = `at least one iteration for each of the ${lanes} lanes`;
    reader.add(vague(GATE_FIELDS.max_total_iterations, String(max_total_iterations), accepted, []));
  }
  const findings = reader.findings();
  if (findings.length > 0) return { complete: false, findings };
  return { complete: true, plan, plan_digest: digestOfJson(plan), total_iterations: total ?? 0 };
}

/** Lanes × iterations × rounds; undefined while one of them is, or where nobody can count so far exactly. */
function totalOf(
  reader: FieldReader,
  given: {
    readonly lanes: number | undefined;
    readonly iterations_per_round: number | undefined;
    readonly max_rounds: number | undefined;
  },
): number | undefined {
  const { lanes, iterations_per_round, max_rounds } = given;
  if (lanes === undefined || iterations_per_round === undefined || max_rounds === undefined) return undefined;
  const total = lanes * iterations_per_round * max_rounds;
  if (Number.isSafeInteger(total)) return total;
  const accepted = `at most ${Math.floor(Number.MAX_SAFE_INTEGER / (lanes * max_rounds))} for ${lanes} lanes and ${max_rounds} rounds`;
  reader.add(vague(GATE_FIELDS.iterations_per_round, String(iterations_per_round), accepted, []));
  return undefined;
}

interface FieldReader {
  add(finding: GateFinding): void;
  findings(): readonly GateFinding[];
  text(field: GateField, accepted: string): string | undefined;
  positive(field: GateField, max?: number): number | undefined;
  duration(field: GateField): number | undefined;
  yesNo(field: GateField): boolean | undefined;
  oneOf<Word extends string>(field: GateField, words: readonly Word[], fallback?: Word): Word | undefined;
  /** Absent is undefined and no finding; what is there must have one meaning. */
  optional<Value>(field: GateField, parse: (text: string) => Parsed<Value>): Value | undefined;
  list(field: GateList): string[];
  requiredList(field: GateList): string[];
}

function readerOf(input: GateInput): FieldReader {
  const findings: GateFinding[] = [];
  const one = (field: GateField): { text: string | undefined; places: readonly string[] } | null => {
    const found = oneText(GATE_FIELDS[field], input.values[field]);
    if (!('field' in found)) return found;
    findings.push(found);
    return null;
  };
  const required = <Value>(
    field: GateField,
    parse: (text: string | undefined) => Parsed<Value>,
  ): Value | undefined => {
    const found = one(field);
    if (found === null) return undefined;
    const parsed = parse(found.text);
    if (parsed.ok) return parsed.value;
    findings.push(findingOf(GATE_FIELDS[field], putOff(parsed), found.places));
    return undefined;
  };
  const list = (field: GateList): string[] =>
    (input.lists[field] ?? []).map(({ text }) => text.trim()).filter((text) => !isPlaceholder(text));
  return {
    add: (finding) => void findings.push(finding),
    findings: () => findings,
    text: (field, accepted) =>
      required(field, (text) =>
        text === undefined || isPlaceholder(text)
          ? { ok: false, problem: 'missing', found: text ?? '', accepted }
          : { ok: true, value: text },
      ),
    positive: (field, max) => required(field, (text) => parsePositiveWhole(text, max)),
    duration: (field) => required(field, parseDuration),
    yesNo: (field) => required(field, parseYesNo),
    oneOf: (field, words, fallback) =>
      required(field, (text): Parsed<(typeof words)[number]> => {
        const known = words.find((word) => word === text?.toLowerCase());
        if (known !== undefined) return { ok: true, value: known };
        if (fallback !== undefined && (text === undefined || isPlaceholder(text)))
          return { ok: true, value: fallback };
        return unread(text, words.join(' or '));
      }),
    optional: (field, parse) => {
      const found = one(field);
      if (found === null || found.text === undefined || isPlaceholder(found.text)) return undefined;
      const parsed = parse(found.text);
      if (parsed.ok) return parsed.value;
      findings.push(findingOf(GATE_FIELDS[field], parsed, found.places));
      return undefined;
    },
    list,
    requiredList: (field) => {
      const entries = list(field);
      if (entries.length === 0)
        findings.push(missing(GATE_LISTS[field], 'at least one entry; "none" says that there is none'));
      return entries.filter(notNone);
    },
  };
}

function unread(text: string | undefined, accepted: string): Parsed<never> {
  const absent = text === undefined || isPlaceholder(text);
  return { ok: false, problem: absent ? 'missing' : 'vague', found: text ?? '', accepted };
}

/** `TBD` and its like are answers put off: missing rather than vague. */
function putOff(parsed: Extract<Parsed<unknown>, { ok: false }>): Extract<Parsed<unknown>, { ok: false }> {
  return isPlaceholder(parsed.found) ? { ...parsed, problem: 'missing' } : parsed;
}

function notNone(text: string): boolean {
  return text.toLowerCase() !== 'none';
}

function parseYesNo(text: string | undefined): Parsed<boolean> {
  switch (text?.toLowerCase()) {
    case 'yes':
    case 'true':
      return { ok: true, value: true };
    case 'no':
    case 'false':
      return { ok: true, value: false };
    default:
      return unread(text, 'yes or no');
  }
}

function parseCost(text: string): Parsed<string> {
  const fits = /^\d{1,15}(\.\d{1,9})?$/.test(text) && /[1-9]/.test(text);
  return fits
    ? { ok: true, value: text }
    : unread(text, "a positive decimal in the host's own unit, such as 2.50");
}

/** A root is absolute; whoever reads the file has resolved it (02 Charter). `none` is none. */
function parseRoot(text: string): Parsed<string | null> {
  if (text.toLowerCase() === 'none') return { ok: true, value: null };
  return text.startsWith('/') ? { ok: true, value: text } : unread(text, 'an absolute folder, or none');
}

function parsePause(text: string): Parsed<number> {
  const word = text.toLowerCase();
  if (word === 'never') return { ok: true, value: 0 };
  if (word === 'every_round') return { ok: true, value: 1 };
  const rounds = /^every_([1-9]\d{0,3})_rounds?$/.exec(word)?.[1];
  return rounds === undefined
    ? unread(text, 'never, every_round or every_N_rounds')
    : { ok: true, value: Number(rounds) };
}

function readMetric(reader: FieldReader, mode: Plan['mode'] | undefined): Plan['metric'] {
  if (mode === undefined) return undefined;
  if (mode === 'qualitative') {
    // Shown, not judged: only a complete one is kept.
    const name = reader.optional('metric', (text) => ({ ok: true, value: text }));
    const target = reader.optional('target', (text) => ({ ok: true, value: text }));
    const direction = reader.optional('direction', parseDirection);
    return name === undefined || target === undefined
      ? undefined
      : { name, target, direction: direction ?? 'maximize' };
  }
  const name = reader.text('metric', 'the name that every measurement carries');
  const target = reader.text('target', 'a number with comparator and unit, such as >= 95% or < 50ms');
  const parsed = target === undefined ? null : parseTarget(target);
  if (parsed?.ok === false) reader.add(findingOf(GATE_FIELDS.target, parsed, []));
  const direction = reader.oneOf('direction', ['maximize', 'minimize']);
  if (name === undefined || target === undefined || direction === undefined) return undefined;
  return { name, target, direction };
}

function parseDirection(text: string): Parsed<'maximize' | 'minimize'> {
  const word = text.toLowerCase();
  return word === 'maximize' || word === 'minimize'
    ? { ok: true, value: word }
    : unread(text, 'maximize or minimize');
}

function readFocus(reader: FieldReader, input: GateInput, lanes: number | undefined): Plan['focus'] {
  const focus: Plan['focus'] = [];
  for (const lane of Object.keys(input.focus).toSorted()) {
    const label = `Search Space Partitioning › Researcher ${lane} Focus`;
    const found = oneText(label, input.focus[lane]);
    if ('field' in found) reader.add(found);
    else if (found.text !== undefined && !isPlaceholder(found.text)) {
      const seat = laneIndex(lane);
      if (seat === null || (lanes !== undefined && seat >= lanes)) {
        reader.add(vague(label, lane, `a lane of the ${lanes ?? ''} that are configured`, found.places));
      } else focus.push({ lane, text: found.text });
    }
  }
  return focus;
}

function readConvergence(reader: FieldReader): Plan['convergence'] {
  const scores = (text: string): Parsed<number> => parsePositiveWhole(text, 10);
  const noise = reader.optional('noise_threshold', (text) => {
    const parsed = parseNoiseThreshold(text);
    return parsed.ok ? { ok: true, value: text } : parsed;
  });
  return {
    order: reader.oneOf('order', ['core', 'guide'], convergenceDefaults.order) ?? convergenceDefaults.order,
    plateau_window:
      reader.optional('plateau_window', parsePositiveWhole) ?? convergenceDefaults.plateau_window,
    noise_threshold: noise ?? null,
    early_quality: reader.optional('early_quality', parseYesNo) ?? convergenceDefaults.early_quality,
    stuck_level:
      reader.optional('stuck_level', (text) => parsePositiveWhole(text, 3)) ??
      convergenceDefaults.stuck_level,
    quality_score: reader.optional('quality_score', scores) ?? convergenceDefaults.quality_score,
    early_quality_score:
      reader.optional('early_quality_score', scores) ?? convergenceDefaults.early_quality_score,
  };
}

function readNoise(reader: FieldReader): Plan['noise'] {
  const runs = reader.optional('noise_runs', parsePositiveWhole);
  const min_consensus_delta = reader.optional('min_consensus_delta', (text) => {
    const parsed = parseNoiseThreshold(text);
    return parsed.ok ? { ok: true, value: text } : parsed;
  });
  return {
    ...(runs === undefined ? {} : { runs }),
    ...(min_consensus_delta === undefined ? {} : { min_consensus_delta }),
  };
}
