// Catches a verification that stops at the first fault, or that exits 0 although a step failed.
import { expect, test } from 'vitest';
import { fakeRepository } from './commands.fixture.ts';

test('every chosen step runs whatever failed before it, and only a failed one shows its output', async () => {
  const { run } = fakeRepository({
    oxfmt: "echo 'a.ts is not formatted'; exit 1",
    oxlint: "echo 'nothing to see'; exit 0",
    knip: "echo 'dead export'; exit 1",
  });
  const { end, stdout } = await run('verify.ts', ['format', 'lint', 'exports', 'documents']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/ +\d+\.\d s$/, ''))).toEqual([
    'FAIL  format',
    '      a.ts is not formatted',
    'ok    lint',
    'FAIL  exports',
    '      dead export',
    'ok    documents',
    '2 of 4 steps failed: format, exports',
  ]);
  expect(end).toBe('exit 1');
});

test('steps that hold end with exit code 0, in their own order', async () => {
  const { run } = fakeRepository({ oxfmt: 'exit 0', oxlint: 'exit 0' });
  const { ok, stdout } = await run('verify.ts', ['lint', 'format']);
  expect(stdout).toMatch(/^ok {4}format .*\nok {4}lint .*\nall 2 steps hold\n$/);
  expect(ok).toBe(true);
});

test('a tool that is missing is a failed step, never a passed one', async () => {
  const { end, stdout } = await fakeRepository({}).run('verify.ts', ['format']);
  expect(stdout).toContain('it did not start');
  expect(end).toBe('exit 1');
});

test('the layering step finds a forbidden dependency', async () => {
  const { run } = fakeRepository(
    {},
    {
      'packages/ledger/package.json':
        '{ "name": "@x/ledger", "dependencies": { "@x/protocol": "workspace:^" } }',
    },
  );
  const { end, stdout } = await run('verify.ts', ['layering']);
  expect(stdout).toContain('packages/ledger/package.json depends on @x/protocol');
  expect(end).toBe('exit 1');
});

test('a verification that is told to stop starts no further tool and fails', async () => {
  const { run } = fakeRepository({ oxfmt: 'kill -TERM $PPID; exec sleep 60', oxlint: 'exit 0' });
  const { end, stdout } = await run('verify.ts', ['format', 'lint']);
  expect(stdout).toContain('interrupted by SIGTERM');
  expect(stdout).toContain('2 of 2 steps failed: format, lint');
  expect(end).toBe('exit 1');
});

test('an unknown step runs nothing', async () => {
  const { end, output } = await fakeRepository({ oxfmt: 'exit 0' }).run('verify.ts', ['format', 'lints']);
  expect(end).toBe('exit 2');
  expect(output).toContain("there is no step 'lints'");
});
