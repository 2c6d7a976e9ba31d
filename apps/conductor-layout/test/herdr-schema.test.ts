/**
 * Each request against the schema that herdr publishes for its socket API, and the fake herdr against the same.
 * The schema is not part of this repository: HERDR_SCHEMA names it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { startFakeHerdr } from '../../../tooling/src/fake-herdr/fake-herdr.ts';
import type { Fault } from '../../../tooling/src/fake-herdr/fake-herdr.ts';
import { launch } from '../src/herdr/launch.ts';
import { openSocketHerdr } from '../src/herdr/socket-herdr.ts';
import { withValues } from '../src/plan/pane-env.ts';
import { planTeamLayout } from '../src/plan/plan-team-layout.ts';
import { REPOSITORY } from './command.ts';

const SCHEMA_FILE =
  process.env['HERDR_SCHEMA'] ?? join(REPOSITORY, '..', 'shared', 'data', 'herdr-api.schema.json');
const REASON = 'the schema that herdr publishes is not here: set HERDR_SCHEMA to its file';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The published schema lets any further member through, as that server does. With this every object says
 * which members it has, so that a misspelt parameter is refused.
 */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = 'properties' in schema && schema['type'] === 'object';
  // The envelope itself has its members in two places (id beside oneOf), so it stays open.
  const isEnvelope = isObject && ('oneOf' in schema || isMethodBranch(schema['properties'] ?? null));
  return isObject && !isEnvelope && !('additionalProperties' in schema)
    ? { ...inner, additionalProperties: false }
    : inner;
}

function isMethodBranch(properties: Json): boolean {
  return (
    typeof properties === 'object' && properties !== null && 'method' in properties && 'params' in properties
  );
}

function validator(part: 'request' | 'success_response' | 'error_response'): ValidateFunction {
  const whole: { readonly [key: string]: Json } = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'));
  const members = Object.entries(whole).map(([key, value]) => [
    key,
    part === 'request' ? closed(value) : value,
  ]);
  // Formats as uint32 are herdr's own; their ranges stand beside them.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...Object.fromEntries(members), $id: 'herdr' });
  const validate = ajv.getSchema(`herdr#/schemas/${part}`);
  if (validate === undefined) throw new Error(`the schema has no ${part}`);
  return validate;
}

function invalid(validate: ValidateFunction, value: unknown): string | null {
  return validate(value) ? null : JSON.stringify(validate.errors);
}

test('every request of a start, of each undo and of each size of team is valid against the published schema [LAYO-11]', async (context) => {
  if (!existsSync(SCHEMA_FILE)) context.skip(REASON);
  const isRequest = validator('request');
  const isSuccess = validator('success_response');
  const isError = validator('error_response');
  const seen = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), 'conductor-schema-'));
  const drop: Fault = { kind: 'drop_after' };
  const cases: readonly [number, Readonly<Record<string, readonly Fault[]>>][] = [
    [0, {}],
    [1, {}],
    [5, {}],
    [40, {}],
    [3, { 'layout.apply': [{ kind: 'error', code: 'x', message: 'y' }] }],
    [3, { 'workspace.create': [drop] }],
  ];
  try {
    for (const [index, [size, faults]] of cases.entries()) {
      const herdr = await startFakeHerdr({ socketPath: join(folder, `${index}.sock`), faults });
      const peers = Array.from({ length: size }, (_, each) => ({
        name: `p${each}`,
        persona: 'r',
        model: 'm',
        env_file: '.env',
      }));
      const planned = planTeamLayout({
        team: 'docs',
        peers,
        checkout: '/repo',
        project: 'acme',
        conductor: true,
      });
      if (!planned.ok) throw new Error(planned.code);
      const root = withValues(planned.plan.layout, new Map([['.env', { A: '1' }]]));
      const order = { label: planned.plan.label, cwd: '/repo', root };
      await launch(openSocketHerdr(herdr.socketPath), order, new AbortController().signal);
      await herdr.close();
      for (const request of herdr.requests) {
        expect(invalid(isRequest, request)).toBeNull();
        seen.add(request.method);
      }
      for (const answer of herdr.answers)
        expect(invalid('error' in answer ? isError : isSuccess, answer)).toBeNull();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect([...seen].toSorted()).toEqual([
    'layout.apply',
    'ping',
    'tab.close',
    'workspace.close',
    'workspace.create',
    'workspace.list',
  ]);
});

test('the check itself refuses a misspelt parameter, which the server would ignore without a word [LAYO-11]', (context) => {
  if (!existsSync(SCHEMA_FILE)) context.skip(REASON);
  const isRequest = validator('request');
  const pane = { type: 'pane', command: ['x'], cwd: '/', label: 'a' };
  const request = (method: string, params: unknown): unknown => ({ id: '1', method, params });
  expect(invalid(isRequest, request('layout.apply', { workspace_id: 'w', root: pane }))).toBeNull();
  expect(invalid(isRequest, request('layout.apply', { workspaceId: 'w', root: pane }))).not.toBeNull();
  expect(
    invalid(isRequest, request('layout.apply', { workspace_id: 'w', root: { ...pane, title: 'x' } })),
  ).not.toBeNull();
  expect(
    invalid(isRequest, request('workspace.create', { label: 'x', cwd: '/', focused: false })),
  ).not.toBeNull();
  expect(invalid(isRequest, request('tab.close', {}))).not.toBeNull();
  expect(invalid(isRequest, request('workspace.open', {}))).not.toBeNull();
});
