/** Child processes of a test: plain node on the built package, ended by their own id after the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const script = (name: string): string => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));

export type Running = {
  readonly child: ChildProcess;
  /** The next line it prints; null once it has ended. */
  readonly line: () => Promise<string | null>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

/** Starts `node test/support/<name>.mjs …`, behind `through` (such as `unshare -n`). */
export const start = (name: string, args: readonly string[], through: readonly string[] = []): Running => {
  const [command = process.execPath, ...rest] = [...through, process.execPath, script(name), ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    line: async () => {
      const next = await lines.next();
      return next.done === true ? null : next.value;
    },
  };
};
