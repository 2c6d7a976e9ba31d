/** What the command needs of the process, in one place, so that nothing below reaches for globals. */
import type { CommandContext, StricliProcess } from '@stricli/core';

export interface World extends CommandContext {
  readonly process: StricliProcess;
  /** Absolute path of the current folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words of the command line, for completion alone: what `--peers` says decides which teams there are. */
  readonly words: readonly string[];
  /** Columns of the terminal on stdout; undefined where that is none. */
  readonly columns: number | undefined;
  /** Aborted by the first Ctrl-C or SIGTERM; the second ends the process. */
  readonly interrupted: () => AbortSignal;
}
