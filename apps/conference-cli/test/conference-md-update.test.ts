/**
 * Catches a byte of the user's own file that is lost when the root writes it back, and a plan that reads differently
 * because the root wrote into the file that it was read from.
 */
import type { ConferenceMdUpdate } from '@x/conference-core';
import { parseConferenceId } from '@x/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConferenceMd } from '../src/conference-md/read-conference-md.ts';
import { updateConferenceMd } from '../src/conference-md/update-conference-md.ts';
import { SHEET } from './conference-md-sheet.ts';

const RUNS = process.env['FULL'] === '1' ? 5_000 : 150;
const SEED = 20_261_130;

function conference(id: string) {
  const parsed = parseConferenceId(id);
  if (parsed === null) throw new Error('not a ULID');
  return parsed;
}

const ONE: ConferenceMdUpdate = {
  conference_id: conference('01J9ZQ4V7N3K8M2R5T6W8X9Y0A'),
  log: [['1', 'A', '91.2%', 'caching helps', 'validated']],
  knowledge: ['caching helps (round 1, lane A)'],
};
const TWO: ConferenceMdUpdate = {
  ...ONE,
  log: [...ONE.log, ['2', 'A', '93%', 'batching helps more', 'challenged']],
  knowledge: [...ONE.knowledge, 'batching helps (round 2, lane A)'],
};
const OTHER: ConferenceMdUpdate = { ...TWO, conference_id: conference('01J9ZQ4V7N3K8M2R5T6W8X9Y0B') };

const START =
  '<!-- conference 01J9ZQ4V7N3K8M2R5T6W8X9Y0A: validated findings, made anew after each round: write above or below them -->';
const END = '<!-- conference 01J9ZQ4V7N3K8M2R5T6W8X9Y0A: end of validated findings -->';
const LOG_END = '<!-- conference 01J9ZQ4V7N3K8M2R5T6W8X9Y0A: end of its log, made anew after each round -->';
const BLOCK = `${START}\n\n- caching helps (round 1, lane A)\n\n${END}`;
const HEAD = '| Round | Researcher | Best Metric | Key Finding | Status |\n| --- | --- | --- | --- | --- |';
const TABLE = `${HEAD}\n| 1 | A | 91.2% | caching helps | validated |\n\n${LOG_END}`;

test('a file without either gets the findings before the rule and the log behind it [LEDG-21 AUTO-19]', () => {
  expect(updateConferenceMd('## Goal\n\nFind it.\n', ONE)).toBe(
    `## Goal\n\nFind it.\n\n## Shared Knowledge\n\n${BLOCK}\n\n---\n\n## Conference Log\n\n${TABLE}\n`,
  );
});

test('a template with both gets them in place, and its empty table is filled in [LEDG-21 AUTO-19]', () => {
  const rows =
    '| Round | Researcher | Best Metric | Key Finding | Status |\n|-------|---|---|---|---|\n| - | - | - | - | - |';
  const file = `## Shared Knowledge\n\n_Nothing yet._\n\n## Mine\n\n- **Key:** x\n\n---\n\n## Conference Log\n\nKept by the chair.\n\n${rows}\n\nEnd.`;
  expect(updateConferenceMd(file, ONE)).toBe(
    `## Shared Knowledge\n\n_Nothing yet._\n\n${BLOCK}\n\n## Mine\n\n- **Key:** x\n\n---\n\n## Conference Log\n\nKept by the chair.\n\n${TABLE}\n\nEnd.`,
  );
});

test('a later round replaces only what the root wrote before [LEDG-21]', () => {
  const file = '## Shared Knowledge\n\nMine.\n\n---\n\n## Conference Log\n\nAbove.\n';
  const first = updateConferenceMd(file, ONE);
  const edited = first.replace('Above.', 'Above, edited.').replace(`${LOG_END}\n`, `${LOG_END}\n\nBelow.\n`);
  const second = updateConferenceMd(edited, TWO);
  expect(second).toBe(
    edited
      .replace(
        '- caching helps (round 1, lane A)',
        '- caching helps (round 1, lane A)\n- batching helps (round 2, lane A)',
      )
      .replace(
        '| caching helps | validated |',
        '| caching helps | validated |\n| 2 | A | 93% | batching helps more | challenged |',
      ),
  );
});

test('rows of somebody else, and what another conference wrote, are kept [LEDG-21]', () => {
  const theirs = `${HEAD}\n| 1 | Ann | 80% | by hand | kept |`;
  const file = `## Goal\n\nx\n\n---\n\n## Conference Log\n\n${theirs}\n`;
  expect(updateConferenceMd(file, ONE)).toContain(`## Conference Log\n\n${theirs}\n\n${TABLE}\n`);
  const before = updateConferenceMd(file, ONE);
  const after = updateConferenceMd(before, OTHER);
  expect(after).toContain(BLOCK);
  expect(after).toContain(`${theirs}\n\n${TABLE}\n\n${HEAD}`);
  expect(readConferenceMd(after, '/f')).toEqual(readConferenceMd(file, '/f'));
});

