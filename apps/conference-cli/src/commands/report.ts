import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { ReportFlags } from '../verbs/report.ts';

export const reportCommand = buildCommand<ReportFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/report.ts')).report),
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [folderArgument] } },
  docs: {
    brief: 'The report again, made from the ledger',
    fullDescription: `Makes the report anew from the ledger and the stored content: of a finished conference the very bytes of final_report.md, of one under way the report so far.

EXAMPLES
  conference report out
  conference report out --json | jq -r .report

EXIT CODE
  0  printed
  2  there is no ledger
  4  stored content is missing or damaged`,
  },
});
