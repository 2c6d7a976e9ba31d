// Catches documents that are not read at all, and data files that are taken for documents.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { readRepository, recipesOf } from './read-repository.ts';

test('documents are the READMEs, the files at the root, and what lies under docs or skills', () => {
  const root = temporaryFolder({
    'package.json': '{ "scripts": { "test": "x" } }',
    'README.md': '',
    'CONTRIBUTING.md': '',
    '.changeset/one.md': '',
    'packages/a/package.json': '{ "name": "@x/a", "scripts": { "build": "x" } }',
    'packages/a/README.md': '',
    'packages/a/docs/setup.md': '',
    'packages/a/examples/one/README.md': '',
    'packages/a/examples/one/conference.md': '',
    'packages/a/test/fixtures/README.md': '',
    'packages/a/node_modules/b/README.md': '',
    'apps/c/package.json': '{ "name": "@x/c" }',
    'apps/c/skills/one/SKILL.md': '',
  });
  const { facts, documents } = readRepository(root);
  expect(documents).toEqual([
    'CONTRIBUTING.md',
    'README.md',
    'apps/c/skills/one/SKILL.md',
    'packages/a/README.md',
    'packages/a/docs/setup.md',
    'packages/a/examples/one/README.md',
  ]);
  expect(facts.scripts).toEqual(new Set(['test']));
  expect(facts.packageScripts.get('@x/a')).toEqual(new Set(['build']));
  expect(facts.recipes).toBeUndefined();
});

test('recipes are read by their names, settings and bodies are not', () => {
  const justfile =
    'set shell := ["sh"]\nalias t := test\n\n# says what\nconductor team *flags:\n    pnpm x: {{team}}\n\n@quiet:\n  true\n';
  expect(recipesOf(justfile)).toEqual(new Set(['conductor', 'quiet']));
});
