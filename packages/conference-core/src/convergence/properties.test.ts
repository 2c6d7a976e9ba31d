/**
 * Catches what no row of a sheet thinks of: laws of convergence over generated conferences, with small and large values,
 * odd units, unreviewed evidence and lanes that did not answer. FULL=1 runs ten times as many.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { DecisionRecord } from './decision-record.ts';
import { evaluateConvergence, judgeConvergence } from './evaluate.ts';
import { laneStatuses, measurementVerdicts } from './input.ts';
import type { ConvergenceConfig, LaneInput, MetricConfig, QualitativeConfig, RoundInput } from './input.ts';
import { foldRound } from './round-facts.ts';

const runs = { numRuns: process.env['FULL'] === '1' ? 5000 : 300 };
/** Full runs on a busy machine take their time; it bounds a hang, nothing else. */
const timeoutMs = 300_000;

const units = fc.constantFrom('', '%', 'ms', '/10');
/** Decimals with up to three digits after the point, dense enough that ties, dips and targets met are frequent. */
const numbers = fc
  .tuple(fc.integer({ min: -300, max: 300 }), fc.constantFrom('e0', 'e-1', 'e-3', 'e2', ''))
  .map(([digits, exponent]) => `${digits}${exponent}`);

const common = {
  order: fc.constantFrom('core', 'guide'),
  plateau_window: fc.integer({ min: 1, max: 3 }),
  stuck_level: fc.integer({ min: 1, max: 3 }),
  max_rounds: fc.integer({ min: 1, max: 8 }),
  max_total_iterations: fc.constantFrom(10, 40, 10_000),
  time_budget_ms: fc.constantFrom(null, 2000, 100_000),
  lanes: fc.integer({ min: 1, max: 4 }),
} as const;

const metricConfigs: fc.Arbitrary<MetricConfig> = fc
  .record({
    ...common,
    unit: units,
    target: numbers,
    strict: fc.constantFrom(true, false, null),
    direction: fc.constantFrom('maximize', 'minimize'),
    noise_threshold: fc.constantFrom(
      null,
      { kind: 'absolute', number: '0' } as const,
      { kind: 'absolute', number: '2.5' } as const,
      { kind: 'relative', number: '1' } as const,
    ),
  })
  .map(({ unit, target, strict, direction, ...rest }) => {
    // A target that asks for less than the direction (`< 5` when maximizing) is met by getting worse: not generated.
    const [open, closed] = direction === 'maximize' ? (['>', '>='] as const) : (['<', '<='] as const);
    const comparator = strict === null ? null : strict ? open : closed;
    return {
      ...rest,
      mode: 'metric',
      metric: { name: 'm', direction, target: { comparator, number: target, unit } },
    };
  });

const qualitativeConfigs: fc.Arbitrary<QualitativeConfig> = fc.record({
  ...common,
  mode: fc.constant('qualitative'),
  early_quality: fc.boolean(),
  quality_score: fc.integer({ min: 6, max: 9 }),
  early_quality_score: fc.integer({ min: 7, max: 10 }),
});

const measurements = fc.record({
  name: fc.constantFrom('m', 'm', 'm', null, 'other'),
  value: fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: numbers }, { weight: 1, arbitrary: fc.constantFrom('NaN', 'TBD') }),
      units,
    )
    .map(([number, unit]) => `${number}${unit === '' ? '' : ' '}${unit}`),
  verdict: fc.constantFrom('validated', 'validated', ...measurementVerdicts, null),
});

function laneAt(seat: number): fc.Arbitrary<LaneInput> {
  return fc.record({
    lane: fc.constant(String.fromCodePoint(65 + seat)),
    status: fc.constantFrom('received', 'received', 'received', ...laneStatuses),
    stuck_level: fc.constantFrom(null, 0, 1, 2, 3),
    score: fc.constantFrom(null, 5, 7, 8, 8, 9, 9, 10),
    measurements: fc.array(measurements, { maxLength: 3 }),
  });
}

const histories: fc.Arbitrary<readonly RoundInput[]> = fc
  .integer({ min: 1, max: 4 })
  .chain((lanes) => {
    const seats = Array.from({ length: lanes }, (_, seat) => laneAt(seat));
    return fc.array(fc.tuple(...seats), { minLength: 1, maxLength: 6 });
  })
  .map((rounds) =>
    rounds.map((lanes, index) => ({
      round: index + 1,
      iterations_spent: (index + 1) * lanes.length,
      elapsed_ms: (index + 1) * 700,
      cost_reached: false,
      lanes,
    })),
  );

