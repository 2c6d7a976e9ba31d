// Catches the command that people trust to be released saying yes to an unknown or an open requirement.
import { expect, test } from 'vitest';
import { fakeRepository } from './commands.fixture.ts';

const ledger = (source: string) =>
  fakeRepository({}, { 'packages/ledger/package.json': '{}', 'packages/ledger/src/a.test.ts': source });

test('right after a clone the table comes from the sources and says so', async () => {
  const { ok, stdout } = await ledger("test('a [LEDG-01]', () => {});").run('requirements.ts');
  expect(stdout).toMatch(/^LEDG-01 +ledger +covered +1 +One\.$/m);
  expect(stdout).toMatch(/^LEDG-02 +ledger +open +0 +Two\.$/m);
  expect(stdout).toContain('nothing was executed (no whole test run was made yet)');
  expect(ok).toBe(true);
});

test('--open lists the open ones alone, and --release fails on them', async () => {
  const { stdout, end } = await ledger("test('a [LEDG-01]', () => {});").run('requirements.ts', [
    '--open',
    '--release',
  ]);
  expect(stdout).not.toMatch(/^LEDG-01/m);
  expect(stdout).toContain('violation: LEDG-02 is open: no test cites it');
  expect(end).toBe('exit 1');
});

test('--summary gives the sums alone', async () => {
  const { stdout } = await ledger("test('a [LEDG-01]', () => {});").run('requirements.ts', ['--summary']);
  expect(stdout).not.toMatch(/^LEDG-/m);
  expect(stdout).toMatch(/^ledger +1 +1 +0 +0 +2$/m);
});

test('--json gives the same to a program, and an unknown id fails', async () => {
  const { stdout, end } = await ledger("test('a [LEDG-44]', () => {});").run('requirements.ts', ['--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    from: 'sources',
    counts: { open: 2 },
    unknown: [{ id: 'LEDG-44' }],
  });
  expect(end).toBe('exit 1');
});

test('a misspelt option is refused', async () => {
  const { end, output } = await ledger('').run('requirements.ts', ['--opened']);
  expect(end).toBe('exit 2');
  expect(output).toContain('usage: pnpm requirements');
});
