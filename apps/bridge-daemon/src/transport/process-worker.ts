/**
 * Programs are started from a small process of our own. Starting one copies the memory map of whoever does it and
 * stops all its threads meanwhile, the longer the more memory it holds, and the daemon has prompts to ack. This file is
 * both ends of the conversation between the two; `serve-processes.ts` is the whole program of the other one.
 *
 * W1 The worker outlives a daemon that is killed only until what it runs has ended, within the time each run has.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { daemonLimits } from '../limits.ts';
import { runProcess, type ProcessEnd, type ProcessRun, type RunningProcess } from './run-process.ts';

/** Its only argument, which tells a person who lists processes what it is. */
const role = 'processes-of-bridge-daemon';
/** Whatever makes it smaller makes it start programs sooner: it runs no code for long, and has nothing to do in parallel. */
const small = ['--single-threaded', '--max-semi-space-size=1'];

/** What the worker is told. Made and read by this file alone, so nothing is checked. */
type ToWorker =
  | { readonly do: 'run'; readonly id: number; readonly run: ProcessRun }
  | { readonly do: 'stop' };

/** And what it says. */
interface FromWorker {
  readonly id: number;
  readonly end: ProcessEnd;
}

/** The worker's whole life. */
export const serveProcesses = (): void => {
  const running = new Set<RunningProcess>();
  let left = false;
  // The daemon decides when this ends: a signal for all of its service must not cut off what it waits for.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const endIfDone = (): void => {
    if (left && running.size === 0) process.exit(0);
  };
  process.on('disconnect', () => {
    left = true;
    endIfDone();
  });
  process.on('message', (given: ToWorker) => {
    if (given.do === 'stop') {
      for (const process of running) process.stop();
      return;
    }
    const started = runProcess(given.run);
    running.add(started);
    void started.end.then((end) => {
      running.delete(started);
      // A daemon that is gone is told nothing, and asks again when it is back.
      if (!left) process.send?.({ id: given.id, end } satisfies FromWorker, () => undefined);
      endIfDone();
    });
  });
};

export interface ProcessRunner {
  /** Runs a program to its end. Never rejects. */
  run(run: ProcessRun): Promise<ProcessEnd>;
  /** Ends all that run. */
  stop(): void;
  /** Lets the worker go; what still runs is given as `stopped`. */
  close(): Promise<void>;
}

interface Worker {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
}

const until = (gone: Promise<void>, boundMs: number): Promise<void> =>
  new Promise((resolve) => {
    const bound = setTimeout(resolve, boundMs);
    void gone.then(() => {
      clearTimeout(bound);
      resolve();
    });
  });

/**
 * Starts the worker from the text of its program. A worker that dies is started again by the next run; what it ran is
 * given as `failed`.
 */
export const createProcessRunner = (workerText: string): ProcessRunner => {
  const waiting = new Map<number, (end: ProcessEnd) => void>();
  let worker: Worker | null = null;
  let lastId = 0;

  const settleAll = (end: ProcessEnd): void => {
    for (const settle of waiting.values()) settle(end);
    waiting.clear();
  };

  const start = (): Worker => {
    // A session of its own: a key that interrupts the daemon leaves it to the daemon what becomes of its runs.
    const child = spawn(process.execPath, [...small, '-', role], {
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    // A worker that is gone before it has read its program is noticed by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(workerText);
    const lost = (reason: string, detail: string): void => {
      if (worker?.child !== child) return;
      worker = null;
      settleAll({ code: 'failed', reason, detail });
    };
    child.on('message', ({ id, end }: FromWorker) => {
      waiting.get(id)?.(end);
      waiting.delete(id);
    });
    child.on('disconnect', () => lost('worker', 'the process that starts programs is gone'));
    const gone = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        lost('worker', `the process that starts programs ended (${code ?? signal})`);
        resolve();
      });
      child.on('error', (error) => {
        // Where it never began, nothing that it was to run did.
        const neverBegan = child.pid === undefined;
        lost(neverBegan && 'code' in error ? String(error.code) : 'worker', error.message);
        if (neverBegan) resolve();
      });
    });
    return { child, gone };
  };
  worker = start();

  const post = (message: ToWorker): void => {
    worker ??= start();
    // What cannot be sent any more is settled when the worker's end is noticed.
    if (worker.child.connected) worker.child.send(message, () => undefined);
  };

  return {
    run: ({ command, args, timeoutMs }) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        post({ do: 'run', id: lastId, run: { command, args, timeoutMs } });
      }),
    stop: () => {
      if (waiting.size > 0) post({ do: 'stop' });
    },
    close: async () => {
      const ended = worker;
      worker = null;
      if (ended?.child.connected === true) ended.child.disconnect();
      settleAll({ code: 'stopped' });
      if (ended !== null) await until(ended.gone, daemonLimits.workerGoneMs);
    },
  };
};
