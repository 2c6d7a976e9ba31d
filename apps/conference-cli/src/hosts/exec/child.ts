/** One child process with its guard: charter in, packet out, ended with its whole process group (07 exec). */
import { spawn, type ChildProcess } from 'node:child_process';
import { GUARD_SCRIPT, GUARD_SHELL } from './guard.ts';

/** What became of a child. */
export type ChildEnd =
  /** It ended by itself with exit code 0, or wrote more than a packet may have. */
  | { readonly end: 'packet'; readonly bytes: Uint8Array; readonly stderrTail: string }
  | { readonly end: 'failed'; readonly reason: string; readonly stderrTail: string };

export interface RunningChild {
  /** Never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Asks the group to end, and ends it after a grace. Twice is once. */
  stop(graceMs: number): void;
}

export interface ChildOptions {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. */
  readonly input: string;
  /** Bytes of stdout after which nothing more is read: the packet is oversized. */
  readonly outputBytesMax: number;
}

/** Bytes of stderr that are kept for the terminal. */
const STDERR_TAIL_BYTES = 2_048;

/** Milliseconds that the pipes of a child that has ended are read on; a process that left its group may hold them for ever. */
const DRAIN_MS = 1_000;

/** Starts a child. What keeps it from starting is its end. */
export function startChild(options: ChildOptions): RunningChild {
  const { words, cwd, environment } = options;
  const guard = spawn(GUARD_SHELL, ['-c', GUARD_SCRIPT, 'conference-guard', ...words], {
    cwd,
    env: environment,
    // A group of its own, which is ended as a whole.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  let stopping = false;
  const stop = (graceMs: number): void => {
    if (stopping || isOver(guard)) return;
    stopping = true;
    signalGroup(guard, 'SIGTERM');
    // The group is killed at the guard's exit in any case; this is for a child that does not end when asked.
    const escalation = setTimeout(() => signalGroup(guard, 'SIGKILL'), graceMs);
    // Not later than that: the number of a group that is gone may be given to another one.
    guard.once('exit', () => clearTimeout(escalation));
  };
  return { ended: endOf(guard, options, stop), stop };
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

function endOf(
  guard: ChildProcess,
  options: ChildOptions,
  stop: (graceMs: number) => void,
): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const out: Buffer[] = [];
    let outBytes = 0;
    let stderrTail: Buffer = Buffer.alloc(0);
    let exit: string | null = null;
    guard.stdout?.on('data', (chunk: Buffer) => {
      // One byte too many says so; where a pipe cuts its chunks must not be seen in the digest.
      const room = options.outputBytesMax + 1 - outBytes;
      if (room <= 0) return;
      out.push(chunk.subarray(0, room));
      outBytes += Math.min(chunk.length, room);
      if (outBytes > options.outputBytesMax) stop(0);
    });
    guard.stderr?.on('data', (chunk: Buffer) => {
      stderrTail = Buffer.concat([stderrTail, chunk]).subarray(-STDERR_TAIL_BYTES);
    });
    // A child that does not read its charter, or ends before, closes the pipe: its exit code tells.
    guard.stdin?.on('error', () => undefined);
    guard.stdin?.end(options.input);
    guard.on('error', (error) => {
      exit = `cannot be started: ${'code' in error ? String(error.code) : error.message}`;
      resolve({ end: 'failed', reason: exit, stderrTail: '' });
    });
    guard.on('exit', (code, signal) => {
      exit =
        code === 0 ? '' : code === null ? `ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`;
      // Whatever is left of the group (the watcher, a grandchild that holds the pipe) ends with its child. The watcher
      // lives until now, so the group's number is still its own.
      signalGroup(guard, 'SIGKILL');
      const drain = setTimeout(() => {
        guard.stdout?.destroy();
        guard.stderr?.destroy();
      }, DRAIN_MS);
      guard.once('close', () => clearTimeout(drain));
    });
    guard.on('close', () => {
      const tail = stderrTail.toString('utf8');
      if (outBytes > options.outputBytesMax || exit === '') {
        resolve({ end: 'packet', bytes: Buffer.concat(out), stderrTail: tail });
      } else resolve({ end: 'failed', reason: exit ?? 'ended without an exit code', stderrTail: tail });
    });
  });
}
