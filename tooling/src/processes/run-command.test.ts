// Catches a failure whose reason is lost, a command that hangs on our standard input, and output that fills the memory.
import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const node = (code: string, env?: Record<string, string>) =>
  runCommand(process.execPath, ['-e', code], {
    cwd: '/',
    output: 'keep',
    ...(env === undefined ? {} : { env }),
  });

test('output comes back whole, standard output also alone, and exit code 0 is success', async () => {
  const end = await node("process.stdout.write('out'); process.stderr.write('err');");
  expect(end).toMatchObject({ ok: true, end: 'exit 0', stdout: 'out' });
  expect(end.output.split('').sort().join('')).toBe('eorrtu');
});

test('another exit code and a signal are failures that are named', async () => {
  expect(await node('process.exit(3)')).toMatchObject({ ok: false, end: 'exit 3' });
  expect(await node("process.kill(process.pid, 'SIGKILL')")).toMatchObject({ ok: false, end: 'SIGKILL' });
});

test('a command that does not exist is a result, not a rejection', async () => {
  const end = await runCommand('/no/such/command', [], { cwd: '/', output: 'keep' });
  expect(end).toMatchObject({
    ok: false,
    end: 'it did not start',
    output: expect.stringContaining('ENOENT'),
  });
});

test('a command that reads standard input finds its end at once', async () => {
  const end = await node(
    "process.stdin.on('data', () => {}).on('end', () => process.stdout.write('ended'));",
  );
  expect(end).toMatchObject({ ok: true, stdout: 'ended' });
});

test('an added variable reaches the command, beside the inherited ones', async () => {
  const end = await node('process.stdout.write(`${process.env.X_ADDED} ${process.env.PATH !== undefined}`)', {
    X_ADDED: 'yes',
  });
  expect(end.stdout).toBe('yes true');
});

test('kept output is bounded and its end, where failures stand, stays', async () => {
  const end = await node("process.stdout.write('x'.repeat(5_000_000)); process.stdout.write('the reason');");
  expect(end.output.length).toBeLessThanOrEqual(4_000_000);
  expect(end.output.endsWith('the reason')).toBe(true);
});
