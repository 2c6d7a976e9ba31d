/** Catches a record that does not say what it decided on, or that a kept round judges differently than a fresh one. */
import { expect, test } from 'vitest';

import { evaluateConvergence, judgeConvergence } from './evaluate.ts';
import { shownMean } from './improvement.ts';
import { convergenceDefaults } from './input.ts';
import type { LaneInput, MeasurementInput, MetricConfig, QualitativeConfig, RoundInput } from './input.ts';
import { foldRound, unusableListedMax } from './round-facts.ts';

const budget = { max_rounds: 20, max_total_iterations: 100_000, time_budget_ms: null, lanes: 2 };
const metric = {
  name: 'm',
  target: { comparator: null, number: '90', unit: '%' },
  direction: 'maximize',
} as const;
const config: MetricConfig = {
  ...convergenceDefaults,
  ...budget,
  mode: 'metric',
  metric,
  noise_threshold: null,
};
const scored: QualitativeConfig = { ...convergenceDefaults, ...budget, mode: 'qualitative' };

function reviewed(value: string, verdict: MeasurementInput['verdict'] = 'validated'): MeasurementInput {
  return { name: 'm', value, verdict };
}

function lane(name: string, over: Partial<LaneInput> = {}): LaneInput {
  return { lane: name, status: 'received', stuck_level: 0, score: null, measurements: [], ...over };
}

function round(number: number, lanes: readonly LaneInput[], over: Partial<RoundInput> = {}): RoundInput {
  return { round: number, iterations_spent: number, elapsed_ms: number, cost_reached: false, lanes, ...over };
}

function detailOf(record: ReturnType<typeof evaluateConvergence>, rule: string): string {
  return record.rules.find((one) => one.rule === rule)?.detail ?? '';
}

test('the record of a metric round lists every rule with its numbers, winner, baseline and threshold apart from target_met [CONF-18 CONF-19 CONV-04]', () => {
  const rounds = [
    round(1, [
      lane('A', { measurements: [reviewed('70.5%'), reviewed('99%', 'challenged')] }),
      lane('B', { status: 'failed' }),
    ]),
    round(2, [
      lane('A', { measurements: [reviewed('70.6%')] }),
      lane('B', { measurements: [reviewed('91.25 %')] }),
    ]),
  ];
  expect(evaluateConvergence({ ...config, max_rounds: 2 }, { cancelled: false, rounds })).toEqual({
    outcome: 'BUDGET_STOP',
    winner: 'hard_budget',
    target_met: true,
    rules: [
      { rule: 'cancelled', held: false, detail: 'not cancelled' },
      {
        rule: 'hard_budget',
        held: true,
        detail:
          'round 2 of 2 (reached); 2 of 100000 iterations spent, 99998 left for 2 lanes; no time budget; cost budget not reached',
      },
      { rule: 'no_valid_packet', held: false, detail: 'round 2: 2 received and 0 blocked of 2 lanes' },
      {
        rule: 'target_reached',
        held: true,
        detail: 'm >= 90%: met by 91.25% (round 2 B#m1); 3 reviewed, 1 not reviewed',
      },
      {
        rule: 'plateau',
        held: false,
        detail:
          'last 2: round 1 improved (best 70.5, the first), round 2 improved (best 91.25, gain 20.75 over 70.5); threshold 0.1 (default for a metric in %), baseline 70.5',
      },
      {
        rule: 'all_stalled',
        held: false,
        detail: 'round 2: lane A is received at stuck level 0; stalled from level 2',
      },
    ],
    round_bests: ['70.5', '91.25'],
    order: 'core',
    round: 2,
    improved: [true, true],
    baseline: { number: '70.5', unit: '%' },
    threshold: '0.1',
    unusable: { total: 0, listed: [] },
  });
});

