import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { jsonFlag, lockWaitFlag, requiredFolderArgument } from '../flags.ts';
import { lazily } from '../lazily.ts';
import { parseCost } from '../cost.ts';
import type { SubmitFlags } from '../verbs/submit.ts';

export const submitCommand = buildCommand<SubmitFlags, [string, string?, string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/submit.ts')).submit),
  parameters: {
    flags: {
      json: jsonFlag,
      cost: {
        kind: 'parsed',
        parse: parseCost,
        optional: true,
        brief: 'What the child cost, in the unit of the cost budget',
        placeholder: 'n',
      },
      batch: {
        kind: 'boolean',
        brief: 'Lines { dispatch_id, packet }: one open, one commit',
        withNegated: false,
        default: false,
      },
      lockWait: lockWaitFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        requiredFolderArgument,
        {
          parse: String,
          brief: 'Dispatch id; with --batch the file of lines',
          placeholder: 'id',
          optional: true,
        },
        {
          parse: String,
          brief: 'The packet, - for standard input (default)',
          placeholder: 'file',
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: 'Hand in what a child sent',
    fullDescription: `Judges the packet and books it. The bytes are durable before the event that names them, and the event before this prints.

  { "dispatch_id", "result": "received" | "failed" | "duplicate" | "stale" | "conflict", "digest", "code"?, "reason"?, "state", "phase" }

EXAMPLES
  conference submit out 01J… packet.json --json
  child < charter.json | conference submit out 01J…
  conference submit out --batch - < results.ndjson

EXIT CODE
  0  received, or the same bytes again
  2  the packet names another issued dispatch; nothing was recorded
  4  conflict, or BLOCKED; the code is in the output
  5  the packet was refused, or is stale`,
  },
});