test("a start without its end is nobody's block: nothing below it is taken away [LEDG-21]", () => {
  const file = `## Shared Knowledge\n\n${START}\n\nThe user's own words.\n`;
  const updated = updateConferenceMd(file, ONE);
  expect(updated.startsWith(file.trimEnd())).toBe(true);
  expect(readConferenceMd(updated, '/f').context[0]?.text).toBe("The user's own words.");
});

test.each([
  ['a fence', '## Context & References\n\n```\ncode\n\n\n'],
  ['a longer fence', '## Shared Knowledge\n\n~~~~ text\n~~~\n'],
  ['a comment', '## Goal\n\nx\n\n<!-- forgotten\n\n## Shared Knowledge\n'],
  ['raw HTML', '## Shared Knowledge\n\n<pre>\n\n# not a heading\n'],
  ['a declaration', '## Shared Knowledge\n\n<!DOCTYPE x\n'],
  ['an instruction', '## Context & References\n\n<?php\n\n'],
  ['character data', '## Context & References\n\n<![CDATA[ x\n\n'],
])('what runs to the end of the file unclosed does not swallow the log: %s [LEDG-21]', (_, file) => {
  const once = updateConferenceMd(file, ONE);
  expect(readConferenceMd(once, '/f')).toEqual(readConferenceMd(file, '/f'));
  expect(updateConferenceMd(once, ONE)).toBe(once);
  // The next round finds it again: its rows are replaced, not added below.
  expect(updateConferenceMd(once, TWO).split('batching helps more')).toHaveLength(2);
  expect(updateConferenceMd(once, TWO).split('caching helps |')).toHaveLength(2);
});

test('a rule right under a text stays a rule [LEDG-21]', () => {
  const file = '## Context & References\n\nA book.\n---\n## Conference Log\n';
  const updated = updateConferenceMd(file, ONE);
  expect(updated).toBe(
    `## Context & References\n\nA book.\n\n## Shared Knowledge\n\n${BLOCK}\n\n---\n## Conference Log\n\n${TABLE}\n`,
  );
});

const OURS = new Set(
  [BLOCK, TABLE, '## Shared Knowledge', '---', '## Conference Log', '```', '</pre>', '-->', '>', ''].flatMap(
    (text) => text.split('\n'),
  ),
);

/** Every line of `before` stands in `after` as it was, in order; every line more is one of ours. */
function isKept(before: string, after: string): boolean {
  const lines = before.replace(/^\uFEFF+/, '').split(/\r\n|\n|\r/);
  let at = 0;
  return (
    after
      .replace(/^\uFEFF+/, '')
      .split(/\r\n|\n|\r/)
      .every((line) => {
        if (line === lines[at]) at += 1;
        else return OURS.has(line);
        return true;
      }) && at === lines.length
  );
}

const piece = fc.oneof(
  fc.constantFrom(...SHEET.map(({ md }) => md)),
  fc.constantFrom(
    '## Shared Knowledge\n\nKnown.\n',
    '## Shared Knowledge\n',
    '## Shared Knowledge\n\n- a\n- b\n\n### More\n\n> said\n',
    '---\n\n## Conference Log\n',
    '---\n## Conference Log\n\nAbove.\n',
    `## Conference Log\n\n${HEAD}\n| 1 | Ann | 80% | by hand | kept |\n`,
    `---\n\n## Conference Log\n\n${HEAD}\n| - | - | - | - | - |\n\nBelow.\n`,
    '---\n',
    '***\n',
    'text\n---\n',
    '```\nfence\n```\n',
    '<div>\n\nx\n',
    '1. a\n\n   b\n',
    '    indented\n',
    '[ref]: http://x "y"\n',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const document = fc
  .record({
    pieces: fc.array(piece, { maxLength: 6 }),
    glue: fc.constantFrom('\n', '\n\n', ''),
    newline: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
  })
  .map(
    ({ pieces, glue, newline, bom }) => (bom ? '\uFEFF' : '') + pieces.join(glue).replace(/\r?\n/g, newline),
  );

test('any file keeps its bytes, reads as before, and written twice is written once [LEDG-21 LEDG-17]', () => {
  fc.assert(
    fc.property(document, (file) => {
      const once = updateConferenceMd(file, ONE);
      const read = readConferenceMd(file, '/f');
      expect(readConferenceMd(once, '/f').context).toEqual(read.context);
      expect(values(once)).toEqual(values(file));
      expect(updateConferenceMd(once, ONE)).toBe(once);
      const twice = updateConferenceMd(once, TWO);
      expect(values(twice)).toEqual(values(file));
      // Our rows of the first round are replaced: what is left without ours is what it was without ours.
      expect(updateConferenceMd(twice, ONE)).toBe(once);
      if (!/\| - \|/.test(file)) expect(isKept(file, once)).toBe(true);
      expect(once.startsWith('\uFEFF')).toBe(file.startsWith('\uFEFF'));
      if (file.includes('\r\n') && !/[^\r]\n/.test(file)) expect(/[^\r]\n/.test(once)).toBe(false);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

/** What the gate is given, without the lines: new text above a value moves it. */
function values(md: string): unknown {
  const { input } = readConferenceMd(md, '/f');
  return JSON.parse(JSON.stringify(input, (key, value: unknown) => (key === 'place' ? undefined : value)));
}
