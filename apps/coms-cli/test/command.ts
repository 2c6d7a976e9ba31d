/**
 * Runs the built command in a coms folder of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export const main = join(import.meta.dirname, '..', 'dist', 'main.js');

export type Json = Record<string, unknown>;

export interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Pids of waiters that commands of a test have left behind: a test ends only what it started. */
function waitersOf(root: string): number[] {
  const spool = join(root, 'cli', 'projects');
  const list = (path: string): string[] => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  return list(spool).flatMap((project) =>
    list(join(spool, project)).flatMap((name) =>
      list(join(spool, project, name, 'pending')).flatMap((file) => {
        try {
          const record = JSON.parse(readFileSync(join(spool, project, name, 'pending', file), 'utf8')) as {
            waiter: { pid: number };
          };
          return [record.waiter.pid];
        } catch {
          return [];
        }
      }),
    ),
  );
}

export function openPlace(more: Record<string, string> = {}): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cli-')));
  const root = join(folder, 'c');
  const { PATH, HOME, SYSTEMROOT } = process.env;
  onTestFinished(() => {
    for (const pid of waitersOf(root)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return { root, env: { PATH, HOME, SYSTEMROOT, PI_COMS_DIR: root, ...more } };
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  /** What stands on stderr so far. */
  readonly err: () => string;
  readonly ended: Promise<Ran>;
}

/** Starts the command. `input` is the whole of stdin. */
export function startComs(place: Place, args: readonly string[], input = ''): Started {
  const child = spawn(process.execPath, [main, ...args], { env: place.env, stdio: 'pipe' });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ran>((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }));
  });
  return { err: () => err, ended };
}

/** Runs to the end. */
export function coms(place: Place, args: readonly string[], input = ''): Promise<Ran> {
  return startComs(place, args, input).ended;
}

export interface Running {
  readonly child: ChildProcess;
  /** JSON lines of stdout so far. */
  readonly lines: Json[];
  readonly err: () => string;
  write(value: unknown): void;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `coms serve` and waits until it serves. */
export async function startServe(
  place: Place,
  args: readonly string[],
  onPrompt?: (prompt: Json) => unknown,
): Promise<Running> {
  const child = spawn(process.execPath, [main, 'serve', ...args], { env: place.env, stdio: 'pipe' });
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  let err = '';
  const lines: Json[] = [];
  const write = (value: unknown): void => {
    child.stdin.write(`${JSON.stringify(value)}\n`);
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value = JSON.parse(line) as Json;
    lines.push(value);
    if (onPrompt !== undefined && value['type'] === 'prompt')
      write({ msg_id: value['msg_id'], response: onPrompt(value) });
  });
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return closed;
  };
  onTestFinished(async () => void (await end('SIGKILL')));
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      if (err.includes('serving as')) resolve();
    });
    child.once('close', () => reject(new Error(err)));
  });
  return { child, lines, err: () => err, write, end };
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 1_500; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${what}`);
}
