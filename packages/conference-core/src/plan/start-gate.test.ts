/**
 * The bugs: a vague number guessed at, a default that nobody saw, a finding about what was given well, a file that
 * confirms itself.
 */
import { digestOfJson, planSchema } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { conditionsOf, duration } from './conditions.ts';
import { GATE_FIELDS, GATE_LISTS, type GateField, type GateInput, type GateList } from './gate-fields.ts';
import { startGate } from './start-gate.ts';

const COMPLETE: Readonly<Partial<Record<GateField, string>>> = {
  goal: 'Find the fastest sort.',
  mode: 'metric',
  metric: 'ms',
  target: '<= 10 ms',
  direction: 'minimize',
  lanes: '3',
  iterations_per_round: '2',
  max_rounds: '4',
  contrarian: 'no',
  researcher_timeout: '10m',
};
const LISTS: Readonly<Partial<Record<GateList, readonly string[]>>> = {
  allowed_actions: ['read the evidence'],
  forbidden_actions: ['none'],
};

type Values = Readonly<Partial<Record<GateField, string | readonly string[] | null>>>;

/** The complete answers with some changed: null takes one away, a list gives one in several places. */
function gate(values: Values = {}, lists: Readonly<Partial<Record<GateList, readonly string[]>>> = {}) {
  const given: GateInput = {
    values: Object.fromEntries(
      Object.entries({ ...COMPLETE, ...values }).flatMap(([field, value]) => {
        if (value === null || value === undefined) return [];
        const texts = typeof value === 'string' ? [value] : value;
        return [[field, texts.map((text, index) => ({ text, place: `line ${index + 1}` }))]];
      }),
    ),
    lists: Object.fromEntries(
      Object.entries({ ...LISTS, ...lists }).map(([list, texts]) => [
        list,
        (texts ?? []).map((text, index) => ({ text, place: `line ${index + 1}` })),
      ]),
    ),
    focus: {},
  };
  return startGate(given);
}

function found(values: Values, lists: Readonly<Partial<Record<GateList, readonly string[]>>> = {}): string[] {
  const result = gate(values, lists);
  return result.complete ? [] : result.findings.map(({ field, problem }) => `${problem}: ${field}`);
}

describe('a required field that is missing', () => {
  const required: readonly GateField[] = [
    'goal',
    'mode',
    'metric',
    'target',
    'direction',
    'lanes',
    'iterations_per_round',
    'max_rounds',
    'contrarian',
    'researcher_timeout',
  ];
  test.each(required.filter((field) => field !== 'mode'))(
    'is the only thing that is asked for, with what would be accepted: %s [AUTO-09 AUTO-12]',
    (field) => {
      for (const text of [null, '', '  ', 'TBD', '{N}', '_Describe it_', '<!-- here -->', '?', 'n/a']) {
        expect(found({ [field]: text })).toEqual([`missing: ${GATE_FIELDS[field]}`]);
      }
      const result = gate({ [field]: null });
      if (result.complete) throw new Error('complete');
      expect(result.findings[0]?.accepted.length).toBeGreaterThan(3);
    },
  );

  test('of the mode leaves the metric unasked: which one is needed is not known yet [AUTO-12]', () => {
    expect(found({ mode: null })).toEqual([`missing: ${GATE_FIELDS.mode}`]);
  });

  test.each(['allowed_actions', 'forbidden_actions'] as const)(
    'is a list of actions: %s [AUTO-09]',
    (list) => {
      expect(found({}, { [list]: [] })).toEqual([`missing: ${GATE_LISTS[list]}`]);
      expect(found({}, { [list]: ['TBD'] })).toEqual([`missing: ${GATE_LISTS[list]}`]);
      expect(found({}, { [list]: ['none'] })).toEqual([]);
    },
  );

  test('is the rubric in qualitative mode, where no metric is needed [AUTO-09]', () => {
    const words = { mode: 'qualitative', metric: null, target: null, direction: null };
    expect(found(words)).toEqual([`missing: ${GATE_LISTS.criteria}`]);
    expect(found(words, { criteria: ['clear'] })).toEqual([]);
  });

  test('is listed beside the others, and nothing that was given well is [AUTO-12]', () => {
    expect(found({ lanes: null, max_rounds: 'many', contrarian: null })).toEqual([
      `missing: ${GATE_FIELDS.lanes}`,
      `vague: ${GATE_FIELDS.max_rounds}`,
      `missing: ${GATE_FIELDS.contrarian}`,
    ]);
  });
});