test('the record of a qualitative round shows scores, means and who has none [CONF-18 CONF-20 CONV-09]', () => {
  const rounds = [
    round(1, [lane('A', { score: 8 }), lane('B', { score: 7 }), lane('C', { score: 8 })]),
    round(2, [lane('A', { score: 9 }), lane('B', { status: 'blocked' }), lane('C')], { cost_reached: true }),
  ];
  const record = evaluateConvergence(
    { ...scored, order: 'guide', time_budget_ms: 2 },
    { cancelled: true, rounds },
  );
  expect(record).toEqual({
    outcome: 'CANCELLED',
    winner: 'cancelled',
    target_met: false,
    rules: [
      { rule: 'cancelled', held: true, detail: 'the user cancelled' },
      { rule: 'no_valid_packet', held: false, detail: 'round 2: 2 received and 1 blocked of 3 lanes' },
      { rule: 'early_quality', held: false, detail: 'not allowed by the plan; round 2: lane C has no score' },
      {
        rule: 'quality',
        held: false,
        detail: 'round 1: lowest 7 (B), wanted 8; round 2: lane C has no score',
      },
      {
        rule: 'hard_budget',
        held: true,
        detail:
          'round 2 of 20; 2 of 100000 iterations spent, 99998 left for 2 lanes; 2 of 2 ms spent (reached); cost budget reached (reached)',
      },
      {
        rule: 'all_stalled',
        held: false,
        detail: 'round 2: lane A is received at stuck level 0; stalled from level 2',
      },
      {
        rule: 'sub_threshold',
        held: false,
        detail:
          'last 2: round 1 improved (mean 7.6667 (23/3), the first), round 2 improved (mean 9 (9/1), highest before 7.6667 (23/3)); highest score 9, sub-threshold below 8',
      },
      {
        rule: 'plateau',
        held: false,
        detail:
          'last 2: round 1 improved (mean 7.6667 (23/3), the first), round 2 improved (mean 9 (9/1), highest before 7.6667 (23/3))',
      },
    ],
    round_bests: ['7.6667', '9'],
    order: 'guide',
    round: 2,
    improved: [true, true],
    baseline: null,
    threshold: null,
    unusable: { total: 0, listed: [] },
  });
});

test('a reached cost budget stops like any other bound [CONF-26]', () => {
  const lanes = [lane('A', { measurements: [reviewed('5%')] })];
  const judged = (cost_reached: boolean): string =>
    evaluateConvergence(config, { cancelled: false, rounds: [round(1, lanes, { cost_reached })] }).outcome;
  expect([judged(false), judged(true)]).toEqual(['CONTINUE', 'BUDGET_STOP']);
});

test('unusable measurements are listed with lane, position and reason, and none of them counts [CONF-15]', () => {
  const odd = [
    reviewed('about 5%'),
    reviewed('95'),
    { name: 'other', value: '95%', verdict: 'validated' } as const,
    reviewed('5%'),
  ];
  const rounds = [
    round(1, [
      lane('A', { measurements: odd }),
      lane('B', { status: 'failed', measurements: [reviewed('x')] }),
    ]),
  ];
  const record = evaluateConvergence(config, { cancelled: false, rounds });
  expect(record.round_bests).toEqual(['5']);
  expect(record.unusable).toEqual({
    total: 3,
    listed: [
      { round: 1, lane: 'A', position: 1, found: 'about 5%', reason: 'not_a_number' },
      { round: 1, lane: 'A', position: 2, found: '95', reason: 'wrong_unit' },
      { round: 1, lane: 'A', position: 3, found: '95%', reason: 'other_metric' },
    ],
  });
  expect(detailOf(record, 'target_reached')).toBe(
    'm >= 90%: not met by any; 1 reviewed, 0 not reviewed; 3 unusable: round 1 A#m1 "about 5%" not a number, round 1 A#m2 "95" wrong unit, round 1 A#m3 "95%" another metric',
  );
});

