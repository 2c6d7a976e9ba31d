// Catches a dependency that nobody explained, and a reason that outlived its dependency.
import { expect, test } from 'vitest';
import { catalogNames, checkCatalog } from './check-catalog.ts';

const workspace = `packages:
  - packages/*

catalog:
  '@scope/one': ^1.0.0
  # 5 needs a newer Node.
  two.js: ^2.0.0

allowBuilds:
  esbuild: true
`;
const contributing = (...cells: string[]): string =>
  [
    '`two.js` in prose',
    '',
    '| library | why |',
    '| --- | --- |',
    ...cells.map((cell) => `| ${cell} | why |`),
    '',
    'After.',
  ].join('\n');

test('the catalog is read without what stands around it', () => {
  expect(catalogNames(workspace)).toEqual(['@scope/one', 'two.js']);
  expect(catalogNames('packages: []\n')).toEqual([]);
});

test('every library with a row of its own or in a shared row is explained', () => {
  expect(checkCatalog(contributing('`@scope/one`, `two.js`'), workspace)).toEqual([]);
});

test('a library that only prose names is not explained', () => {
  expect(checkCatalog(contributing('`@scope/one`'), workspace).map(({ text }) => text)).toEqual([
    "nothing says why 'two.js' of the catalog is there",
  ]);
});

test('a row of a library that is gone is a finding with its line', () => {
  expect(checkCatalog(contributing('`@scope/one`', '`two.js`', '`three`'), workspace)).toEqual([
    // Its line, counted from 1.
    { document: 'CONTRIBUTING.md', line: 7, text: "'three' is explained, and nothing here depends on it" },
  ]);
});

test('a library that one package pins for itself may be explained', () => {
  expect(
    checkCatalog(contributing('`@scope/one`', '`two.js`', '`three`'), workspace, new Set(['three'])),
  ).toEqual([]);
});