const anyConfig: fc.Arbitrary<ConvergenceConfig> = fc.oneof(metricConfigs, qualitativeConfigs);

function judge(config: ConvergenceConfig, rounds: readonly RoundInput[]): DecisionRecord {
  return evaluateConvergence(config, { cancelled: false, rounds });
}

/** The decision without the words: what evidence that does not count must leave alone. */
function decisionOf(record: DecisionRecord): unknown {
  const { outcome, winner, target_met, round_bests, improved, baseline, threshold } = record;
  const held = record.rules.map(({ rule, held: holds }) => [rule, holds]);
  return { outcome, winner, target_met, round_bests, improved, baseline, threshold, held };
}

function isMet({ outcome, target_met }: DecisionRecord): boolean {
  return target_met || outcome === 'CONVERGED';
}

function changeLane(
  rounds: readonly RoundInput[],
  place: number,
  change: (lane: LaneInput) => LaneInput,
): readonly RoundInput[] {
  const at = place % rounds.reduce((total, { lanes }) => total + lanes.length, 0);
  let seen = 0;
  return rounds.map((round) => ({
    ...round,
    lanes: round.lanes.map((lane) => {
      seen += 1;
      return seen - 1 === at ? change(lane) : lane;
    }),
  }));
}

const place = fc.nat({ max: 1000 });

test(
  'the order of lanes never matters: shuffled lanes give the same record, word for word [AUTO-16 CONV-01]',
  () => {
    fc.assert(
      fc.property(anyConfig, histories, fc.infiniteStream(fc.nat({ max: 1000 })), (config, rounds, keys) => {
        const shuffled = rounds.map((round) => ({
          ...round,
          lanes: round.lanes
            .map((lane) => ({ lane, key: keys.next().value }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ lane }) => lane),
        }));
        expect(judge(config, shuffled)).toEqual(judge(config, rounds));
      }),
      runs,
    );
  },
  timeoutMs,
);

test(
  'a worse measurement never causes CONVERGED: neither one more, nor one in the place of a better [AUTO-17 CONF-16]',
  () => {
    fc.assert(
      fc.property(
        metricConfigs,
        histories,
        place,
        fc.nat({ max: 50 }),
        fc.boolean(),
        (config, rounds, at, by, replace) => {
          const { direction, target } = config.metric;
          const before = judge(config, rounds);
          const after = changeLane(rounds, at, (lane) => {
            const [first, ...others] = lane.measurements;
            // Only what counts can be made worse: a value of another unit or name would be made to count.
            const value = /^(-?\d+)((?:e-?\d)?)(?: (.*))?$/.exec(first?.value ?? '');
            const usable = value !== null && (value[3] ?? '') === target.unit && first?.name !== 'other';
            if (first === undefined || value === null || !usable) return lane;
            const digits = Number(value[1]) + (direction === 'maximize' ? -by : by);
            const worse = {
              ...first,
              name: 'm',
              value: `${digits}${value[2]}${target.unit}`,
              verdict: first.verdict,
            };
            return { ...lane, measurements: replace ? [worse, ...others] : [first, ...others, worse] };
          });
          expect(isMet(judge(config, after)) && !isMet(before)).toBe(false);
        },
      ),
      runs,
    );
  },
  timeoutMs,
);

test(
  'a lower score, or none, never causes CONVERGED [CONV-09 CONV-10]',
  () => {
    fc.assert(
      fc.property(
        qualitativeConfigs,
        histories,
        place,
        fc.constantFrom(null, 1, 5, 7),
        (config, rounds, at, lower) => {
          const before = judge(config, rounds);
          const after = changeLane(rounds, at, (lane) => ({
            ...lane,
            score: lower === null || lane.score === null ? null : Math.min(lower, lane.score),
          }));
          expect(isMet(judge(config, after)) && !isMet(before)).toBe(false);
        },
      ),
      runs,
    );
  },
  timeoutMs,
);

test(
  'a packet that does not count changes nothing: what a lane that was not received holds, and any measurement that is not validated [AUTO-17 CONF-15 PROTO-32]',
  () => {
    // A stale packet leaves its dispatch as it was: the lane keeps its status, and its bytes reach no evidence.
    fc.assert(
      fc.property(
        anyConfig,
        histories,
        place,
        fc.array(measurements, { minLength: 1, maxLength: 3 }),
        (config, rounds, at, more) => {
          const after = changeLane(rounds, at, (lane) => {
            const stale =
              lane.status === 'received'
                ? more.map((one) => ({ ...one, verdict: one.verdict === 'validated' ? null : one.verdict }))
                : more;
            const score = lane.status === 'received' ? lane.score : 10;
            return { ...lane, score, measurements: [...stale, ...lane.measurements] };
          });
          expect(decisionOf(judge(config, after))).toEqual(decisionOf(judge(config, rounds)));
        },
      ),
      runs,
    );
  },
  timeoutMs,
);

