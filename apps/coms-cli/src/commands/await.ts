import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { jsonFlag, nameFlag, projectFlag, sentArgument, timeoutFlag } from '../flags.ts';
import type { AwaitFlags } from '../verbs/await.ts';

export const awaitCommand = buildCommand<AwaitFlags, [string], CliContext>({
  loader: lazily(async () => (await import('../verbs/await.ts')).awaitReply),
  parameters: {
    flags: {
      timeout: {
        ...timeoutFlag,
        brief: 'How long to wait here, in milliseconds (default: as long as the send does)',
      },
      project: projectFlag,
      name: nameFlag,
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [sentArgument] },
  },
  docs: {
    brief: 'Wait for the reply to a message sent earlier',
    fullDescription: `Prints the reply to a message that was sent without --await, as soon as it is there. The reply stays readable for 30 days.

EXAMPLES
  id=$(coms send builder "Run the tests")
  coms await "$id"
  coms await "$id" --timeout 5000 --json

EXIT CODE
  0  answered
  1  an error reply, no reply in time, or nobody waits for this message`,
  },
});
