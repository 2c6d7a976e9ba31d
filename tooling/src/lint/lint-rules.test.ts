// Catches a rule of the configuration that finds nothing: a misspelt name or pattern turns it off without a word.
// The real configuration is run over files that break one rule each, and over their innocent twins.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrows } from '../layering/arrows.ts';
import { makeFolder } from '../temporary-folder.ts';
import { lintFolder } from './run-lint.fixture.ts';
import type { LintFinding } from './run-lint.fixture.ts';

type Case = { readonly file: string; readonly text: string; readonly rule: string; readonly says: string };

const pureFolders = [
  'packages/protocol/src',
  'packages/conference-core/src',
  'packages/conference-core/src/chair',
  'packages/conference-core/src/testing',
  'packages/bridge/src',
  'packages/ledger/src',
  'packages/coms-envelope/src',
] as const;

const impure: readonly {
  readonly name: string;
  readonly text: string;
  readonly rule: string;
  readonly says: string;
}[] = [
  {
    name: 'node-import',
    text: "import { join } from 'node:path';\nexport const a = join('a', 'b');",
    rule: 'purity(no-node-import)',
    says: '/node subpath',
  },
  {
    name: 'bare-import',
    text: "import { join } from 'path';\nexport const a = join('a', 'b');",
    rule: 'purity(no-node-import)',
    says: '/node subpath',
  },
  {
    name: 'late-import',
    text: "export const a = () => import('node:fs/promises');",
    rule: 'purity(no-node-import)',
    says: '/node subpath',
  },
  {
    name: 're-export',
    text: "export { join } from 'node:path';",
    rule: 'purity(no-node-import)',
    says: '/node subpath',
  },
  {
    name: 'date-now',
    text: 'export const a = () => Date.now();',
    rule: 'eslint(no-restricted-properties)',
    says: 'a command carries `now`',
  },
  {
    name: 'taken-now',
    text: 'const { now } = Date;\nexport const a = () => now();',
    rule: 'eslint(no-restricted-properties)',
    says: 'a command carries `now`',
  },
  {
    name: 'global-now',
    text: 'export const a = () => globalThis.Date.now();',
    rule: 'purity(no-clock-read)',
    says: 'a command carries `now`',
  },
  {
    name: 'new-date',
    text: 'export const a = () => new Date();',
    rule: 'purity(no-clock-read)',
    says: 'a command carries `now`',
  },
  {
    name: 'date-text',
    text: 'export const a = () => Date();',
    rule: 'purity(no-clock-read)',
    says: 'a command carries `now`',
  },
  {
    name: 'random',
    text: 'export const a = () => Math.random();',
    rule: 'eslint(no-restricted-properties)',
    says: 'the one id that an app draws',
  },
  {
    name: 'timeout',
    text: 'export const a = () => setTimeout(() => {}, 1);',
    rule: 'eslint(no-restricted-globals)',
    says: 'the clock port',
  },
  {
    name: 'interval',
    text: 'export const a = () => setInterval(() => {}, 1);',
    rule: 'eslint(no-restricted-globals)',
    says: 'the clock port',
  },
  {
    name: 'immediate',
    text: 'export const a = () => setImmediate(() => {});',
    rule: 'eslint(no-restricted-globals)',
    says: 'the clock port',
  },
  {
    name: 'global-timeout',
    text: 'export const a = () => globalThis.setTimeout(() => {}, 1);',
    rule: 'eslint(no-restricted-globals)',
    says: 'the clock port',
  },
  {
    name: 'process',
    text: "export const a = () => process.env['HOME'];",
    rule: 'eslint(no-restricted-globals)',
    says: 'main.ts',
  },
  {
    name: 'performance',
    text: 'export const a = () => performance.now();',
    rule: 'eslint(no-restricted-globals)',
    says: 'bench/',
  },
  {
    name: 'crypto',
    text: 'export const a = () => crypto.randomUUID();',
    rule: 'eslint(no-restricted-globals)',
    says: 'drawn in an app',
  },
  {
    name: 'fetch',
    text: "export const a = () => fetch('http://127.0.0.1');",
    rule: 'eslint(no-restricted-globals)',
    says: 'belong to an app',
  },
  {
    name: 'console',
    text: "export const a = () => console.log('a');",
    rule: 'eslint(no-restricted-globals)',
    says: 'give back a value',
  },
  {
    name: 'buffer',
    text: "export const a = () => Buffer.from('a');",
    rule: 'eslint(no-restricted-globals)',
    says: 'Uint8Array',
  },
];

const purityCases: readonly Case[] = pureFolders.flatMap((folder) =>
  impure.map(({ name, text, rule, says }) => ({ file: `${folder}/${name}.ts`, text, rule, says })),
);

/** Impure code where it belongs. */
const allowed: readonly { readonly file: string; readonly text: string }[] = [
  'packages/ledger/src/node/impure.ts',
  'packages/coms-envelope/src/node/impure.ts',
  'packages/protocol/src/impure.test.ts',
  'packages/conference-core/src/chair/impure.test.ts',
  'apps/coms-cli/src/impure.ts',
].map((file) => ({
  file,
  text: "import { join } from 'node:path';\nexport const a = () => [Date.now(), new Date(), Math.random(), process.pid, setTimeout(() => {}, 1), join('a', 'b')];",
}));

const pure = {
  file: 'packages/protocol/src/pure.ts',
  text: 'export const a = (now: number) => [new Date(now), Date.parse("2020-01-01"), Date.UTC(2020, 0, 1), Math.max(1, 2)];',
};

