/**
 * Runs the built command as a shell would: a process of its own, in a folder of its own, with little environment.
 *
 * `CONFERENCE_MAIN` names another build of it, such as an installed one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

export const main =
  process.env['CONFERENCE_MAIN'] ?? join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** A child in shell that misbehaves on request: see its first lines. */
export const childScript = join(import.meta.dirname, '..', 'fixtures', 'child.sh');

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The whole of stdin. */
  readonly input?: string;
  /** Words before `node main.js`, such as a shell that sets the umask. */
  readonly wrapper?: readonly string[];
}

export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Ran>;
  /** Until a word stands on stdout. */
  readonly waitFor: (word: string) => Promise<void>;
}

const running = new Set<ChildProcess>();
// A test ends what it started, however it went.
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** A folder that is removed when the test (or the file, when called outside one) is over. */
export function freshFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'cli-')));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The temporary folder of the command lies in its working folder, so that what it leaves behind is seen. */
function environmentOf({ cwd, env }: RunOptions): NodeJS.ProcessEnv {
  const { PATH, SYSTEMROOT } = process.env;
  return { PATH, SYSTEMROOT, HOME: cwd, TMPDIR: cwd, LANG: 'C.UTF-8', ...env };
}

export function startConference(args: readonly string[], options: RunOptions): Running {
  const [command = '', ...rest] = [...(options.wrapper ?? []), process.execPath, main, ...args];
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: 'pipe',
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const ended = new Promise<Ran>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, out, err })),
  );
  running.add(child);
  child.once('close', () => running.delete(child));
  const waitFor = (word: string): Promise<void> =>
    until(() => out.includes(word) || child.exitCode !== null, `${word} on stdout`);
  return { child, out: () => out, err: () => err, ended, waitFor };
}

export function conference(args: readonly string[], options: RunOptions): Promise<Ran> {
  return startConference(args, options).ended;
}

/** Waits for what another process brings about. Bounded just below the time of a whole test; never a measure of time. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${what}`);
}

/** Whether a process runs; one that has ended and that nobody has asked for yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
