// Catches a check that complains of words that are no paths of ours: people would stop believing it.
import { expect, test } from 'vitest';
import { namedPath } from './named-paths.ts';

const readme = 'packages/ledger/README.md';

test.each([
  {
    word: 'packages/ledger/src/line.ts',
    document: 'README.md',
    path: 'packages/ledger/src/line.ts',
    why: 'a path from the root',
  },
  {
    word: 'packages/ledger/src/line.ts:12',
    document: 'README.md',
    path: 'packages/ledger/src/line.ts',
    why: 'with a line number',
  },
  {
    word: 'tooling/src/verify.ts',
    document: readme,
    path: 'tooling/src/verify.ts',
    why: 'from the root, named in a package',
  },
  {
    word: 'src/line.ts',
    document: readme,
    path: 'packages/ledger/src/line.ts',
    why: 'a path of the own package',
  },
  {
    word: './examples/',
    document: readme,
    path: 'packages/ledger/examples/',
    why: 'relative to the document',
  },
  { word: '../bridge/README.md', document: readme, path: 'packages/bridge/README.md', why: 'a neighbour' },
  {
    word: '{packages,apps}/*/bench',
    document: 'README.md',
    path: undefined,
    why: 'a pattern over folders is prose',
  },
  {
    word: 'packages/*/README.md',
    document: 'README.md',
    path: 'packages/*/README.md',
    why: 'a pattern from the root',
  },
  { word: 'src/line.ts', document: 'README.md', path: undefined, why: 'the root has no such folder' },
  { word: 'packets/01.json', document: readme, path: undefined, why: 'a file of a conference folder' },
  { word: 'text/html', document: readme, path: undefined, why: 'a media type' },
  { word: '/etc/hosts', document: readme, path: undefined, why: "the reader's own machine" },
  { word: '../../../elsewhere/x', document: readme, path: undefined, why: 'outside the repository' },
  { word: 'apps/coms-cli/dist/main.js', document: 'README.md', path: undefined, why: 'made by a build' },
  { word: 'packages/<name>/src', document: 'README.md', path: undefined, why: 'a placeholder' },
  { word: 'https://packages/a', document: 'README.md', path: undefined, why: 'an address' },
  { word: 'packages', document: 'README.md', path: undefined, why: 'a bare word' },
  { word: '@x/ledger/node', document: 'README.md', path: undefined, why: 'a package subpath' },
])('$why: $word', ({ word, document, path }) => {
  expect(namedPath(word, document)).toBe(path);
});
