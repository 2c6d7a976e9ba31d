/**
 * Catches a rule, an order, a threshold or a comparison that changed its mind: `fixtures/sheet.json`, a row each.
 *
 * Notation of a round: lanes A, B … separated by ` | `; a lane is its status (r received, f failed, t timed out,
 * c cancelled, b blocked), its stuck level, `=score`, and its measurements separated by `, `. A measurement is
 * validated unless it ends in ? (challenged), ! (overturned) or ~ (no verdict); `name:value` names it; `""` is empty text.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { evaluateDocuments } from './evaluate-document.ts';

const rowSchema = z.strictObject({
  id: z.string(),
  mode: z.literal('qualitative').optional(),
  target: z.string().optional(),
  direction: z.literal('minimize').optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  cancelled: z.literal(true).optional(),
  spent: z.array(z.number()).optional(),
  elapsed: z.array(z.number()).optional(),
  rounds: z.array(z.string()).min(1),
  outcome: z.string(),
  winner: z.string().nullable(),
  held: z.array(z.string()),
  target_met: z.boolean(),
  bests: z.array(z.string().nullable()).optional(),
  why: z.string(),
});
type Row = z.infer<typeof rowSchema>;

const sheet = z
  .array(rowSchema)
  .parse(JSON.parse(readFileSync(new URL('fixtures/sheet.json', import.meta.url), 'utf8')));

const statuses: Readonly<Record<string, string>> = {
  r: 'received',
  f: 'failed',
  t: 'timed_out',
  c: 'cancelled',
  b: 'blocked',
};
const verdicts: Readonly<Record<string, string | null>> = { '?': 'challenged', '!': 'overturned', '~': null };

function measurementOf(text: string): Record<string, unknown> {
  const match = /^(?:([A-Za-z]+):)?(.*?)([?!~])?$/.exec(text);
  const [, name, value = '', mark] = match ?? [];
  const verdict = mark === undefined ? 'validated' : verdicts[mark];
  return { ...(name === undefined ? {} : { name }), value: value === '""' ? '' : value, verdict };
}

function laneOf(text: string, index: number): Record<string, unknown> {
  const match = /^([rftcb])([0-3])?(?:=(\d+))?(?: (.*))?$/.exec(text);
  if (match === null) throw new Error(`the sheet has a lane that is none: ${text}`);
  const [, letter = '', level, score, measurements] = match;
  return {
    lane: String.fromCodePoint('A'.charCodeAt(0) + index),
    status: statuses[letter],
    ...(level === undefined ? {} : { stuck_level: Number(level) }),
    ...(score === undefined ? {} : { score: Number(score) }),
    ...(measurements === undefined ? {} : { measurements: measurements.split(', ').map(measurementOf) }),
  };
}

function documentOf(row: Row): unknown {
  const mode = row.mode ?? 'metric';
  const metric = { name: 'm', target: row.target ?? '>= 1000', direction: row.direction ?? 'maximize' };
  const needed = mode === 'metric' || row.target !== undefined ? { metric } : {};
  return {
    config: { mode, ...needed, max_rounds: 20, max_total_iterations: 1000, ...row.config },
    ...(row.cancelled === undefined ? {} : { cancelled: true }),
    rounds: row.rounds.map((text, index) => {
      const lanes = text.split(' | ').map(laneOf);
      const round = index + 1;
      return {
        round,
        iterations_spent: row.spent?.[index] ?? round * lanes.length,
        elapsed_ms: row.elapsed?.[index] ?? round * 1000,
        lanes,
      };
    }),
  };
}

function judged(row: Row): Record<string, unknown> {
  const result = evaluateDocuments(documentOf(row));
  if (!result.ok) throw new Error(result.message);
  if (!('rules' in result.answer)) throw new Error('one document has one answer');
  const { rules, round_bests: bests, ...answer } = result.answer;
  const held = rules.filter((rule) => rule.held).map(({ rule }) => rule);
  return row.bests === undefined ? { ...answer, held } : { ...answer, held, bests };
}

function expected({ outcome, winner, target_met, held, bests }: Row): Record<string, unknown> {
  return bests === undefined
    ? { outcome, winner, target_met, held }
    : { outcome, winner, target_met, held, bests };
}

test('the sheet has at least 120 rows, each with an id of its own and both directions and orders and all rules among them', () => {
  expect(sheet.length).toBeGreaterThanOrEqual(120);
  expect(new Set(sheet.map(({ id }) => id)).size).toBe(sheet.length);
  const winners = new Set(sheet.map(({ winner }) => winner));
  expect([...winners].map(String).toSorted()).toEqual([
    'all_stalled',
    'cancelled',
    'early_quality',
    'hard_budget',
    'no_valid_packet',
    'null',
    'plateau',
    'quality',
    'sub_threshold',
    'target_reached',
  ]);
});

const families = new Set<string>();

function rowsOf(noun: string): readonly Row[] {
  families.add(noun);
  const rows = sheet.filter(({ id }) => id.split('-')[0] === noun);
  if (rows.length === 0) throw new Error(`the sheet has no row about ${noun}`);
  return rows;
}

/** All rows whose id starts with this noun, compared at once: a failure shows every row that changed, and its reason. */
function found(noun: string): unknown {
  return rowsOf(noun).map((row) => ({ id: row.id, why: row.why, ...judged(row) }));
}

