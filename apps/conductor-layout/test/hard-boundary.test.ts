/**
 * The hard boundary: nothing that a conductor or a child can call reaches herdr (06 Live, source 004 "Hermes
 * as conductor"). The real graph of imports is walked, of whatever packages and apps there are.
 *
 * B1  The walk starts at all code of every package and every app but this one, so that what is loaded by
 *     name at run time (a worker, a lazy import) is a start of its own.
 * B2  What was built is searched too: a bundle holds what was reachable, however it got in.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from './command.ts';
import { packageFolders, reachFrom } from './import-graph.ts';

const THIS_APP = 'apps/conductor-layout';
const FAKE = 'tooling/src/fake-herdr';

/** What only a client of herdr has: where it listens, its calls that drive panes, its program started. */
const CLIENT_MARKS = [
  /HERDR_SOCKET_PATH/,
  /herdr\.sock/,
  /["'`](layout\.apply|workspace\.(create|close|focus)|pane\.(send_\w+|split|close)|tab\.close|agent\.(start|prompt))["'`]/,
  /\b(spawn|spawnSync|exec|execSync|execFile|execFileSync)\(\s*["'`]herdr\b/,
];

const OTHERS = packageFolders(REPOSITORY).filter((folder) => folder !== THIS_APP);

/** What is wrong with a text, as `file: mark`. */
function marksIn(repository: string, files: Iterable<string>): string[] {
  return [...files].flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    return CLIENT_MARKS.filter((mark) => mark.test(text)).map((mark) => `${file}: ${mark.source}`);
  });
}

async function trespasses(repository: string, folder: string): Promise<string[]> {
  const { files, outside } = await reachFrom(repository, folder);
  return [
    ...[...files].filter((file) => file.startsWith(`${THIS_APP}/`) || file.startsWith(`${FAKE}/`)),
    ...[...outside].filter((name) => name.includes('herdr') || name === '@x/conductor-layout'),
    ...marksIn(repository, files),
  ];
}

test('the commands that a conductor or a child can call are among the starts [COND-05]', () => {
  expect(OTHERS).toEqual(
    expect.arrayContaining([
      'apps/bridge-daemon',
      'apps/coms-cli',
      'apps/conference-cli',
      'packages/protocol',
    ]),
  );
});

test.each(OTHERS)(
  'nothing reachable from %s is a herdr client, by import, dependency or text [COND-05]',
  async (folder) => {
    expect(await trespasses(REPOSITORY, folder)).toEqual([]);
  },
);

test.each(OTHERS)('what is built of %s holds no herdr client [COND-05]', (folder) => {
  const dist = join(REPOSITORY, folder, 'dist');
  const built = existsSync(dist)
    ? readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[cm]?js$/.test(file))
    : [];
  expect(
    marksIn(
      REPOSITORY,
      built.map((file) => `${folder}/dist/${file}`),
    ),
  ).toEqual([]);
});

test('no outside package of the whole repository is a herdr client [COND-05]', () => {
  expect(readFileSync(join(REPOSITORY, 'pnpm-lock.yaml'), 'utf8')).not.toMatch(/herdr/);
});

test('the walk and the marks find the client where there is one: this app [COND-05]', async () => {
  const { files } = await reachFrom(REPOSITORY, THIS_APP);
  expect([...files]).toContain(`${THIS_APP}/src/herdr/socket-herdr.ts`);
  const found = marksIn(REPOSITORY, files).join('\n');
  for (const mark of ['HERDR_SOCKET_PATH', 'herdr\\.sock', 'layout\\.apply']) expect(found).toContain(mark);
  expect(marksIn(REPOSITORY, [`${THIS_APP}/dist/main.js`]).length).toBeGreaterThan(0);
});

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'a relative import two packages away',
    {
      'packages/a/package.json': '{"name":"@x/a","dependencies":{"@x/b":"workspace:^"}}',
      'packages/a/src/index.ts': `export { b } from '@x/b';`,
      'packages/b/package.json': '{"name":"@x/b","sideEffects":false}',
      'packages/b/src/index.ts': `export const b = () => import('../../../apps/conductor-layout/src/client.ts');`,
    },
  ],
  [
    'a dependency that is only declared',
    {
      'packages/a/package.json': '{"name":"@x/a","devDependencies":{"@x/conductor-layout":"workspace:^"}}',
      'packages/a/src/index.ts': 'export {};',
    },
  ],
  [
    'a client of its own',
    {
      'packages/a/package.json': '{"name":"@x/a"}',
      'packages/a/src/lazy/worker.mjs': `connect(process.env.HERDR_SOCKET_PATH);`,
    },
  ],
  [
    'the program itself',
    {
      'packages/a/package.json': '{"name":"@x/a"}',
      'packages/a/src/index.ts': `execFile('herdr', ['workspace', 'list']);`,
    },
  ],
  [
    'an outside client',
    {
      'packages/a/package.json': '{"name":"@x/a"}',
      'packages/a/src/index.ts': `import 'herdr-client';`,
    },
  ],
])('the walk notices %s [COND-05]', async (_, sources) => {
  const repository = mkdtempSync(join(tmpdir(), 'conductor-graph-'));
  try {
    const all = {
      ...sources,
      'apps/conductor-layout/package.json': '{"name":"@x/conductor-layout"}',
      'apps/conductor-layout/src/client.ts': 'export const client = 1;',
    };
    for (const [file, text] of Object.entries(all)) {
      mkdirSync(join(repository, dirname(file)), { recursive: true });
      writeFileSync(join(repository, file), text);
    }
    expect(await trespasses(repository, 'packages/a')).not.toEqual([]);
  } finally {
    rmSync(repository, { recursive: true, force: true });
  }
});
