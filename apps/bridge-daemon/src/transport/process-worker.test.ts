// Catches a question lost or sent twice because the process that starts programs died, was told to end, or outlived its daemon.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workerText } from '../../test/support/worker-text.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createProcessRunner, type ProcessRunner } from './process-worker.ts';

let root = '';
let script = '';
let text = '';
let runner: ProcessRunner | null = null;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bd-worker-'));
  text = workerText();
  // A daemon to be killed: it runs what its arguments say.
  script = join(root, 'daemon.mjs');
  await build({
    bundle: true,
    platform: 'node',
    logLevel: 'error',
    stdin: {
      contents: `
        import { createProcessRunner } from './process-worker.ts';
        void createProcessRunner(${JSON.stringify(text)}).run(JSON.parse(process.argv[2]));
      `,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    format: 'esm',
    outfile: script,
  });
});
afterEach(async () => {
  await runner?.close();
  runner = null;
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

const start = (): ProcessRunner => (runner = createProcessRunner(text));
const sh = (commands: string, timeoutMs = 60_000) => ({
  command: '/bin/sh',
  args: ['-c', `echo $PPID >"${root}/worker.new"; mv "${root}/worker.new" "${root}/worker"; ${commands}`],
  timeoutMs,
});
const workerPid = () =>
  waitFor('the worker', () =>
    existsSync(join(root, 'worker')) ? Number(readFileSync(join(root, 'worker'), 'utf8')) : null,
  );
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that has ended and is not waited for yet runs no more.
    return !/^State:\s+Z/m.test(
      existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
  } catch {
    return false;
  }
};
const go = () => join(root, 'go');
const untilGo = (): string => `while [ ! -e "${go()}" ]; do sleep 0.05; done`;

test('programs are run by a process of its own, which goes when it is let go [DAEM-03]', async () => {
  const running = start();
  expect(await running.run(sh('echo words >&2; exit 3'))).toEqual({
    code: 'exit',
    exitCode: 3,
    stderr: 'words',
  });
  const pid = await workerPid();
  expect(pid).not.toBe(process.pid);
  expect(runs(pid)).toBe(true);
  await running.close();
  await waitFor('the worker to go', () => !runs(pid));
});

test('what a worker ran when it was killed is a failure of the worker, and the next run gets another one [DAEM-03 DAEM-23]', async () => {
  const running = start();
  const lost = running.run(sh(untilGo()));
  const pid = await workerPid();
  process.kill(pid, 'SIGKILL');
  expect(await lost).toMatchObject({ code: 'failed', reason: 'worker' });
  writeFileSync(go(), '');
  expect(await running.run(sh('exit 0'))).toMatchObject({ code: 'exit', exitCode: 0 });
  await waitFor('another worker', async () => (await workerPid()) !== pid);
});

test('a signal for all of the service leaves it to the daemon what becomes of its runs [DAEM-04]', async () => {
  const running = start();
  const waiting = running.run(sh(untilGo()));
  const pid = await workerPid();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
  const stopped = running.run(sh('exit 0'));
  expect(await stopped).toMatchObject({ code: 'exit' });
  expect(runs(pid)).toBe(true);
  writeFileSync(go(), '');
  expect(await waiting).toMatchObject({ code: 'exit', exitCode: 0 });
});

test('all that runs is ended on request, and closing settles what is left as stopped [DAEM-12]', async () => {
  const running = start();
  const first = running.run(sh('sleep 600'));
  await workerPid();
  running.stop();
  expect(await first).toEqual({ code: 'stopped' });
  const second = running.run(sh("trap '' TERM; sleep 600", 1_000));
  await running.close();
  expect(await second).toEqual({ code: 'stopped' });
});

test('a killed daemon’s run goes on to its end, with its words taken, and its time is bounded all the same [DAEM-03]', async () => {
  const words = `${untilGo()}; i=0; while [ $i -lt 3000 ]; do echo "many words on the way out" >&2; i=$((i+1)); done; echo done >"${root}/done"`;
  const first = spawn(process.execPath, [script, JSON.stringify(sh(words))], { stdio: 'ignore' });
  const pid = await workerPid();
  first.kill('SIGKILL');
  await new Promise((resolve) => first.once('exit', resolve));
  writeFileSync(go(), '');
  // Its pipe is still read: it is neither held up nor ended by it.
  await waitFor('its end', () => existsSync(join(root, 'done')));
  await waitFor('the worker to go', () => !runs(pid));

  rmSync(join(root, 'worker'));
  const hanging = spawn(process.execPath, [script, JSON.stringify(sh('sleep 600', 1_500))], {
    stdio: 'ignore',
  });
  const second = await workerPid();
  hanging.kill('SIGKILL');
  expect(second).not.toBe(pid);
  await waitFor('the worker to have ended it, and to go', () => !runs(second));
});

test('a worker that cannot begin is a failure of every run, not a crash [DAEM-03]', async () => {
  runner = createProcessRunner('throw new Error(1)');
  for (let again = 0; again < 2; again += 1)
    expect(await runner.run(sh('exit 0'))).toMatchObject({ code: 'failed', reason: 'worker' });
});
