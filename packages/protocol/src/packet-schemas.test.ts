/** Catches: a packet field renamed, loosened or lost, so that a child is asked for one thing and judged by another. */
import { describe, expect, test } from 'vitest';
import {
  posterPacket,
  researchPacket,
  reviewerPacket,
  RESEARCH_ID,
  synthesisPacket,
  type Json,
} from '../test/samples.ts';
import { LIMIT_DEFAULTS } from './limits.ts';
import { basePacketSchema, packetSchema, type PacketShape } from './packet-schemas.ts';
import type { Role } from './states.ts';

const metric: PacketShape = { limits: LIMIT_DEFAULTS, mode: 'metric' };
const qualitative: PacketShape = { limits: LIMIT_DEFAULTS, mode: 'qualitative' };
const ok = (role: Role, packet: unknown, shape = metric) =>
  packetSchema(role, shape).safeParse(packet).success;
const BASE = ['dispatch_id', 'role', 'status', 'claims', 'uncertainties', 'recommended_root_actions'];

/** Every required key is required, and none but the optional ones may be missing. */
function expectRequired(role: Role, packet: Json, keys: readonly string[], shape = metric) {
  expect(Object.keys(packetSchema(role, shape).shape)).toEqual(keys);
  expect(ok(role, packet, shape)).toBe(true);
  for (const key of keys) {
    const { [key]: _left, ...rest } = packet;
    expect(ok(role, rest, shape), `without ${key}`).toBe(key === 'verification_requests');
  }
  expect(ok(role, { ...packet, note: 'x' }, shape)).toBe(false);
}

const withFirst = (packet: Json, list: string, changes: Json): Json => {
  const [first] = packet[list] as Json[];
  return { ...packet, [list]: [{ ...first, ...changes }] };
};

