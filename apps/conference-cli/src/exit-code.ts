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