const NUMBERS = [
  '0',
  '-1',
  'NaN',
  'Infinity',
  '1e999',
  '4 (round 1-2), 3 (round 3)',
  '3.5',
  '07',
  'four',
  '1e2',
  '²',
];

describe('a number that is not a positive whole one', () => {
  test.each(
    NUMBERS.flatMap((text) =>
      (['lanes', 'iterations_per_round', 'max_rounds'] as const).map((field) => ({ field, text })),
    ),
  )('is vague and never guessed: $field $text [CONF-11]', ({ field, text }) => {
    const result = gate({ [field]: text });
    if (result.complete) throw new Error('guessed');
    expect(result.findings).toEqual([
      expect.objectContaining({
        field: GATE_FIELDS[field],
        problem: 'vague',
        found: text,
        places: ['line 1'],
      }),
    ]);
  });

  test.each(['ask user before run', 'TBD', '{N}'])(
    'is missing where the answer is put off: %s [CONF-11]',
    (text) => {
      expect(found({ max_rounds: text })).toEqual([`missing: ${GATE_FIELDS.max_rounds}`]);
    },
  );

  test.each(['0', '-5m', '10', 'soon', '5 parsecs', '1e3s', '0s'])(
    'is vague as a duration too: %s [CONF-11]',
    (text) => {
      expect(found({ researcher_timeout: text })).toEqual([`vague: ${GATE_FIELDS.researcher_timeout}`]);
      expect(found({ time_budget: text })).toEqual([`vague: ${GATE_FIELDS.time_budget}`]);
    },
  );

  test.each([
    ['plateau_window', '0'],
    ['stuck_level', '4'],
    ['quality_score', '11'],
    ['early_quality_score', '0'],
    ['early_quality', 'maybe'],
    ['order', 'random'],
    ['noise_threshold', 'small'],
    ['pause_every', 'sometimes'],
    ['pause_every', 'every_0_rounds'],
    ['cost_budget', '-2'],
    ['cost_budget', '0.00'],
    ['cost_budget', '1e3'],
    ['max_total_iterations', '2'],
    ['write_root', 'out'],
    ['strategy', 'wild'],
    ['target', 'as good as it gets'],
    ['mode', 'both'],
    ['contrarian', 'if useful'],
    ['direction', 'up'],
  ] as const)('is vague in an optional field as well: %s %s [CONF-11]', (field, text) => {
    expect(found({ [field]: text })).toEqual([`vague: ${GATE_FIELDS[field]}`]);
  });

  test('is too large a total as well: what cannot be counted exactly is no budget [CONF-11]', () => {
    expect(found({ lanes: '1000', max_rounds: '1000', iterations_per_round: '9007199254740991' })).toEqual([
      `vague: ${GATE_FIELDS.iterations_per_round}`,
    ]);
    expect(found({ lanes: '1001' })).toEqual([`vague: ${GATE_FIELDS.lanes}`]);
  });
});

test('the same value twice and differently is vague, both places named; twice alike is one value [AUTO-12]', () => {
  const result = gate({ lanes: ['3', '4'] });
  if (result.complete) throw new Error('guessed');
  expect(result.findings).toEqual([
    {
      field: GATE_FIELDS.lanes,
      problem: 'vague',
      found: '3 | 4',
      accepted: 'the same value in every place, or one place only',
      places: ['line 1', 'line 2'],
    },
  ]);
  expect(found({ lanes: ['3', '3'] })).toEqual([]);
  expect(found({ lanes: ['{N}', '3'] })).toEqual([]);
});

test('a contrarian lane needs a second lane to contradict [CONF-01 AUTO-09]', () => {
  expect(found({ contrarian: 'yes', lanes: '1' })).toEqual([`vague: ${GATE_FIELDS.contrarian}`]);
  expect(found({ contrarian: 'yes', lanes: '2' })).toEqual([]);
  const plan = gate({ contrarian: 'yes' });
  // The seat is one of the three, so the budget is the same.
  expect(plan.complete && plan.total_iterations).toBe(24);
});