describe('packets', () => {
  test('all have identity, status, claims, uncertainties and recommended actions [AUTO-13]', () => {
    expect(Object.keys(basePacketSchema(metric).shape)).toEqual(BASE);
    const base = Object.fromEntries(Object.entries(researchPacket()).filter(([key]) => BASE.includes(key)));
    const fits = (packet: unknown) => basePacketSchema(metric).safeParse(packet).success;
    expect(fits(base)).toBe(true);
    for (const key of BASE) {
      const { [key]: _left, ...rest } = base;
      expect(fits(rest), `without ${key}`).toBe(false);
    }
    for (const role of ['researcher', 'poster', 'reviewer', 'synthesis'])
      expect(fits({ ...base, role })).toBe(true);
    for (const status of ['completed', 'blocked', 'failed']) expect(fits({ ...base, status })).toBe(true);
    for (const confidence of ['low', 'medium', 'high']) {
      expect(fits(withFirst(base, 'claims', { confidence }))).toBe(true);
    }
    expect(fits({ ...base, role: 'chair' })).toBe(false);
    expect(fits({ ...base, status: 'done' })).toBe(false);
    expect(fits(withFirst(base, 'claims', { confidence: 'certain' }))).toBe(false);
    expect(fits(withFirst(base, 'claims', { confidence: 0.9 }))).toBe(false);
    expect(fits(withFirst(base, 'claims', { evidence: undefined }))).toBe(false);
    expect(fits(withFirst(base, 'claims', { source: 'x' }))).toBe(false);
    expect(fits({ ...base, uncertainties: [1] })).toBe(false);
    expect(fits({ ...base, recommended_root_actions: 'run it' })).toBe(false);
    expect(fits({ ...base, dispatch_id: 7 })).toBe(false);
  });

  test('a researcher adds hypotheses, measurements as strings, and a stuck level 0 to 3 [PACK-05]', () => {
    const packet = researchPacket();
    expectRequired('researcher', packet, [...BASE, 'hypotheses', 'measurements', 'stuck_level']);
    for (const verdict of ['supported', 'falsified', 'unresolved']) {
      expect(ok('researcher', withFirst(packet, 'hypotheses', { verdict }))).toBe(true);
    }
    expect(ok('researcher', withFirst(packet, 'hypotheses', { verdict: 'validated' }))).toBe(false);
    expect(ok('researcher', withFirst(packet, 'measurements', { value: 12.5 }))).toBe(false);
    for (const key of ['statement', 'evidence']) {
      expect(ok('researcher', withFirst(packet, 'hypotheses', { [key]: undefined }))).toBe(false);
    }
    for (const key of ['name', 'value', 'provenance']) {
      expect(ok('researcher', withFirst(packet, 'measurements', { [key]: undefined }))).toBe(false);
    }
    for (const stuck of [0, 1, 2, 3]) expect(ok('researcher', { ...packet, stuck_level: stuck })).toBe(true);
    for (const stuck of [-1, 4, 1.5, '2', null])
      expect(ok('researcher', { ...packet, stuck_level: stuck })).toBe(false);
  });

  test('a poster adds summaries, agreements, conflicts, gaps, measurements and questions [PACK-07]', () => {
    const packet = posterPacket();
    const added = [
      'summaries',
      'agreements',
      'conflicts',
      'missing_evidence',
      'measurements',
      'review_questions',
    ];
    expectRequired('poster', packet, [...BASE, ...added]);
    expect(ok('poster', withFirst(packet, 'summaries', { dispatch_id: undefined }))).toBe(false);
    expect(ok('poster', withFirst(packet, 'summaries', { score: 3 }))).toBe(false);
    expect(ok('poster', withFirst(packet, 'measurements', { provenance: undefined }))).toBe(false);
  });

  test('a poster that brings a winner is not a poster packet [PACK-08]', () => {
    for (const key of ['winner', 'best', 'ranking', 'scores', 'verdicts']) {
      expect(ok('poster', { ...posterPacket(), [key]: 'A' })).toBe(false);
    }
  });

  test('a reviewer adds verdicts, and scores in qualitative mode only [PACK-09]', () => {
    const packet = reviewerPacket('qualitative');
    expectRequired('reviewer', reviewerPacket('metric'), [...BASE, 'verdicts', 'verification_requests']);
    expectRequired('reviewer', packet, [...BASE, 'verdicts', 'verification_requests', 'scores'], qualitative);
    expect(ok('reviewer', packet, metric)).toBe(false);
    const metricPacket = reviewerPacket('metric');
    for (const verdict of ['validated', 'challenged', 'overturned']) {
      expect(ok('reviewer', withFirst(metricPacket, 'verdicts', { verdict }))).toBe(true);
    }
    expect(ok('reviewer', withFirst(metricPacket, 'verdicts', { verdict: 'supported' }))).toBe(false);
    expect(ok('reviewer', withFirst(metricPacket, 'verdicts', { claim_ref: null }))).toBe(false);
    for (const key of ['claim', 'verdict', 'reason', 'evidence', 'confidence', 'claim_ref']) {
      const [first] = metricPacket['verdicts'] as Json[];
      const { [key]: _left, ...rest } = first ?? {};
      expect(ok('reviewer', { ...metricPacket, verdicts: [rest] }), key).toBe(key === 'claim_ref');
    }
    for (const score of [1, 10])
      expect(ok('reviewer', withFirst(packet, 'scores', { score }), qualitative)).toBe(true);
    for (const score of [0, 11, 7.5, '8', null]) {
      expect(ok('reviewer', withFirst(packet, 'scores', { score }), qualitative)).toBe(false);
    }
  });

  test('a synthesis keeps its five parts apart, findings with their refs [PACK-13]', () => {
    const packet = synthesisPacket();
    const added = ['established', 'promising', 'negative_results', 'contradictions', 'next_decisions'];
    expectRequired('synthesis', packet, [...BASE, ...added]);
    for (const part of ['established', 'promising', 'negative_results']) {
      expect(
        ok('synthesis', { ...packet, [part]: [{ finding: 'x', claim_refs: [`${RESEARCH_ID}#c1`] }] }),
      ).toBe(true);
      expect(ok('synthesis', { ...packet, [part]: [{ finding: 'x' }] })).toBe(false);
      expect(ok('synthesis', { ...packet, [part]: [{ claim_refs: [] }] })).toBe(false);
      expect(ok('synthesis', { ...packet, [part]: ['x'] })).toBe(false);
    }
    expect(ok('synthesis', { ...packet, contradictions: [{ finding: 'x', claim_refs: [] }] })).toBe(false);
  });

  test('bounds count entries and code points, not UTF-16 units', () => {
    const shape: PacketShape = { limits: { claims_max: 2, string_code_points_max: 4 }, mode: 'metric' };
    const tiny = { dispatch_id: 'd', role: 'researcher', status: 'completed', recommended_root_actions: [] };
    const packet = {
      ...tiny,
      claims: [],
      uncertainties: ['🙂🙂🙂🙂'],
      hypotheses: [],
      measurements: [],
      stuck_level: 0,
    };
    expect(ok('researcher', packet, shape)).toBe(true);
    expect(ok('researcher', { ...packet, uncertainties: ['🙂🙂🙂🙂🙂'] }, shape)).toBe(false);
    expect(ok('researcher', { ...packet, uncertainties: ['abcde'] }, shape)).toBe(false);
    expect(ok('researcher', { ...packet, uncertainties: ['a', 'b', 'c'] }, shape)).toBe(false);
    const claim = { claim: 'a', evidence: 'b', confidence: 'low' };
    expect(ok('researcher', { ...packet, claims: [claim, claim] }, shape)).toBe(true);
    expect(ok('researcher', { ...packet, claims: [claim, claim, claim] }, shape)).toBe(false);
  });
});
