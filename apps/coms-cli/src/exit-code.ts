/**
 * Exit codes: 0 done (of `send`: the peer acked), 1 it failed, 2 the command line is wrong.
 */
export const exitCode = { done: 0, failed: 1, usage: 2 } as const;

/** The argument parser marks a wrong command line by a negative code, which the shell would show as 251 or so. */
export function usageExitCode(code: NodeJS.Process['exitCode']): NodeJS.Process['exitCode'] {
  return typeof code === 'number' && code < 0 ? exitCode.usage : code;
}
