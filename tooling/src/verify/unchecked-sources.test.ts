// Catches a bench or an example that compiles for nobody: it would break when a reader first tries it.
import { expect, test } from 'vitest';
import { readSourceFolders, uncheckedSources } from './unchecked-sources.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const config = '{ "include": ["src", "test"] }';

test('files under included folders are checked, others are named once a folder, other languages are not asked', () => {
  const files = [
    'src/a.ts',
    'test/b.test.ts',
    'bench/c.bench.ts',
    'bench/d.ts',
    'examples/e.mjs',
    'sources/f.ts',
  ];
  expect(uncheckedSources([{ folder: 'packages/a', config, files }])).toEqual([
    `packages/a/bench is type-checked by nothing: add 'bench' to "include" in packages/a/tsconfig.json`,
    `packages/a/sources is type-checked by nothing: add 'sources' to "include" in packages/a/tsconfig.json`,
  ]);
});

test('a folder without a configuration, or with one that cannot be read, checks nothing', () => {
  expect(uncheckedSources([{ folder: 'apps/a', config: undefined, files: ['src/a.ts'] }])).toEqual([
    'apps/a has TypeScript files and no tsconfig.json',
  ]);
  expect(uncheckedSources([{ folder: 'apps/a', config: undefined, files: ['a.mjs'] }])).toEqual([]);
  expect(uncheckedSources([{ folder: 'apps/a', config: '{', files: ['src/a.ts'] }])).toHaveLength(1);
});

test('what was built and what is fixture is passed over', () => {
  const root = temporaryFolder({
    'packages/a/package.json': '{}',
    'packages/a/tsconfig.json': config,
    'packages/a/src/a.ts': '',
    'packages/a/dist/a.d.ts': '',
    'packages/a/test/fixtures/b.ts': '',
  });
  expect(readSourceFolders(root)).toEqual([
    { folder: 'packages/a', config, files: ['package.json', 'src/a.ts', 'tsconfig.json'] },
  ]);
});
