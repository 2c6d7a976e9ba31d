/**
 * Runs one program to its end and says how it ended. It gets a process group of its own, which is ended as a whole when
 * it hangs: a grandchild that holds the pipe open holds up nobody.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { daemonLimits } from '../limits.ts';

export interface ProcessRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
}

export type ProcessEnd =
  | { readonly code: 'exit'; readonly exitCode: number; readonly stderr: string }
  | { readonly code: 'signal'; readonly signal: string; readonly stderr: string }
  /** Ended by us after `timeoutMs`. */
  | { readonly code: 'timeout'; readonly stderr: string }
  /** Ended by us on request. */
  | { readonly code: 'stopped' }
  /** It never started. */
  | { readonly code: 'failed'; readonly reason: string; readonly detail: string };

export interface RunningProcess {
  readonly end: Promise<ProcessEnd>;
  /** Ends it and its group; `end` then says `stopped`. */
  stop(): void;
}

/** After its leader is gone, what a group's last words may take. */
const lastWordsMs = 50;

const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
};

const failure = (error: unknown): ProcessEnd => {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return { code: 'failed', reason: code, detail: error instanceof Error ? error.message : String(error) };
};

/** Keeps the first bytes of a stream and throws the rest away, so that the program is never held up. */
const collect = (child: ChildProcess): (() => string) => {
  const kept: Buffer[] = [];
  let bytes = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    const room = daemonLimits.stderrBytes - bytes;
    if (room > 0) kept.push(chunk.subarray(0, room));
    bytes += chunk.length;
  });
  child.stderr?.on('error', () => undefined);
  return () => Buffer.concat(kept).toString('utf8').trim();
};

/** Never throws; `end` never rejects and settles within `timeoutMs` and the grace of a kill. */
export const runProcess = ({ command, args, timeoutMs }: ProcessRun): RunningProcess => {
  let child: ChildProcess;
  try {
    child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, windowsHide: true });
  } catch (error) {
    return { end: Promise.resolve(failure(error)), stop: () => undefined };
  }
  const stderr = collect(child);
  let why: 'timeout' | 'stopped' | null = null;
  let endHard: NodeJS.Timeout | undefined;

  const endGroup = (reason: 'timeout' | 'stopped'): void => {
    if (why !== null) return;
    why = reason;
    killGroup(child, 'SIGTERM');
    endHard = setTimeout(() => killGroup(child, 'SIGKILL'), daemonLimits.killGraceMs);
  };
  const timer = setTimeout(() => endGroup('timeout'), timeoutMs);

  const end = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve(failure(error));
    });
    child.once('exit', (exitCode, signal) => {
      clearTimeout(timer);
      clearTimeout(endHard);
      // Whoever is left of a group that hung is ended with it.
      if (why !== null) killGroup(child, 'SIGKILL');
      const settle = (): void => {
        clearTimeout(silence);
        child.stderr?.destroy();
        if (why === 'stopped') resolve({ code: 'stopped' });
        else if (why === 'timeout') resolve({ code: 'timeout', stderr: stderr() });
        else if (signal !== null) resolve({ code: 'signal', signal, stderr: stderr() });
        else resolve({ code: 'exit', exitCode: exitCode ?? 0, stderr: stderr() });
      };
      const silence = setTimeout(settle, lastWordsMs);
      child.once('close', settle);
    });
  });
  return { end, stop: () => endGroup('stopped') };
};
