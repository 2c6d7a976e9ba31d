/** Exit codes of the command (07). */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  asked: 3,
  blocked: 4,
  packetRefused: 5,
  budget: 6,
  cancelled: 130,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The argument parser marks a wrong command line by a negative code, which the shell would show as 251 or so. */
export function usageExitCode(code: NodeJS.Process['exitCode']): NodeJS.Process['exitCode'] {
  return typeof code === 'number' && code < 0 ? exitCode.usage : code;
}
