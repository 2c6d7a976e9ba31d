// Catches a test run that leaves a process behind: such a process keeps a port, a lock or a whole CI job.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { leftoversAfterGrace, markedProcesses } from './leftovers.ts';

const startMarked = async (value: string, code: string) => {
  const child = spawn(process.execPath, ['-e', code], {
    env: { ...process.env, X_LEFTOVER_TEST: value },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
};

// The environment of other processes is read from /proc, which only Linux has.
test.skipIf(process.platform !== 'linux')(
  'a detached process is found by the mark it inherited, and named',
  async () => {
    const value = randomUUID();
    const child = await startMarked(value, "process.stdout.write('up'); setInterval(() => {}, 1000);");
    expect(markedProcesses('X_LEFTOVER_TEST', value)).toEqual([
      { pid: child.pid, command: expect.stringContaining('setInterval') },
    ]);
    expect(markedProcesses('X_LEFTOVER_TEST', 'another')).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a process that ends within the grace time is not left over',
  async () => {
    const value = randomUUID();
    await startMarked(value, "process.stdout.write('up'); setTimeout(() => {}, 300);");
    expect(markedProcesses('X_LEFTOVER_TEST', value)).toHaveLength(1);
    expect(await leftoversAfterGrace('X_LEFTOVER_TEST', value)).toEqual([]);
  },
);
