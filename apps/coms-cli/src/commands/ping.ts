import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { jsonFlag, peerArgument, projectFlag, timeoutFlag } from '../flags.ts';
import type { PingFlags } from '../verbs/ping.ts';

export const pingCommand = buildCommand<PingFlags, [string], CliContext>({
  loader: lazily(async () => (await import('../verbs/ping.ts')).ping),
  parameters: {
    flags: {
      timeout: { ...timeoutFlag, brief: 'How long to wait for the answer, in milliseconds (default 10000)' },
      project: projectFlag,
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [peerArgument] },
  },
  docs: {
    brief: 'Ask a peer for its agent card',
    fullDescription: `Prints what the peer says of itself: purpose, model, use of its context, length of its queue.

EXAMPLES
  coms ping planner
  coms ping user-remote --json | jq .agent_card.queue_depth

EXIT CODE
  0  it answered
  1  it did not`,
  },
});
