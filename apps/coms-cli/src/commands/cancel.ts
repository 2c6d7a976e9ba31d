import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { jsonFlag, nameFlag, pendingArgument, projectFlag } from '../flags.ts';
import type { CancelFlags } from '../verbs/cancel.ts';

export const cancelCommand = buildCommand<CancelFlags, [string], CliContext>({
  loader: lazily(async () => (await import('../verbs/cancel.ts')).cancel),
  parameters: {
    flags: { project: projectFlag, name: nameFlag, json: jsonFlag },
    positional: { kind: 'tuple', parameters: [pendingArgument] },
  },
  docs: {
    brief: 'Withdraw a message that waits for its reply',
    fullDescription: `Tells the peer to drop the prompt, and ends the wait for its reply: "coms await" and a waiting "coms send --await" then print "peer error: cancelled by the sender".

EXAMPLES
  id=$(coms ask "Deploy now?" --no-await)
  coms cancel "$id"

EXIT CODE
  0  the peer was told, or is gone
  1  no such message is waiting, or the peer refused`,
  },
});