function wanted(noun: string): unknown {
  return rowsOf(noun).map((row) => ({ id: row.id, why: row.why, ...expected(row) }));
}

test('a target is met by reviewed evidence of any lane so far, never by anything else [AUTO-17 CONF-16 CONV-01 PROTO-30]', () => {
  expect(found('target')).toEqual(wanted('target'));
});

test("a unit is the target's exactly or the measurement does not count [CONF-15 CONF-16]", () => {
  expect(found('unit')).toEqual(wanted('unit'));
});

test('a measurement under another name is ignored [CONF-15 CLI-16]', () => {
  expect(found('name')).toEqual(wanted('name'));
});

test('numbers are exact decimals, and what is no number does not count [CONF-15]', () => {
  expect(found('number')).toEqual(wanted('number'));
});

test('a bound that is reached stops, in its place in each order [CONF-26 CONF-19 CONV-16 AUTO-16 CONV-01]', () => {
  expect(found('budget')).toEqual(wanted('budget'));
});

test('a cancelled conference is cancelled, whatever else holds [AUTO-16 CONV-01 CONF-21]', () => {
  expect(found('cancelled')).toEqual(wanted('cancelled'));
});

test('a last round without a valid packet blocks [AUTO-16 CONV-01 CONF-17 CLI-15]', () => {
  expect(found('no')).toEqual(wanted('no'));
});

test('a plateau is a full window of complete rounds without improvement over the best so far [AUTO-18 CONV-03 CONV-08 CONV-14 CONV-15 CONF-17]', () => {
  expect(found('plateau')).toEqual(wanted('plateau'));
});

test('a round improves by more than the noise threshold in force [CONV-03 CONV-04 CONV-05 CONV-06 CONV-07]', () => {
  expect(found('noise')).toEqual(wanted('noise'));
});

test("a round's best is shown as it was received [CLI-15]", () => {
  expect(found('best')).toEqual(wanted('best'));
});

test('a stall needs every lane of the last round [CONV-02 CONF-22 CONV-01]', () => {
  expect(found('stalled')).toEqual(wanted('stalled'));
});

test('quality needs a good score from every received lane in two complete rounds [CONV-09 CONF-20 CONF-21 CONF-22]', () => {
  expect(found('quality')).toEqual(wanted('quality'));
});

test("early quality needs the plan's leave and every received lane [CONV-10 CONF-21 CONF-22]", () => {
  expect(found('early')).toEqual(wanted('early'));
});

test('a plateau below the quality score is a stall [CONV-11 CONF-21]', () => {
  expect(found('sub')).toEqual(wanted('sub'));
});

test("a round's value is the mean of the scores given [CONF-20]", () => {
  expect(found('mean')).toEqual(wanted('mean'));
});

test('no row of the sheet stands outside the families above', () => {
  expect(sheet.filter(({ id }) => !families.has(id.split('-')[0] ?? ''))).toEqual([]);
});
