import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { RecoverFlags } from '../verbs/recover.ts';

export const recoverCommand = buildCommand<RecoverFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/recover.ts')).recover),
  parameters: {
    flags: {
      json: jsonFlag,
      at: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'Recover for this time (default: now); accept the receipt with the same --at',
        placeholder: 'time',
      },
    },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Receipt and proposals for an interrupted conference; changes nothing',
    fullDescription: `Folds the ledger, compares the files, and says what is proposed. "conference decide" and "conference run --resume" act on it.

EXAMPLES
  conference recover out
  conference recover out --json | jq -r .receipt_digest

EXIT CODE
  0  also when there is something to decide
  2  there is no ledger
  4  the files differ from the ledger, or a line does not verify`,
  },
});
