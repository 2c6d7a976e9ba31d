import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, grantFlags, jsonFlag, lockWaitFlag, passEnvFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { ConfirmFlags } from '../verbs/confirm.ts';

export const confirmCommand = buildCommand<ConfirmFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/confirm.ts')).confirm),
  parameters: {
    flags: {
      json: jsonFlag,
      planDigest: {
        kind: 'parsed',
        parse: String,
        brief: 'The digest that "conference plan" printed',
        placeholder: 'digest',
      },
      ...grantFlags,
      passEnv: passEnvFlag,
      lockWait: lockWaitFlag,
    },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Record that a person confirmed the plan, and the grant',
    fullDescription: `Records the confirmation of the plan of DIR/conference.md in DIR/conference_events.jsonl. The digest must be the one of the plan as it stands: confirming another one is refused.

EXAMPLES
  conference confirm research --plan-digest sha256:… --write-to research
  conference confirm research --plan-digest "$(conference plan research/conference.md --json | jq -r .plan_digest)" --write-to research

EXIT CODE
  0  confirmed
  2  PLAN_DIGEST_MISMATCH, or input that cannot be used
  3  a grant is needed, or values are missing`,
  },
});
