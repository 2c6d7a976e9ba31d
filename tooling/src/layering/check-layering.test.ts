// Catches an arrow that points up or sideways: it would force a team to install what it did not ask for.
import { expect, test } from 'vitest';
import { checkLayering } from './check-layering.ts';
import type { WorkspaceFolder } from './check-layering.ts';

const folderOf = (folder: string, more: Partial<WorkspaceFolder> = {}): WorkspaceFolder => ({
  folder,
  name: `@x/${folder.slice(folder.lastIndexOf('/') + 1)}`,
  dependencies: [],
  sources: [],
  ...more,
});

const importing = (file: string, ...specifiers: string[]): Partial<WorkspaceFolder> => ({
  sources: [{ file, specifiers }],
});

test.each([
  folderOf('packages/conference-core', { dependencies: ['@x/protocol', 'yaml'] }),
  folderOf(
    'packages/conference-core',
    importing('packages/conference-core/src/a.ts', '@x/protocol', './b.ts', '../src/c.ts', 'yaml'),
  ),
  folderOf('packages/ledger', importing('packages/ledger/examples/a.ts', '@x/ledger', '@x/ledger/node')),
  folderOf(
    'apps/coms-cli',
    importing('apps/coms-cli/test/a.test.ts', '../src/b.ts', '../../../tooling/src/fake.ts'),
  ),
  folderOf('apps/coms-cli', importing('apps/coms-cli/build.mjs', '../../tooling/src/build-app.mjs')),
  folderOf(
    'packages/ledger',
    importing('packages/ledger/bench/a.bench.ts', '../../../tooling/src/measure.ts'),
  ),
])('what the arrows allow is no finding: $folder', (folder) => {
  expect(checkLayering([folder])).toEqual([]);
});

test.each([
  {
    why: 'a package on an app',
    folder: folderOf('packages/ledger', { dependencies: ['@x/conference-cli'] }),
    finding:
      'packages/ledger/package.json depends on @x/conference-cli: packages/ledger may use no other package of ours',
  },
  {
    why: 'an app on an app',
    folder: folderOf('apps/bridge-daemon', { dependencies: ['@x/coms-cli'] }),
    finding:
      'apps/bridge-daemon/package.json depends on @x/coms-cli: of ours, apps/bridge-daemon may use only @x/bridge, @x/coms-envelope',
  },
  {
    why: 'a package that must not know of conferences',
    folder: folderOf('packages/bridge', importing('packages/bridge/src/a.ts', '@x/protocol')),
    finding:
      "packages/bridge/src/a.ts imports '@x/protocol': packages/bridge may use no other package of ours",
  },
  {
    why: 'a relative import that leaves the folder',
    folder: folderOf(
      'packages/ledger',
      importing('packages/ledger/src/node/a.ts', '../../../protocol/src/index.ts'),
    ),
    finding:
      "packages/ledger/src/node/a.ts imports '../../../protocol/src/index.ts', which lies outside packages/ledger: import the package by its name",
  },
  {
    why: 'a folder whose name only begins the same',
    folder: folderOf('packages/bridge', importing('packages/bridge/src/a.ts', '../../bridge-more/a.ts')),
    finding:
      "packages/bridge/src/a.ts imports '../../bridge-more/a.ts', which lies outside packages/bridge: import the package by its name",
  },
  {
    why: 'product code that uses a test helper',
    folder: folderOf('apps/coms-cli', importing('apps/coms-cli/src/a.ts', '../../../tooling/src/fake.ts')),
    finding:
      "apps/coms-cli/src/a.ts imports '../../../tooling/src/fake.ts', which lies outside apps/coms-cli: import the package by its name",
  },
  {
    why: 'a deep import past the exports map',
    folder: folderOf(
      'packages/conference-core',
      importing('packages/conference-core/src/a.ts', '@x/protocol/dist/ids.js'),
    ),
    finding:
      "packages/conference-core/src/a.ts imports '@x/protocol/dist/ids.js': only what the exports map names may be imported",
  },
  {
    why: 'a package that nobody decided on',
    folder: folderOf('packages/utils'),
    finding: 'packages/utils is not in the table of arrows (tooling/src/layering/arrows.ts)',
  },
  {
    why: 'a name that is not that of its folder',
    folder: folderOf('packages/bridge', { name: '@x/bridges' }),
    finding: "packages/bridge/package.json is named '@x/bridges'; the folder says @x/bridge",
  },
])('$why is one finding that says what may be used', ({ folder, finding }) => {
  expect(checkLayering([folder])).toEqual([finding]);
});