test('the list of unusable measurements is bounded while all are counted, and foreign text in it is cut and made visible [CONF-15]', () => {
  const noise = Array.from({ length: 100 }, () => reviewed(`\u001b[2J\u202e${'x'.repeat(5000)}`));
  const rounds = [1, 2].map((number) => round(number, [lane('A', { measurements: noise })]));
  const record = evaluateConvergence(config, { cancelled: false, rounds });
  expect(record.unusable.total).toBe(200);
  expect(record.unusable.listed).toHaveLength(unusableListedMax);
  expect(JSON.stringify(record).length).toBeLessThan(20_000);
  const detail = detailOf(record, 'target_reached');
  expect(detail).toContain('200 unusable: round 1 A#m1 "\\u001b[2J\\u{202e}xxx');
  expect(detail).toMatch(/…" not a number, …$/);
  expect(detail).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('a very long number is exact in the decision and cut in the words [CONF-15 CONF-18]', () => {
  const long = `90.${'0'.repeat(3000)}1%`;
  const rounds = [round(1, [lane('A', { measurements: [reviewed(long)] })])];
  const strict = {
    ...config,
    metric: { ...metric, target: { comparator: '>', number: '90', unit: '%' } } as const,
  };
  const record = evaluateConvergence(strict, { cancelled: false, rounds });
  expect(record.outcome).toBe('CONVERGED');
  expect(detailOf(record, 'target_reached')).toContain('… (3004 characters)%');
  expect(record.rules.every(({ detail }) => detail.length < 500)).toBe(true);
});

test('a window of many rounds is judged whole and shown by its newest rounds [CONV-08 CONF-18]', () => {
  const rounds = Array.from({ length: 41 }, (_, index) =>
    round(index + 1, [lane('A', { measurements: [reviewed('5%')] })]),
  );
  const record = evaluateConvergence(
    { ...config, max_rounds: 50, plateau_window: 40 },
    { cancelled: false, rounds },
  );
  expect(record.winner).toBe('plateau');
  expect(detailOf(record, 'plateau')).toMatch(/^last 40: round 34 did not improve/);
});

test('before the first round nothing holds but a cancellation [AUTO-16 CONV-01]', () => {
  for (const judged of [
    config,
    scored,
    { ...config, order: 'guide' },
    { ...scored, order: 'guide' },
  ] as const) {
    const nothing = evaluateConvergence(judged, { cancelled: false, rounds: [] });
    expect(nothing).toMatchObject({
      outcome: 'CONTINUE',
      winner: null,
      target_met: false,
      round: null,
      round_bests: [],
    });
    expect(nothing.rules.some(({ held }) => held)).toBe(false);
    expect(evaluateConvergence(judged, { cancelled: true, rounds: [] }).winner).toBe('cancelled');
  }
});

test('means are compared exactly, where four decimals would call them equal [CONF-20]', () => {
  const lanes = (count: number, sixes: number): LaneInput[] =>
    Array.from({ length: count }, (_, index) => lane(`L${index}`, { score: index < sixes ? 6 : 5 }));
  // 5 + 332/995 = 5.33367 and 5 + 331/992 = 5.33367: the second is larger by one part in a million.
  const rounds = [round(1, lanes(995, 332)), round(2, lanes(992, 331))];
  const record = evaluateConvergence(scored, { cancelled: false, rounds });
  expect(record.round_bests).toEqual(['5.3337', '5.3337']);
  expect(record.improved).toEqual([true, true]);
});

test('a mean is shown rounded half up to four decimals, without zeros at the end [CLI-15]', () => {
  const shown = (sum: number, count: number): string | null =>
    shownMean({ sum, scored: count, lowest: null, highest: null, unscored: null });
  expect([
    shown(8, 1),
    shown(17, 2),
    shown(23, 3),
    shown(161, 32),
    shown(20, 3),
    shown(29_999, 3000),
    shown(0, 0),
  ]).toEqual(['8', '8.5', '7.6667', '5.0313', '6.6667', '9.9997', null]);
});

test('rounds folded one by one and kept are judged as all of them afresh, at 1,000 lanes and 20 rounds [CONF-18]', () => {
  const rounds = Array.from({ length: 20 }, (_, index) => {
    const lanes = Array.from({ length: 1000 }, (_unused, seat) => {
      const value = `${(index * 7919 + seat * 104_729) % 8000}.${seat % 10}%`;
      return lane(`L${seat}`, { measurements: [reviewed(value)], stuck_level: seat % 3 });
    });
    return round(index + 1, lanes, { iterations_spent: (index + 1) * 1000 });
  });
  const large = {
    ...config,
    lanes: 1000,
    metric: { ...metric, target: { comparator: null, number: '9999', unit: '%' } },
  };
  const kept = rounds.map((one) => foldRound(large, one));
  // Kept facts are plain and small: they survive a ledger, and do not grow with the lanes.
  expect(structuredClone(kept)).toEqual(kept);
  expect(JSON.stringify(kept).length).toBeLessThan(20 * 600);
  for (const count of [1, 2, 19, 20]) {
    const fresh = evaluateConvergence(large, { cancelled: false, rounds: rounds.slice(0, count) });
    expect(judgeConvergence(large, { cancelled: false, rounds: kept.slice(0, count) })).toEqual(fresh);
  }
});
