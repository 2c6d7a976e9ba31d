import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { StatusFlags } from '../verbs/status.ts';

export const statusCommand = buildCommand<StatusFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/status.ts')).status),
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [folderArgument] } },
  docs: {
    brief: 'State, dispatch table, budget, decision record and next action',
    fullDescription: `Reads the ledger of a conference folder, also while somebody else runs it. It says who has the next move: running, waiting for you, waiting for the caller, interrupted, or finished.

EXAMPLES
  conference status out
  conference status out --json | jq .budget

EXIT CODE
  0  also when the conference is blocked or unfinished
  2  there is no ledger
  4  a line of the ledger does not verify`,
  },
});
