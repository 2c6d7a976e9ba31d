/** What a command may touch of its process. */
import type { ApplicationContext } from '@stricli/core';

export interface CliContext extends ApplicationContext {
  readonly node: NodeJS.Process;
  /** The program of the process that starts programs. */
  readonly workerText: string;
}

export const createContext = (node: NodeJS.Process, workerText: string): CliContext => ({
  node,
  workerText,
  process: {
    stdout: node.stdout,
    stderr: node.stderr,
    env: node.env,
    get exitCode() {
      return node.exitCode ?? null;
    },
    set exitCode(code) {
      node.exitCode = code ?? undefined;
    },
  },
});
