/** Catches: a charter that could be built or parsed with more authority than any child may have. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { charter } from '../test/samples.ts';
import { canonicalJson } from './canonical.ts';
import { charterSchema, FORBIDDEN_ACTIONS } from './charter.ts';
import { planSchema } from './plan.ts';

const ok = (value: unknown) => charterSchema.safeParse(value).success;
const changed = (changes: Record<string, unknown>) => ({ ...charter(), ...changes });
const without = (key: string) =>
  Object.fromEntries(Object.entries(charter()).filter(([name]) => name !== key));

/** Every property name anywhere in a JSON Schema. */
function propertyNames(schema: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) propertyNames(item, found);
  else if (typeof schema === 'object' && schema !== null) {
    for (const [key, member] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(member as object)) found.add(name);
      propertyNames(member, found);
    }
  }
  return found;
}

describe('a charter', () => {
  test('has exactly these fields, and is canonical JSON [CHAR-01]', () => {
    const schema = z.toJSONSchema(charterSchema);
    expect(Object.keys(schema.properties ?? {})).toEqual([
      'dispatch_id',
      'conference_id',
      'instructions',
      'round',
      'role',
      'lane',
      'contrarian',
      'objective',
      'success_definition',
      'iteration_allowance',
      'signal',
      'read_context',
      'allowed_read_roots',
      'forbidden_actions',
      'delegation_allowed',
      'deadline',
      'cancellation',
      'output',
      'output_schema',
    ]);
    expect(schema.additionalProperties).toBe(false);
    const parsed = charterSchema.parse(charter());
    expect(JSON.parse(canonicalJson(parsed))).toEqual(charter());
    expect(canonicalJson(parsed).startsWith('{"allowed_read_roots":["/srv/data"],"cancellation":')).toBe(
      true,
    );
    expect(ok(changed({ signal: 'LAST_ROUND' }))).toBe(true);
    expect(ok(changed({ signal: 'ENDGAME' }))).toBe(false);
    const item = { id: 'E1', digest: `sha256:${'0'.repeat(64)}`, source: 's', excerpt: '' };
    expect(ok(changed({ read_context: [item, { ...item, id: 'E12', omitted: 1 }] }))).toBe(true);
    for (const bad of [{ id: 'E0' }, { id: '1' }, { digest: 'x' }, { omitted: 0 }, { path: '/a' }]) {
      expect(ok(changed({ read_context: [{ ...item, ...bad }] }))).toBe(false);
    }
  });

  test('names its dispatch, a positive round and allowance, its role and the packet-only output [PACK-01]', () => {
    expect(ok(charter())).toBe(true);
    for (const key of [
      'dispatch_id',
      'round',
      'role',
      'objective',
      'success_definition',
      'read_context',
      'output',
    ]) {
      expect(ok(without(key)), key).toBe(false);
    }
    for (const number of [0, -1, 1.5, '1', Number.NaN]) {
      expect(ok(changed({ round: number }))).toBe(false);
      expect(ok(changed({ iteration_allowance: number }))).toBe(false);
    }
    expect(ok(changed({ dispatch_id: 'dispatch-1' }))).toBe(false);
    expect(ok(changed({ role: 'chair' }))).toBe(false);
    expect(ok(changed({ objective: '' }))).toBe(false);
    expect(ok(changed({ output: 'packet schema and files' }))).toBe(false);
    expect(ok(without('iteration_allowance'))).toBe(false);
    expect(ok(without('lane'))).toBe(false);
    const poster = changed({ role: 'poster' });
    expect(ok(poster)).toBe(false);
    delete poster['lane'];
    delete poster['iteration_allowance'];
    expect(ok(poster)).toBe(true);
  });

  test('forbids the four actions of the sources, first and in order, and may forbid more [PACK-02]', () => {
    const four = [
      'write shared or project state',
      'delegate another child',
      'use credentials or host configuration',
      'publish, deploy, release, commit, push, or mutate Git history',
    ];
    expect(FORBIDDEN_ACTIONS).toEqual(four);
    expect(ok(changed({ forbidden_actions: four }))).toBe(true);
    expect(ok(changed({ forbidden_actions: [...four, 'read /etc'] }))).toBe(true);
    for (let left = 0; left < 4; left += 1) {
      expect(ok(changed({ forbidden_actions: four.filter((_, index) => index !== left) }))).toBe(false);
    }
    expect(ok(changed({ forbidden_actions: four.toReversed() }))).toBe(false);
    expect(ok(without('forbidden_actions'))).toBe(false);
  });

  test('never allows delegation: no other value than false passes [AUTO-03]', () => {
    for (const value of [true, 'false', 0, null, undefined, 1, [], {}]) {
      expect(ok(changed({ delegation_allowed: value }))).toBe(false);
    }
    expect(ok(without('delegation_allowed'))).toBe(false);
    expect(charterSchema.parse(charter()).delegation_allowed).toBe(false);
  });

  test('carries the text of the role and the whole success definition [CHAR-12]', () => {
    expect(ok(without('instructions'))).toBe(false);
    expect(ok(changed({ instructions: '' }))).toBe(false);
    const success = z.toJSONSchema(charterSchema).properties?.['success_definition'];
    expect(success).toMatchObject({
      properties: { mode: { enum: ['metric', 'qualitative'] }, criteria: { type: 'array' } },
      required: ['mode', 'criteria'],
      additionalProperties: false,
    });
    const metric = { name: 'size', direction: 'minimize', target: '10 kB', unit: 'kB' };
    expect(ok(changed({ success_definition: { mode: 'metric', metric, criteria: [] } }))).toBe(true);
    for (const key of Object.keys(metric)) {
      const lacking = Object.fromEntries(Object.entries(metric).filter(([name]) => name !== key));
      expect(
        ok(changed({ success_definition: { mode: 'metric', metric: lacking, criteria: [] } })),
        key,
      ).toBe(false);
    }
    expect(ok(changed({ success_definition: { mode: 'qualitative', criteria: ['clear'] } }))).toBe(true);
  });
});

test('no charter and no plan has a field for provider, tier, model or credentials [AUTO-08]', () => {
  // Property names are the whole of it: both schemas refuse unknown keys everywhere.
  for (const schema of [charterSchema, planSchema]) {
    const names = propertyNames(z.toJSONSchema(schema));
    expect(names.size).toBeGreaterThan(20);
    for (const name of names) {
      expect(name).not.toMatch(/provider|tier|model|credential|token|secret|api_?key|password/i);
    }
    expect(JSON.stringify(z.toJSONSchema(schema))).not.toContain('"additionalProperties":true');
  }
  for (const key of ['provider', 'tier', 'model', 'credential', 'token', 'write_path']) {
    expect(ok(changed({ [key]: 'x' }))).toBe(false);
  }
  // The words themselves are data.
  expect(ok(changed({ objective: 'Compare the model tiers of a provider.' }))).toBe(true);
});
