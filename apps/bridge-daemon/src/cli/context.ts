/** What a command may touch of its process. */
import type { ApplicationContext } from '@stricli/core';

export interface CliContext extends ApplicationContext {
  readonly node: NodeJS.Process;
  /** The bundled file that runs. */
  readonly script: URL;
}

export const createContext = (node: NodeJS.Process, script: URL): CliContext => ({
  node,
  script,
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
