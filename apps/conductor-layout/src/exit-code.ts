/** The exit codes of the command. */
export const EXIT = {
  done: 0,
  /** herdr is absent, refuses or fails; or a bug. */
  failed: 1,
  /** Bad usage or input: what, where, and what would be accepted is on stderr. */
  badInput: 2,
  /** Ended by Ctrl-C, after undoing what was begun. */
  cancelled: 130,
} as const;

/** The command-line library counts its own failures below zero: two of them are bad usage, the others bugs. */
export function exitCodeOf(code: number | string | null | undefined): number {
  const number = Number(code ?? 0);
  if (number >= 0) return number;
  return number === INVALID_ARGUMENT || number === UNKNOWN_COMMAND ? EXIT.badInput : EXIT.failed;
}

const INVALID_ARGUMENT = -4;
const UNKNOWN_COMMAND = -5;
