// Catches a command in a document that nobody can run, and prose that is taken for a command.
import { expect, test } from 'vitest';
import { namedCommands } from './named-commands.ts';

const script = (name: string, of?: string) => ({ kind: 'script', name, of });

test.each([
  ['npx pnpm@12 demo', [script('demo')]],
  ['npx --yes pnpm@12 test --full', [script('test')]],
  ['$ pnpm verify lint types', [script('verify')]],
  ['pnpm run bench ledger', [script('bench')]],
  ['pnpm --silent requirements --open', [script('requirements')]],
  ['pnpm --filter @x/ledger build', [script('build', '@x/ledger')]],
  ['pnpm --filter=@x/ledger... test', [script('test', '@x/ledger...')]],
  ['cd packages/ledger && pnpm build && pnpm test', [script('build'), script('test')]],
  ['pnpm install', []],
  ['pnpm exec vitest run packages/ledger', []],
  ['pnpm <script>', []],
  ['pnpm 12 and turbo', []],
  ['xpnpm test', []],
  ['pnpm -C elsewhere build', []],
  ['just conductor alpha', [{ kind: 'recipe', name: 'conductor' }]],
  ['it is just conductor work', []],
  ['just TEAM', []],
])('%s', (line, commands) => {
  expect(namedCommands(line)).toEqual(commands);
});
