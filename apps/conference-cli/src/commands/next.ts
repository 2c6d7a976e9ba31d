import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { NextFlags } from '../verbs/next.ts';

export const nextCommand = buildCommand<NextFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/next.ts')).next),
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [folderArgument] } },
  docs: {
    brief: 'What to do now, for a root that is itself an agent; changes nothing',
    fullDescription: `Prints the outstanding work. A delegate_task is a preview under the id that it would get: only what "conference dispatch" prints may be sent.

  { "conference_id", "state", "phase", "round", "revision", "actions": [ … ] }
  delegate_task  recorded, dispatch_id, role, lane, goal, context, output_schema, charter, deadline
  ask_user       decision_id, question, options: [ { id, label, consequence } ]
  wait           dispatch_ids, until
  done           outcome, target_met

EXAMPLES
  conference next out --json | jq '.actions[].action'

EXIT CODE
  0  also when nothing is to be done
  2  there is no ledger
  4  stored content is missing or damaged`,
  },
});
