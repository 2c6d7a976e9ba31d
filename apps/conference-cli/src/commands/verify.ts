import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { VerifyFlags } from '../verbs/verify.ts';

export const verifyCommand = buildCommand<VerifyFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/verify.ts')).verify),
  parameters: {
    flags: {
      json: jsonFlag,
      deep: {
        kind: 'boolean',
        brief: 'Each payload against its schema, too',
        withNegated: false,
        default: false,
      },
    },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Whether a conference folder is what its ledger says',
    fullDescription: `Verifies the chain, every accepted packet, the facts and charters made from it, and the artifacts. A tail that is missing is noticed by the length and head digest in the report. It says what it cannot prove.

EXAMPLES
  conference verify out
  conference verify out --deep --json

EXIT CODE
  0  it holds
  2  there is no ledger
  4  it does not; the first line or file that is wrong is named`,
  },
});
