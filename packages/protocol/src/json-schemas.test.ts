/**
 * Catches: the schema in the charter and the judge of the packet drifting apart, so that a child that keeps to what
 * it was given is refused. ajv stands for every validator a host may use.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  charter,
  posterPacket,
  researchPacket,
  reviewerPacket,
  synthesisPacket,
  type Json,
} from '../test/samples.ts';
import { charterSchema } from './charter.ts';
import { jsonSchema, jsonSchemaNames, packetJsonSchema } from './json-schemas.ts';
import { packetSchema, type PacketShape } from './packet-schemas.ts';
import { MODES, ROLES } from './states.ts';

const RUNS = process.env['FULL'] === '1' ? 20_000 : 300;
const ajv = () => new Ajv2020({ strict: true, strictTuples: false });
const shape = (mode: PacketShape['mode']): PacketShape => ({
  limits: { claims_max: 3, string_code_points_max: 40 },
  mode,
});

/** Samples that fit the small bounds of `shape`, so that a change of one spot decides. */
const samples: Record<string, Json> = {
  'researcher metric': short(researchPacket()),
  'researcher qualitative': short(researchPacket()),
  'poster metric': short(posterPacket()),
  'poster qualitative': short(posterPacket()),
  'reviewer metric': short(reviewerPacket('metric')),
  'reviewer qualitative': short(reviewerPacket('qualitative')),
  'synthesis metric': short(synthesisPacket()),
  'synthesis qualitative': short(synthesisPacket()),
};
function short(packet: Json): Json {
  return JSON.parse(JSON.stringify(packet)) as Json;
}

/** A path into a document, of keys and indexes. */
function paths(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  const here = [at];
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, index) => paths(item, [...at, index]))];
  if (typeof value === 'object' && value !== null) {
    return [...here, ...Object.entries(value).flatMap(([key, member]) => paths(member, [...at, key]))];
  }
  return here;
}

const REMOVE = Symbol('remove');
function replaced(value: unknown, path: readonly (string | number)[], to: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return to;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== first) return [item];
      const next = replaced(item, rest, to);
      return next === REMOVE ? [] : [next];
    });
  }
  return Object.fromEntries(
    Object.entries(value as Json).flatMap(([key, member]) => {
      if (key !== first) return [[key, member]];
      const next = replaced(member, rest, to);
      return next === REMOVE ? [] : [[key, next]];
    }),
  );
}

/** What stands in the place of something: near misses of every kind a schema looks at. */
const substitute = fc.oneof(
  fc.constantFrom<unknown>(
    REMOVE,
    null,
    true,
    0,
    1,
    3,
    4,
    10,
    11,
    -1,
    1.5,
    1e300,
    '',
    'low',
    'validated',
    'completed',
  ),
  fc.constantFrom<unknown>([], {}, ['x'], [1], { claim: 'a', evidence: 'b', confidence: 'low' }, [
    'a',
    'b',
    'c',
    'd',
  ]),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('🙂', 'a', '\ud800'), minLength: 38, maxLength: 42 }),
  fc.jsonValue(),
);

describe('output_schema', () => {
  const cases = ROLES.flatMap((role) => MODES.map((mode) => [role, mode] as const));

  test.each(cases)(
    'a %s packet in %s mode fits the schema exactly when it is accepted as well-formed [CHAR-03]',
    (role, mode) => {
      const validate = ajv().compile(packetJsonSchema(role, shape(mode)));
      const parser = packetSchema(role, shape(mode));
      const sample = samples[`${role} ${mode}`];
      expect(validate(sample)).toBe(true);
      expect(parser.safeParse(sample).success).toBe(true);
      const seen = { valid: 0, invalid: 0 };
      const spot = fc.constantFrom(...paths(sample));
      const extra = fc.option(fc.constantFrom('note', 'winner', 'scores', '__proto__', 'constructor', ''), {
        nil: undefined,
      });
      fc.assert(
        fc.property(spot, substitute, extra, (path, to, key) => {
          let packet = replaced(sample, path, to);
          if (packet === REMOVE) packet = null;
          if (key !== undefined && typeof packet === 'object' && packet !== null && !Array.isArray(packet)) {
            // Through text, as a child's packet comes: so `__proto__` is a key of its own.
            const text = JSON.stringify(packet);
            packet = JSON.parse(
              text === '{}' ? `{${JSON.stringify(key)}:1}` : `${text.slice(0, -1)},${JSON.stringify(key)}:1}`,
            );
          }
          const fits = validate(packet);
          expect(parser.safeParse(packet).success).toBe(fits);
          seen[fits ? 'valid' : 'invalid'] += 1;
        }),
        { numRuns: RUNS, seed: 20_261_130 },
      );
      // Both sides were really met.
      expect(seen.valid).toBeGreaterThan(0);
      expect(seen.invalid).toBeGreaterThan(0);
    },
  );

  test('is inlined, strict, and of the 2020-12 dialect', () => {
    for (const [role, mode] of cases) {
      const schema = packetJsonSchema(role, shape(mode));
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(schema['additionalProperties']).toBe(false);
      const text = JSON.stringify(schema);
      expect(text).not.toContain('$ref');
      expect(text.match(/"type":"object"/g)?.length).toBe(
        text.match(/"additionalProperties":false/g)?.length,
      );
    }
    const bounded = packetJsonSchema('researcher', shape('metric'));
    expect(bounded['properties']).toMatchObject({
      claims: { maxItems: 3, items: { properties: { claim: { type: 'string', maxLength: 40 } } } },
      stuck_level: { anyOf: [{ const: 0 }, { const: 1 }, { const: 2 }, { const: 3 }] },
    });
  });
});

describe('named schemas', () => {
  test('every name gives a schema that a strict validator compiles, and no other name gives one', () => {
    const names = jsonSchemaNames();
    expect(names).toContain('charter');
    expect(names).toContain('packet.reviewer.qualitative');
    expect(names).toContain('event.cleanup.receipt');
    expect(names).toHaveLength(9 + 5 + 28);
    for (const name of names) {
      const schema = jsonSchema(name);
      expect(schema, name).not.toBeNull();
      if (schema !== null) expect(() => ajv().compile(schema), name).not.toThrow();
    }
    for (const name of [
      '',
      'packet',
      'packet.chair',
      'event.',
      'event.toString',
      'constructor',
      'toString',
      '__proto__',
    ]) {
      expect(jsonSchema(name), name).toBeNull();
    }
  });

  test('the charter schema refuses what the charter refuses, tuple included', () => {
    const schema = jsonSchema('charter');
    if (schema === null) throw new Error('no charter schema');
    const validate = ajv().compile(schema);
    expect(validate(charter())).toBe(true);
    for (const forbidden of [[], (charter()['forbidden_actions'] as string[]).slice(1)]) {
      const broken = { ...charter(), forbidden_actions: forbidden };
      expect(validate(broken)).toBe(false);
      expect(charterSchema.safeParse(broken).success).toBe(false);
    }
    expect(validate({ ...charter(), delegation_allowed: true })).toBe(false);
  });
});
