/** What is said where: one JSON document alone on stdout with `--json`, words for people else, diagnostics on stderr. */
import type { CliContext } from './context.ts';
import { exitCode, type ExitCode } from './exit-code.ts';

/** A failure as a person reads it, and as a machine does. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exit: ExitCode;
  /** Where the process that holds the ledger takes commands. */
  readonly controlSocket?: string;
  /** The line of a ledger that does not verify, and the digest of the last one that does. */
  readonly damaged?: {
    readonly line: number;
    readonly head: string;
    /** Whether a grant stands before that line. */
    readonly granted?: boolean;
  };
  /** What the user is shown beside the failure: members of its JSON document, and words on stdout. */
  readonly shown?: { readonly document: object; readonly words: string };
}

export interface OutputFlags {
  readonly json: boolean;
}

/** Prints a document: as it is with `--json`, in words else. */
export function print(
  context: CliContext,
  flags: OutputFlags,
  shown: { document: unknown; words: () => string },
): void {
  context.out(flags.json ? `${JSON.stringify(shown.document)}\n` : shown.words());
}

/** Says a failure, and sets the exit code. With `--json` the document is on stdout too, for machines. */
export function fail(context: CliContext, flags: OutputFlags, failure: Failure): void {
  const { code, message, exit, shown } = failure;
  if (flags.json) context.out(`${JSON.stringify({ ...shown?.document, error: { code, message } })}\n`);
  else if (shown !== undefined) context.out(shown.words);
  context.err(`conference: ${message}`);
  context.exit(exit);
}

/** A failure of usage or input: what, where, what would be accepted. */
export function usage(code: string, message: string): Failure {
  return { code, message, exit: exitCode.usage };
}

/** Whether colours and redrawing may be used: a terminal that nobody asked to be plain. */
export function isRich(context: CliContext, flags: { readonly color?: boolean }): boolean {
  const { stdout } = context.node;
  return (
    stdout.isTTY &&
    flags.color !== false &&
    (context.env['NO_COLOR'] ?? '') === '' &&
    context.env['TERM'] !== 'dumb'
  );
}
