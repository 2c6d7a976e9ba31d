import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { fileArgument, jsonFlag, passEnvFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { PlanFlags } from '../verbs/plan.ts';

export const planCommand = buildCommand<PlanFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/plan.ts')).plan),
  parameters: {
    flags: { json: jsonFlag, passEnv: passEnvFlag },
    positional: { kind: 'tuple', parameters: [fileArgument] },
  },
  docs: {
    brief: 'The start gate: what is missing, or the conditions and the plan digest',
    fullDescription: `Reads a conference.md and says what is missing or vague, or prints the conditions, the computed budget and the plan digest. It changes nothing.

EXAMPLES
  conference plan
  conference plan research/conference.md --json | jq -r .plan_digest

EXIT CODE
  0  the plan is complete
  2  the file cannot be read, or holds a secret
  3  values are missing or vague`,
  },
});