describe('a complete plan', () => {
  const result = gate();
  if (!result.complete) throw new Error(JSON.stringify(result.findings));
  const { plan } = result;

  test('has the computed total and the digest of its canonical JSON [AUTO-10 AUTO-11]', () => {
    expect(result.total_iterations).toBe(3 * 2 * 4);
    expect(plan.max_total_iterations).toBe(24);
    expect(planSchema.parse(plan)).toEqual(plan);
    expect(result.plan_digest).toBe(digestOfJson(JSON.parse(JSON.stringify(plan))));
    const other = gate({ goal: 'Find the fastest sort!' });
    expect(other.complete && other.plan_digest).not.toBe(result.plan_digest);
  });

  test('holds every default, so that each is shown, confirmed and digested [CONF-34 CHAR-11]', () => {
    const minutes = 600_000;
    expect(plan).toMatchObject({
      timeouts: { researcher_ms: minutes, poster_ms: minutes, reviewer_ms: minutes, synthesis_ms: minutes },
      pause_every: 0,
      review_cadence: 'every_round',
      strategy: 'free',
      write_root: null,
      convergence: {
        order: 'core',
        plateau_window: 2,
        noise_threshold: null,
        early_quality: false,
        stuck_level: 2,
        quality_score: 8,
        early_quality_score: 9,
      },
      limits: {
        packet_bytes_max: 65_536,
        evidence_bytes_max: 32_768,
        claims_max: 64,
        string_code_points_max: 4_096,
      },
    });
  });

  test('is shown whole among the conditions, in words [CONF-34 AUTO-10]', () => {
    const shown = conditionsOf(plan).map(({ label, value }) => `${label}: ${value}`);
    expect(shown).toEqual([
      'Goal: Find the fastest sort.',
      'Mode: metric',
      'Metric: ms, target <= 10 ms, minimize',
      'Criteria: none',
      'Lanes: 3 (free)',
      'Iterations: 2 a round and lane, 4 rounds at most',
      'Total budget: 3 × 2 × 4 = 24 iterations, at most 24',
      'Time budget: none',
      'Cost budget: none',
      'Allowed actions: read the evidence',
      'Forbidden actions: none',
      'Read roots: none but the evidence in the charter',
      'Write root: none',
      'Review: after every round',
      'Pause: never',
      'Timeouts: researcher 10m, poster 10m, reviewer 10m, synthesis 10m',
      'Convergence: order core, plateau window 2, noise threshold default of the metric, stuck level 2',
      'Scores: quality 8, early quality off',
      'Limits: packet 65536 bytes, evidence 32768 bytes, 64 claims, strings 4096 characters',
      `Packet rules: ${plan.rules}`,
    ]);
  });

  test('shows what was chosen instead of a default [CONF-34]', () => {
    const chosen = gate(
      {
        poster_timeout: '90s',
        reviewer_timeout: '1h30m',
        synthesis_timeout: '1500ms',
        pause_every: 'every_2_rounds',
        time_budget: '2h',
        cost_budget: '2.50',
        early_quality: 'yes',
        write_root: '/srv/out',
        contrarian: 'yes',
      },
      { guard: ['tests stay green'], forbidden_read_roots: ['/etc'], more_forbidden_actions: ['no network'] },
    );
    if (!chosen.complete) throw new Error('incomplete');
    const shown = conditionsOf(chosen.plan).map(({ label, value }) => `${label}: ${value}`);
    expect(shown).toEqual(
      expect.arrayContaining([
        'Lanes: 3, the last one contrarian (free)',
        'Time budget: 2h',
        'Cost budget: 2.50',
        'Forbidden actions: no network',
        'Forbidden read roots: /etc',
        'Write root: /srv/out',
        'Guard: tests stay green',
        'Pause: after every 2 rounds',
        'Timeouts: researcher 10m, poster 1m 30s, reviewer 1h 30m, synthesis 1500ms',
        'Scores: quality 8, early quality 9',
      ]),
    );
  });
});

test('durations are shown exactly', () => {
  expect([0, 1, 999, 1_000, 61_000, 3_600_000, 5_400_000, 90_061_001].map(duration)).toEqual([
    '0s',
    '1ms',
    '999ms',
    '1s',
    '1m 1s',
    '1h',
    '1h 30m',
    '25h 1m 1001ms',
  ]);
});
