/** Catches a value of a messy conference.md that is lost, guessed, or taken from a place where none stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGate, type GateInput, type Given } from '@x/conference-core';
import { describe, expect, test } from 'vitest';
import { readConferenceMd } from '../src/conference-md/read-conference-md.ts';
import { SHEET } from './conference-md-sheet.ts';

/** What a row names, found in what was read. */
function found(md: string, name: string): readonly string[] {
  const { input, context } = readConferenceMd(md, '/folder');
  const lane = /^focus (.+)$/.exec(name)?.[1];
  if (lane !== undefined) return texts(input.focus[lane]);
  const quoted = context.flatMap(({ source, text }) => (source === name ? [text] : []));
  const record: Partial<Record<string, readonly Given[]>> = { ...input.values, ...input.lists };
  return quoted.length > 0 ? quoted : texts(record[name]);
}

function texts(given: readonly Given[] | undefined): string[] {
  return (given ?? []).map(({ text }) => text);
}

/** The rows are also of the ids that the sheet as a whole proves. */
describe('a conference.md as people write it', () => {
  test.each(SHEET.map((row) => [row.id, row] as const))(
    'is read: %s [LEDG-17 LEDG-18 LEDG-19 LEDG-20]',
    (_, { md, reads }) => {
      for (const [name, expected] of Object.entries(reads)) {
        expect({ [name]: found(md, name) }).toEqual({ [name]: [expected].flat() });
      }
    },
  );
});

test('the sheet has at least sixty ways of writing, each named once', () => {
  expect(SHEET.length).toBeGreaterThanOrEqual(60);
  expect(new Set(SHEET.map(({ id }) => id)).size).toBe(SHEET.length);
});

const COMPLETE = readFileSync(
  join(import.meta.dirname, '../examples/smallest-encoding/conference.md'),
  'utf8',
);

function findings(md: string) {
  const gate = startGate(readConferenceMd(md, '/folder').input);
  return gate.complete
    ? []
    : gate.findings.map(({ field, problem, found: shown, places }) => [field, problem, shown, places]);
}

test('the example is complete, and reads the same with CRLF, a byte order mark or spaces that do not break [LEDG-17 LEDG-18]', () => {
  const input = (md: string): GateInput => readConferenceMd(md, '/folder').input;
  expect(findings(COMPLETE)).toEqual([]);
  expect(input(COMPLETE.replaceAll('\n', '\r\n')).values).toEqual(input(COMPLETE).values);
  expect(input(`\uFEFF${COMPLETE}`)).toEqual(input(COMPLETE));
  expect(input(COMPLETE.replaceAll(':** ', ':**\u00a0')).values).toEqual(input(COMPLETE).values);
});

test('a value with a remark, and one given twice and differently, are vague with every place [LEDG-20]', () => {
  const remark = COMPLETE.replace('- **Count:** 3', '- **Count:** 3 (more if needed)');
  expect(findings(remark)).toEqual([['Researchers › Count', 'vague', '3 (more if needed)', ['line 19']]]);
  const twice = COMPLETE.replace('Advocate:** yes', 'Advocate:** yes\n- **Max rounds:** 4');
  expect(findings(twice)).toEqual([['Researchers › Max rounds', 'vague', '8 | 4', ['line 21', 'line 26']]]);
});

test.each(['{N}', '_Describe it_', '*Describe it*', '<!-- how many -->', ''])(
  'a template value nobody filled in is missing, never a value: "%s" [LEDG-20]',
  (placeholder) => {
    for (const key of ['Count', 'Metric', 'Target', 'Direction']) {
      const md = COMPLETE.replace(new RegExp(`\\*\\*${key}:\\*\\* .*`), `**${key}:** ${placeholder}`);
      expect(findings(md).map(([, problem]) => problem)).toEqual(['missing']);
    }
  },
);

test('a file of any bytes is read in bounded time, and nothing throws [LEDG-17]', () => {
  const hostile = [
    '#'.repeat(100_000),
    '## a\n'.repeat(1_000),
    '### Researcher A Focus\n'.repeat(500),
    '> '.repeat(500),
    '- '.repeat(2_000),
    '['.repeat(2_000),
    '**'.repeat(2_000),
    '`'.repeat(20_001),
    '| a '.repeat(5_000) + '\n' + '|---'.repeat(5_000),
    `## Researchers\n\n${'- **Count:** 3\n'.repeat(500)}`,
    `## Search Space\n\n- **Allowed changes:** ${'`;'.repeat(5_000)}`,
    `## Guard\n\n${Array.from({ length: 80 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')}\n`,
    '<!--'.repeat(10_000),
    '\uD800\u0000\u2028',
  ];
  for (const md of hostile) expect(() => readConferenceMd(md, '/folder')).not.toThrow();
});
