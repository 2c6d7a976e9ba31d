/** Catches a bad document that is answered anyway, or refused without saying where and what would do. */
import { expect, test } from 'vitest';

import { evaluateDocuments, findingsMax } from './evaluate-document.ts';

interface Lane {
  readonly [field: string]: unknown;
}

const lane: Lane = {
  lane: 'A',
  status: 'received',
  measurements: [{ value: '91.2%', verdict: 'validated' }],
};

function round(number: number, over: Lane = {}): Lane {
  return { round: number, iterations_spent: number * 3, elapsed_ms: number * 100, lanes: [lane], ...over };
}

function documentWith(over: Lane = {}, config: Lane = {}): Lane {
  const metric = { name: 'acc', target: '>= 95%', direction: 'maximize' };
  return {
    config: { mode: 'metric', metric, max_rounds: 5, max_total_iterations: 60, ...config },
    rounds: [round(1), round(2)],
    ...over,
  };
}

/** Path, found and accepted of every finding. */
function findingsOf(found: unknown): readonly (readonly [string, string, string])[] {
  const result = evaluateDocuments(found);
  if (result.ok) throw new Error('this document should have been refused');
  return result.findings.map((finding) => [finding.path, finding.found, finding.accepted]);
}

function pathsOf(found: unknown): readonly string[] {
  return findingsOf(found).map(([path]) => path);
}

test('an answer has its five fields, every rule in order with what it looked at, and the same defaults spelled out or left out [CLI-14 CLI-15 CONF-18 CONF-22]', () => {
  const answer = {
    outcome: 'CONTINUE',
    winner: null,
    target_met: false,
    rules: [
      { rule: 'cancelled', held: false, detail: 'not cancelled' },
      {
        rule: 'hard_budget',
        held: false,
        detail:
          'round 2 of 5; 6 of 60 iterations spent, 54 left for 1 lane; no time budget; cost budget not reached',
      },
      { rule: 'no_valid_packet', held: false, detail: 'round 2: 1 received and 0 blocked of 1 lane' },
      {
        rule: 'target_reached',
        held: false,
        detail: 'acc >= 95%: not met by any; 2 reviewed, 0 not reviewed',
      },
      {
        rule: 'plateau',
        held: false,
        detail:
          'last 2: round 1 improved (best 91.2, the first), round 2 did not improve (best 91.2, gain 0 over 91.2); threshold 0.1 (default for a metric in %), baseline 91.2',
      },
      {
        rule: 'all_stalled',
        held: false,
        detail: 'round 2: lane A is received at stuck level not given; stalled from level 2',
      },
    ],
    round_bests: ['91.2', '91.2'],
  };
  expect(evaluateDocuments(documentWith())).toEqual({ ok: true, answer });
  const spelled = {
    order: 'core',
    plateau_window: 2,
    early_quality: false,
    stuck_level: 2,
    quality_score: 8,
    early_quality_score: 9,
  };
  expect(evaluateDocuments(documentWith({ cancelled: false }, spelled))).toEqual({ ok: true, answer });
});

test('an array of documents is answered by an array in order, one document by one answer, none by none [CLI-16]', () => {
  const other = documentWith({ cancelled: true });
  const [one, two] = [evaluateDocuments(documentWith()), evaluateDocuments(other)];
  if (!one.ok || !two.ok) throw new Error('both are good documents');
  expect(evaluateDocuments([other, documentWith()])).toEqual({ ok: true, answer: [two.answer, one.answer] });
  expect(evaluateDocuments([documentWith()])).toEqual({ ok: true, answer: [one.answer] });
  expect(evaluateDocuments([])).toEqual({ ok: true, answer: [] });
});

test('a bad status is named by its path, with what was found and what is accepted [CLI-16]', () => {
  const bad = documentWith({ rounds: [round(1), round(2, { lanes: [{ ...lane, status: 'done' }] })] });
  const accepted = 'one of "received", "failed", "timed_out", "cancelled", "blocked"';
  expect(findingsOf(bad)).toEqual([['$.rounds[1].lanes[0].status', '"done"', accepted]]);
  expect(evaluateDocuments(bad)).toMatchObject({
    ok: false,
    message: `$.rounds[1].lanes[0].status: found "done", accepted is ${accepted}`,
  });
  expect(pathsOf([documentWith(), bad])).toEqual(['$[1].rounds[1].lanes[0].status']);
});