const houseCases: readonly Case[] = [
  {
    file: 'apps/coms-cli/src/camelCase.ts',
    text: 'export const a = 1;',
    rule: 'unicorn(filename-case)',
    says: 'kebab',
  },
  {
    file: 'packages/ledger/src/PascalCase.ts',
    text: 'export const a = 1;',
    rule: 'unicorn(filename-case)',
    says: 'kebab',
  },
  {
    file: 'packages/ledger/src/default-export.ts',
    text: 'export default 1;',
    rule: 'import(no-default-export)',
    says: 'named',
  },
  {
    file: 'packages/ledger/src/explicit-any.ts',
    text: 'export const a = (b: any): unknown => b;',
    rule: 'typescript(no-explicit-any)',
    says: 'any',
  },
  {
    file: 'packages/ledger/src/non-null.ts',
    text: 'export const a = (b: string | undefined): string => b!;',
    rule: 'typescript(no-non-null-assertion)',
    says: 'non-null',
  },
  {
    file: 'packages/ledger/src/floating.ts',
    text: 'const later = async () => 1;\nexport const a = () => {\n  later();\n};',
    rule: 'typescript(no-floating-promises)',
    says: 'await',
  },
  {
    file: 'apps/coms-cli/test/floating.test.ts',
    text: 'const later = async () => 1;\nexport const a = () => {\n  later();\n};',
    rule: 'typescript(no-floating-promises)',
    says: 'await',
  },
  {
    file: 'packages/ledger/src/cycle-a.ts',
    text: "import { b } from './cycle-b.ts';\nexport const a = () => b;",
    rule: 'import(no-cycle)',
    says: 'ycle',
  },
  {
    file: 'packages/ledger/src/cycle-b.ts',
    text: "import { a } from './cycle-a.ts';\nexport const b = () => a;",
    rule: 'import(no-cycle)',
    says: 'ycle',
  },
  {
    file: 'packages/ledger/src/only.test.ts',
    text: "import { expect, test } from 'vitest';\ntest.only('a', () => {\n  expect(1).toBe(1);\n});",
    rule: 'vitest(no-focused-tests)',
    says: 'ocused',
  },
  {
    file: 'packages/ledger/src/skip.test.ts',
    text: "import { expect, test } from 'vitest';\ntest.skip('a', () => {\n  expect(1).toBe(1);\n});",
    rule: 'vitest(no-disabled-tests)',
    says: 'isabled',
  },
  {
    file: 'packages/ledger/src/nothing.test.ts',
    text: "import { test } from 'vitest';\ntest('a', () => {});",
    rule: 'vitest(expect-expect)',
    says: 'ssertion',
  },
];

const houseAllowed = [
  { file: 'vitest.config.ts', text: 'export default {};' },
  { file: 'packages/ledger/bench/append.bench.ts', text: 'export default {};' },
  {
    file: 'packages/ledger/src/conditional.test.ts',
    text: "import { expect, test } from 'vitest';\ntest.skipIf(1 + 1 === 3)('a', () => {\n  expect(1, 'says why').toBe(1);\n});",
  },
];

/** Every folder imports every other one of ours, by its name and by a subpath. */
const folders = Object.keys(arrows).filter((folder) => folder !== 'tooling');
const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);
const layerCases = folders.flatMap((folder) =>
  [...folders, 'tooling']
    .filter((target) => target !== folder)
    .map((target) => ({
      folder,
      target,
      file: `${folder}/src/imports-${nameOf(target)}.ts`,
      text: `import { a } from '@x/${nameOf(target)}';\nimport type { B } from '@x/${nameOf(target)}/sub';\nexport const c: B = a;`,
      allowed: arrows[folder]?.includes(target) === true,
    })),
);

let folder: string;
let findings: readonly LintFinding[];
const of = (file: string): readonly LintFinding[] => findings.filter((finding) => finding.file === file);

beforeAll(async () => {
  const files = [...purityCases, ...allowed, pure, ...houseCases, ...houseAllowed, ...layerCases];
  folder = makeFolder(Object.fromEntries(files.map(({ file, text }) => [file, `${text}\n`])));
  findings = await lintFolder(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(purityCases)(
  'purity: $file is found by $rule, and the message says where the effect belongs',
  ({ file, rule, says }) => {
    expect(of(file)).toContainEqual({ file, rule, message: expect.stringContaining(says) });
  },
);

test.each(allowed)('purity: $file may do what pure code may not', ({ file }) => {
  expect(of(file)).toEqual([]);
});

test('purity: a date made from a given moment is pure', () => {
  expect(of(pure.file)).toEqual([]);
});

test.each(houseCases)('house rules: $file is found by $rule', ({ file, rule, says }) => {
  expect(of(file)).toContainEqual({ file, rule, message: expect.stringContaining(says) });
});

test.each(houseAllowed)('house rules: $file is allowed', ({ file }) => {
  expect(of(file)).toEqual([]);
});

test.each(layerCases.filter((row) => !row.allowed))(
  'layers: $folder must not import from $target, neither values nor types',
  ({ file }) => {
    expect(of(file).map(({ rule }) => rule)).toEqual([
      'eslint(no-restricted-imports)',
      'eslint(no-restricted-imports)',
    ]);
    expect(of(file)[0]?.message).toContain('arrows only point down');
  },
);

test.each(layerCases.filter((row) => row.allowed))('layers: $folder may import from $target', ({ file }) => {
  expect(of(file)).toEqual([]);
});

test('the tree was really linted: nothing is found in a file that no case names', () => {
  const named = new Set([...purityCases, ...houseCases, ...layerCases].map(({ file }) => file));
  expect(findings.filter(({ file }) => !named.has(file))).toEqual([]);
  expect(findings.length).toBeGreaterThan(200);
});