test(
  'a round in which nobody answered changes no earlier improvement, and is BLOCKED_NO_VALID_PACKET unless the budget stops first [AUTO-16 CONF-17]',
  () => {
    fc.assert(
      fc.property(anyConfig, histories, (config, rounds) => {
        const last = rounds.at(-1);
        if (last === undefined) throw new Error('a history has a round');
        const silent = {
          ...last,
          round: last.round + 1,
          lanes: last.lanes.map((lane) => ({ ...lane, status: 'timed_out' as const })),
        };
        const [before, after] = [judge(config, rounds), judge(config, [...rounds, silent])];
        expect(after.improved).toEqual([...before.improved, false]);
        expect(['BLOCKED_NO_VALID_PACKET', ...(config.order === 'core' ? ['BUDGET_STOP'] : [])]).toContain(
          after.outcome,
        );
      }),
      runs,
    );
  },
  timeoutMs,
);

test(
  'judging is deterministic, changes nothing it was given, and wins by the first rule that holds [CONF-18 CONF-21]',
  () => {
    fc.assert(
      fc.property(anyConfig, histories, (config, rounds) => {
        const copy = structuredClone({ config, rounds });
        const record = judge(config, rounds);
        expect({ config, rounds }).toEqual(copy);
        expect(judge(copy.config, copy.rounds)).toEqual(record);
        const kept = rounds.map((round) => foldRound(config, round));
        expect(judgeConvergence(config, { cancelled: false, rounds: kept })).toEqual(record);
        expect(record.winner).toBe(record.rules.find(({ held }) => held)?.rule ?? null);
        expect(record.outcome === 'CONTINUE').toBe(record.winner === null);
        expect(record.rules.every(({ detail }) => detail !== '' && !/[\p{Cc}\p{Cf}]/u.test(detail))).toBe(
          true,
        );
      }),
      runs,
    );
  },
  timeoutMs,
);

test(
  'the two orders judge the same rules: they hold alike, and only the winner may differ [CONV-01 CONF-21]',
  () => {
    fc.assert(
      fc.property(anyConfig, histories, (config, rounds) => {
        const [core, guide] = [
          judge({ ...config, order: 'core' }, rounds),
          judge({ ...config, order: 'guide' }, rounds),
        ];
        const byName = (record: DecisionRecord): unknown =>
          record.rules.toSorted((a, b) => (a.rule < b.rule ? -1 : 1));
        expect(byName(core)).toEqual(byName(guide));
        expect(core.target_met).toBe(guide.target_met);
        if (core.outcome === 'CONVERGED') expect(guide.outcome).toBe('CONVERGED');
      }),
      runs,
    );
  },
  timeoutMs,
);

test(
  'exact decimals: a value shifted by any power of ten is judged the same, and a step of one unit in the last place is a step [CONV-03 CONF-15]',
  () => {
    const shifts = fc.integer({ min: -200, max: 200 });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        shifts,
        fc.constantFrom('maximize', 'minimize'),
        (digits, shift, direction) => {
          const config: MetricConfig = {
            mode: 'metric',
            order: 'core',
            plateau_window: 1,
            stuck_level: 2,
            max_rounds: 9,
            max_total_iterations: 99,
            time_budget_ms: null,
            lanes: 1,
            metric: {
              name: 'm',
              direction,
              target: {
                comparator: direction === 'maximize' ? '>=' : '<=',
                number: `${direction === 'maximize' ? digits + 2n : digits - 2n}e${shift}`,
                unit: '',
              },
            },
            noise_threshold: { kind: 'absolute', number: '0' },
          };
          const step = direction === 'maximize' ? 1n : -1n;
          const outcomes = [0n, 1n, 2n].map((steps) => {
            const values = [digits, digits + step * steps];
            const rounds = values.map((value, index) => ({
              round: index + 1,
              iterations_spent: index,
              elapsed_ms: 0,
              cost_reached: false,
              lanes: [
                {
                  lane: 'A',
                  status: 'received',
                  stuck_level: 0,
                  score: null,
                  measurements: [{ name: null, value: `${value}e${shift}`, verdict: 'validated' }],
                },
              ] as const,
            }));
            return judge(config, rounds).outcome;
          });
          expect(outcomes).toEqual(['CONVERGED_PLATEAU', 'CONTINUE', 'CONVERGED']);
        },
      ),
      runs,
    );
  },
  timeoutMs,
);
