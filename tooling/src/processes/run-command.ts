/**
 * Runs one command to its end: its output shown as it comes, or kept to be shown when it failed.
 *
 * Boundary: starts one process a call, without a shell and without standard input. Never rejects.
 *  X1  A SIGTERM or SIGINT to us goes on to every command under way; later commands are refused, so that the caller
 *      comes to its end with what it knows, and cleans up. A second signal ends us at once.
 *  X2  Kept output is bounded; its beginning gives way, because a failure stands at the end.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export type CommandOptions = {
  readonly cwd: string;
  /** Added to our own environment; default none. */
  readonly env?: Readonly<Record<string, string>>;
  /** `show` passes output through to ours, `keep` gives it back in `output`. */
  readonly output: 'show' | 'keep';
};

export type CommandEnd = {
  /** True for exit code 0 alone. */
  readonly ok: boolean;
  /** `exit 1`, `SIGKILL`, `interrupted by SIGINT`, or `it did not start`, with the reason in `output`. */
  readonly end: string;
  /** Standard output and standard error in the order in which they came; empty with `show`. */
  readonly output: string;
  /** Standard output alone; empty with `show`. */
  readonly stdout: string;
  readonly elapsedMs: number;
};

const outputCharactersMax = 4_000_000;

const running = new Set<ChildProcess>();

export const runCommand = (
  command: string,
  args: readonly string[],
  { cwd, env = {}, output }: CommandOptions,
): Promise<CommandEnd> =>
  new Promise((resolve) => {
    forwardSignals();
    if (interruptedBy !== undefined) {
      const end = `interrupted by ${interruptedBy}`;
      resolve({ ok: false, end, output: end, stdout: '', elapsedMs: 0 });
      return;
    }
    const startedMs = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let all = '';
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      all = bounded(all + text);
      stdout = bounded(stdout + text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (all = bounded(all + text)));
    const settle = (ok: boolean, end: string): void => {
      running.delete(child);
      resolve({ ok, end, output: all, stdout, elapsedMs: performance.now() - startedMs });
    };
    child.once('error', (error) => {
      all = bounded(`${all}it did not start: ${error.message}\n`);
      settle(false, 'it did not start');
    });
    child.once('close', (code, signal) =>
      settle(code === 0, code === null ? String(signal) : `exit ${code}`),
    );
  });

const bounded = (text: string): string =>
  text.length <= outputCharactersMax ? text : text.slice(text.length - outputCharactersMax);

let interruptedBy: NodeJS.Signals | undefined;
let forwarding = false;

const forwardSignals = (): void => {
  if (forwarding) return;
  forwarding = true;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (interruptedBy !== undefined) process.exit(exitCode);
      interruptedBy = signal;
      for (const child of running) child.kill(signal);
    });
  }
};
