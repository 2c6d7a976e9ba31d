/** Runs the built command as a person would, in a folder and an environment of the test's own. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));

export interface Finished {
  /** The exit code; null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Nothing but PATH is passed on unless it stands here. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program and the words before the command's own; node and the built file if left out. */
  readonly program?: readonly [string, ...string[]];
  /** Given the process as soon as it is started. */
  readonly whileRunning?: (child: { readonly pid: number }) => void;
}

export function run(words: readonly string[], options: RunOptions): Promise<Finished> {
  if (!existsSync(MAIN))
    throw new Error('dist/main.js is missing: build the app before its end-to-end tests');
  const [program, ...before] = options.program ?? [process.execPath, MAIN];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...words], {
      cwd: options.cwd,
      env: { PATH: process.env['PATH'] ?? '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
    if (child.pid !== undefined) options.whileRunning?.({ pid: child.pid });
  });
}