test('every field of a document is checked for its type and its bounds [CLI-14 CLI-16]', () => {
  const cases: readonly (readonly [Lane, string])[] = [
    [documentWith({}, { mode: 'both' }), '$.config.mode'],
    [documentWith({}, { mode: undefined }), '$.config.mode'],
    [documentWith({}, { metric: undefined }), '$.config.metric'],
    [documentWith({}, { metric: { name: '', target: '1', direction: 'maximize' } }), '$.config.metric.name'],
    [
      documentWith({}, { metric: { name: 'a', target: 'fast', direction: 'maximize' } }),
      '$.config.metric.target',
    ],
    [
      documentWith({}, { metric: { name: 'a', target: 95, direction: 'maximize' } }),
      '$.config.metric.target',
    ],
    [documentWith({}, { metric: { name: 'a', target: '1', direction: 'up' } }), '$.config.metric.direction'],
    [documentWith({}, { order: 'strict' }), '$.config.order'],
    [documentWith({}, { plateau_window: 0 }), '$.config.plateau_window'],
    [documentWith({}, { noise_threshold: 'little' }), '$.config.noise_threshold'],
    [documentWith({}, { noise_threshold: -1 }), '$.config.noise_threshold'],
    [documentWith({}, { noise_threshold: null }), '$.config.noise_threshold'],
    [documentWith({}, { early_quality: 'yes' }), '$.config.early_quality'],
    [documentWith({}, { stuck_level: 4 }), '$.config.stuck_level'],
    [documentWith({}, { quality_score: 11 }), '$.config.quality_score'],
    [documentWith({}, { early_quality_score: 0 }), '$.config.early_quality_score'],
    [documentWith({}, { max_rounds: 0 }), '$.config.max_rounds'],
    [documentWith({}, { max_rounds: 2.5 }), '$.config.max_rounds'],
    [documentWith({}, { max_rounds: Number.POSITIVE_INFINITY }), '$.config.max_rounds'],
    [documentWith({}, { max_rounds: undefined }), '$.config.max_rounds'],
    [documentWith({}, { max_total_iterations: '60' }), '$.config.max_total_iterations'],
    [documentWith({}, { time_budget_ms: 0 }), '$.config.time_budget_ms'],
    [documentWith({}, { plateau_windw: 3 }), '$.config.plateau_windw'],
    [documentWith({ cancelled: 'no' }), '$.cancelled'],
    [documentWith({ rounds: [] }), '$.rounds'],
    [documentWith({ rounds: undefined }), '$.rounds'],
    [documentWith({ rounds: {} }), '$.rounds'],
    [documentWith({ note: 'x' }), '$.note'],
    [documentWith({ 'two words': 'x' }), '$["two words"]'],
    [documentWith({ rounds: [round(0)] }), '$.rounds[0].round'],
    [documentWith({ rounds: [round(1, { iterations_spent: -1 })] }), '$.rounds[0].iterations_spent'],
    [documentWith({ rounds: [round(1, { elapsed_ms: null })] }), '$.rounds[0].elapsed_ms'],
    [documentWith({ rounds: [round(1, { lanes: [] })] }), '$.rounds[0].lanes'],
    [documentWith({ rounds: [round(1, { lanes: [null] })] }), '$.rounds[0].lanes[0]'],
    [documentWith({ rounds: [round(1, { lanes: [{ ...lane, lane: '' }] })] }), '$.rounds[0].lanes[0].lane'],
    [documentWith({ rounds: [round(1, { lanes: [{ lane: 'A' }] })] }), '$.rounds[0].lanes[0].status'],
    [
      documentWith({ rounds: [round(1, { lanes: [{ ...lane, stuck_level: 4 }] })] }),
      '$.rounds[0].lanes[0].stuck_level',
    ],
    [
      documentWith({ rounds: [round(1, { lanes: [{ ...lane, score: 8.5 }] })] }),
      '$.rounds[0].lanes[0].score',
    ],
    [documentWith({ rounds: [round(1, { lanes: [{ ...lane, score: 0 }] })] }), '$.rounds[0].lanes[0].score'],
    [
      documentWith({ rounds: [round(1, { lanes: [{ ...lane, measurements: [{ value: 91.2 }] }] })] }),
      '$.rounds[0].lanes[0].measurements[0].value',
    ],
    [
      documentWith({
        rounds: [round(1, { lanes: [{ ...lane, measurements: [{ value: '1', verdict: 'ok' }] }] })],
      }),
      '$.rounds[0].lanes[0].measurements[0].verdict',
    ],
  ];
  expect(cases.map(([document]) => pathsOf(document))).toEqual(cases.map(([, path]) => [path]));
  for (const found of [null, undefined, 'text', 7, true, () => 1]) expect(pathsOf(found)).toEqual(['$']);
  expect(findingsOf(undefined)[0]?.[1]).toBe('nothing');
});

test('rounds that cannot follow each other are refused: order, running totals, a lane twice [CLI-14]', () => {
  expect(findingsOf(documentWith({ rounds: [round(2), round(2)] }))).toEqual([
    ['$.rounds[1].round', '2', 'more than 2: rounds stand in order, each once'],
  ]);
  expect(pathsOf(documentWith({ rounds: [round(2), round(1)] }))).toEqual([
    '$.rounds[1].round',
    '$.rounds[1].iterations_spent',
    '$.rounds[1].elapsed_ms',
  ]);
  expect(
    pathsOf(documentWith({ rounds: [round(1, { lanes: [lane, { ...lane, lane: 'B' }, lane] })] })),
  ).toEqual(['$.rounds[0].lanes[2].lane']);
});

test('what may be absent or null is, and what another mode needs is not asked for [CLI-14]', () => {
  const bare = {
    lane: 'A',
    status: 'received',
    stuck_level: null,
    score: null,
    measurements: [{ value: '99%', verdict: null }, { value: '98%' }],
  };
  expect(evaluateDocuments(documentWith({ rounds: [round(1, { lanes: [bare] })] }))).toMatchObject({
    ok: true,
    answer: { outcome: 'CONTINUE', round_bests: [null] },
  });
  const qualitative = {
    config: { mode: 'qualitative', max_rounds: 5, max_total_iterations: 60 },
    rounds: [round(1)],
  };
  expect(evaluateDocuments(qualitative)).toMatchObject({
    ok: true,
    answer: { outcome: 'CONTINUE', round_bests: [null] },
  });
});

test('findings are bounded, and foreign text in them is cut and made visible', () => {
  const many = Array.from({ length: 30 }, (_, index) => documentWith({}, { max_rounds: -index }));
  expect(findingsOf(many)).toHaveLength(findingsMax);
  const result = evaluateDocuments(documentWith({}, { mode: `\u001b[31m\u202e${'x'.repeat(5000)}` }));
  expect(result.ok ? '' : result.message).toMatch(
    /^\$\.config\.mode: found "\\u001b\[31m\\u\{202e\}x{58}…", accepted is /,
  );
});
