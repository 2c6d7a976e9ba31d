// Catches titles that only stand in a string or a comment, and forms of `test` whose title is not the first argument seen.
import { expect, test } from 'vitest';
import { sourceTitles } from './source-titles.ts';

const titlesOf = (text: string): readonly string[] =>
  sourceTitles('a.test.ts', text).map(({ kind, title }) => `${kind}: ${title}`);

test.each([
  ["test('one', () => {});", ['test: one']],
  ['it("two", async () => {});', ['test: two']],
  ["describe('group', () => { test('inner', () => {}); });", ['group: group', 'test: inner']],
  ["test.each([['a', (1)]])('row %s', () => {});", ['test: row %s']],
  ["test.skipIf(process.platform !== 'linux')('on linux', () => {});", ['test: on linux']],
  ["describe.runIf(full)('all of it', () => {});", ['group: all of it']],
  ['test(`seed ${seed} holds`, () => {});', ['test: seed … holds']],
  ["test('a' + name + ' b', () => {});", ['test: a… b']],
  ['for (const row of rows) test(row.title, () => {});', []],
  ["// test('in a comment', () => {});", []],
  ["const sample = `test('in a string', () => {});`;", []],
  ["regex.test('no test of ours');", []],
])('%s', (source, titles) => {
  expect(titlesOf(source)).toEqual(titles);
});

test('types do not hide a title, and a file that does not parse gives none', () => {
  expect(titlesOf("test<{ a: string }>('typed' as string, () => {});")).toEqual([]);
  expect(titlesOf("const x: Map<string, number> = new Map(); test('after types', () => {});")).toEqual([
    'test: after types',
  ]);
  expect(titlesOf('test(')).toEqual([]);
});
