/**
 * Processes are started from a thread of their own: starting one blocks the thread that does it, and the main thread
 * has prompts to ack. This file is both ends of the conversation between the two.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runProcess, type ProcessEnd, type ProcessRun, type RunningProcess } from './run-process.ts';

const role = 'bridge-daemon processes';

/** What the thread is told. Made and read by this file alone, so nothing is checked. */
type ToWorker =
  | { readonly do: 'run'; readonly id: number; readonly run: ProcessRun }
  | { readonly do: 'stop' };

/** And what it says. */
interface FromWorker {
  readonly id: number;
  readonly end: ProcessEnd;
}

/** True in the thread that `createProcessRunner` started. */
export const isProcessWorker = (): boolean => !isMainThread && workerData === role;

/** The thread's whole life. */
export const serveProcesses = (): void => {
  const running = new Set<RunningProcess>();
  const port = parentPort;
  port?.on('message', (given: ToWorker) => {
    if (given.do === 'stop') {
      for (const process of running) process.stop();
      return;
    }
    const process = runProcess(given.run);
    running.add(process);
    void process.end.then((end) => {
      running.delete(process);
      port.postMessage({ id: given.id, end } satisfies FromWorker);
    });
  });
};

export interface ProcessRunner {
  /** Runs a program to its end. Never rejects. */
  run(run: ProcessRun): Promise<ProcessEnd>;
  /** Ends all that run. */
  stop(): void;
  /** Ends the thread; what still runs is given as `stopped`. */
  close(): Promise<void>;
}

/**
 * Starts the thread from `script`, the daemon's one bundled file. A thread that dies is started again by the next run;
 * what it ran is given as `failed`.
 */
export const createProcessRunner = (script: URL): ProcessRunner => {
  const waiting = new Map<number, (end: ProcessEnd) => void>();
  let worker: Worker | null = null;
  let lastId = 0;

  const settleAll = (end: ProcessEnd): void => {
    for (const settle of waiting.values()) settle(end);
    waiting.clear();
  };

  const start = (): Worker => {
    const started = new Worker(script, { workerData: role });
    started.on('message', ({ id, end }: FromWorker) => {
      waiting.get(id)?.(end);
      waiting.delete(id);
    });
    started.on('error', (error) => {
      if (worker === started) worker = null;
      settleAll({ code: 'failed', reason: 'worker', detail: error.message });
    });
    return started;
  };
  worker = start();

  const post = (message: ToWorker): void => {
    worker ??= start();
    worker.postMessage(message, []);
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
      await ended?.terminate();
      settleAll({ code: 'stopped' });
    },
  };
};
