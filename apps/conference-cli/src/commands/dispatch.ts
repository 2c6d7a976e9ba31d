import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag, lockWaitFlag, parseSlots } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { DispatchFlags } from '../verbs/dispatch.ts';

export const dispatchCommand = buildCommand<DispatchFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/dispatch.ts')).dispatch),
  parameters: {
    flags: {
      json: jsonFlag,
      slots: {
        kind: 'parsed',
        parse: parseSlots,
        default: '1',
        brief: 'Children that the caller can run at once',
        placeholder: 'n',
      },
      open: {
        kind: 'boolean',
        brief: 'Print again what is recorded and open, byte for byte',
        withNegated: false,
        default: false,
      },
      lockWait: lockWaitFlag,
    },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Record and print the charters that fit the free slots; the caller is the host',
    fullDescription: `Each charter is durable in the ledger before it is printed. Hand it to delegate_task, and its packet to "conference submit". After a crash between the two, --open prints the same bytes again.

EXAMPLES
  conference dispatch out --slots 3 --json | jq -c '.actions[]'
  conference dispatch out --open --json

EXIT CODE
  0  dispatched, or nothing to dispatch now
  3  you are asked first
  4  BLOCKED, the code is in the output`,
  },
});
