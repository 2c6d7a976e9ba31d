// Catches a document that contradicts the repository: a link to nothing, a command that no longer exists, an old snippet.
import { expect, test } from 'vitest';
import { checkDocument } from './check-document.ts';
import { refreshExamples } from './examples.ts';
import type { RepositoryFacts } from './repository-facts.ts';

const texts: Readonly<Record<string, string>> = {
  'README.md': '# Start\n',
  'CONTRIBUTING.md': '# Pins\n\n## How a pin changes\n',
  'packages/ledger/README.md': '',
  'packages/ledger/src/line.ts': '',
  'packages/ledger/tsconfig.json': '{ "include": ["src", "test", "examples"] }',
  'packages/ledger/examples/first.ts':
    "import { a } from '@x/ledger';\n\nexport const run = () => {\n  // #region heart\n  const b = a;\n\n  if (b) throw b;\n  // #endregion\n};\n",
  'packages/bridge/tsconfig.json': '{ "include": ["src"] }',
  'packages/bridge/examples/first.ts': 'export const a = 1;\n',
};

const facts: RepositoryFacts = {
  files: new Set(Object.keys(texts)),
  readFile: (path) => texts[path],
  scripts: new Set(['test', 'demo']),
  packageScripts: new Map([['@x/ledger', new Set(['build'])]]),
  pinnedLibraries: new Set(),
  recipes: new Set(['conductor']),
};

const check = (text: string, document = 'packages/ledger/README.md'): readonly string[] =>
  checkDocument(document, text, facts).map(({ line, text: sentence }) => `${line}: ${sentence}`);

test.each([
  '[contributing](../../CONTRIBUTING.md#how-a-pin-changes)',
  '[outside](https://example.com/nowhere) and [mail](mailto:a@example.com)',
  '# A heading, `coded`\n\n[here](#a-heading-coded)',
  '`src/line.ts`, `packages/*/README.md`, `packages/ledger/`',
  '```sh\nnpx pnpm@12 demo   # then look at packages/ledger/src/line.ts\n```',
  '```ts\nimport x from "packages/nowhere/x.ts"; // pnpm nothing\n```',
  '`pnpm --filter @x/ledger build` and `just conductor alpha`',
])('what is true is no finding: %s', (text) => {
  expect(check(text)).toEqual([]);
});

test.each([
  ['a\n\n[gone](../../GONE.md)', '3: the link ../../GONE.md leads to GONE.md, which does not exist'],
  [
    '[ref][r]\n\n[r]: ./gone.ts',
    '3: the link ./gone.ts leads to packages/ledger/gone.ts, which does not exist',
  ],
  [
    '![picture](picture.svg)',
    '1: the link picture.svg leads to packages/ledger/picture.svg, which does not exist',
  ],
  ['[out](../../../x.md)', '1: the link ../../../x.md leaves the repository'],
  [
    '[pins](../../CONTRIBUTING.md#pins-of-old)',
    '1: the link ../../CONTRIBUTING.md#pins-of-old leads to a heading that CONTRIBUTING.md does not have',
  ],
  ['[here](#nowhere)', '1: no heading has the anchor #nowhere'],
  ['see `src/lines.ts`', '1: `src/lines.ts` names packages/ledger/src/lines.ts, which does not exist'],
  ['`packages/*/GONE.md`', '1: `packages/*/GONE.md` names packages/*/GONE.md, which does not exist'],
  ['run `pnpm demos`', "1: package.json has no script 'demos'"],
  ['```sh\n# first\nnpx pnpm@12 tests\n```', "3: package.json has no script 'tests'"],
  [
    '```\nnode packages/ledger/examples/gone.mjs\n```',
    '2: `packages/ledger/examples/gone.mjs` names packages/ledger/examples/gone.mjs, which does not exist',
  ],
  ['`pnpm --filter @x/ledger check`', "1: @x/ledger has no script 'check'"],
  ['`pnpm --filter @x/leger build`', '1: there is no package @x/leger'],
  ['`just conduct alpha`', "1: the justfile has no recipe 'conduct'"],
])('what is wrong is one finding with its line: %s', (text, finding) => {
  expect(check(text)).toEqual([finding]);
});

test('a recipe is named and there is no justfile', () => {
  const without = { ...facts, recipes: undefined };
  expect(checkDocument('README.md', '`just conductor`', without).map(({ text }) => text)).toEqual([
    '`just conductor` is named, and there is no justfile',
  ]);
});

const example = (mark: string, block: string): string =>
  `# A\n\n<!-- example: ${mark} -->\n\n\`\`\`ts\n${block}\n\`\`\`\n\nAfter.\n`;
const whole = (texts['packages/ledger/examples/first.ts'] ?? '').trimEnd();

test('a marked snippet equals its compiled file, whole or a region of it', () => {
  expect(check(example('examples/first.ts', whole))).toEqual([]);
  expect(check(example('examples/first.ts#heart', 'const b = a;\n\nif (b) throw b;'))).toEqual([]);
});

test.each([
  [
    example('examples/first.ts', whole.replace('throw', 'return')),
    "3: the block differs from packages/ledger/examples/first.ts; 'pnpm documents --write' copies it anew",
  ],
  [example('examples/gone.ts', ''), '3: the example packages/ledger/examples/gone.ts does not exist'],
  [
    example('examples/first.ts#soul', ''),
    "3: packages/ledger/examples/first.ts has no '// #region soul' that '// #endregion' closes",
  ],
  [
    example('../bridge/examples/first.ts', 'export const a = 1;'),
    `3: packages/bridge/examples/first.ts is not compiled: add 'examples' to "include" in packages/bridge/tsconfig.json`,
  ],
  [
    '<!-- example: examples/first.ts -->\n\nNo block.\n',
    '1: an example mark stands here, and no ts block follows it',
  ],
])('a snippet that is not what its file says is a finding', (text, finding) => {
  expect(check(text)).toEqual([finding]);
});

test('copying anew makes every marked snippet true and touches nothing else', () => {
  const stale = `${example('examples/first.ts', 'old();')}${example('examples/first.ts#heart', 'older();')}`;
  const fresh = refreshExamples('packages/ledger/README.md', stale, facts);
  expect(fresh).toBe(
    `${example('examples/first.ts', whole)}${example('examples/first.ts#heart', 'const b = a;\n\nif (b) throw b;')}`,
  );
  expect(refreshExamples('packages/ledger/README.md', fresh, facts)).toBe(fresh);
});
