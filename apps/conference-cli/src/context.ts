/** What a verb may touch of its process: streams, variables, the working folder, the exit code. */
import type { ApplicationContext, InputCompletion } from '@stricli/core';
import type { ExitCode } from './exit-code.ts';

export interface CliContext extends ApplicationContext {
  readonly node: NodeJS.Process;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Writes to stdout exactly what is given. */
  readonly out: (text: string) => void;
  /** Writes one line to stderr. */
  readonly err: (line: string) => void;
  /** Sets the exit code; the process ends when nothing is left to do. */
  readonly exit: (code: ExitCode) => void;
  /** What the words of a command line could go on with. Here, so that no verb needs the whole command line's definition. */
  readonly propose: (words: readonly string[]) => Promise<readonly InputCompletion[]>;
}

export function createContext(node: NodeJS.Process, propose: CliContext['propose']): CliContext {
  return {
    node,
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
    propose,
    env: node.env,
    cwd: node.cwd(),
    out: (text) => void node.stdout.write(text),
    err: (line) => void node.stderr.write(`${line}\n`),
    exit: (code) => {
      node.exitCode = code;
    },
  };
}
