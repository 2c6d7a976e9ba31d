/** Apart from the other codes: start-up reads one file. */
import type { ExitCode } from './exit-code.ts';

const USAGE: ExitCode = 2;

/** The argument parser marks a wrong command line by a negative code, which the shell would show as 251 or so. */
export function usageExitCode(code: NodeJS.Process['exitCode']): NodeJS.Process['exitCode'] {
  return typeof code === 'number' && code < 0 ? USAGE : code;
}
