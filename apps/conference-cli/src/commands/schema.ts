import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { SchemaFlags } from '../verbs/schema.ts';

export const schemaCommand = buildCommand<SchemaFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/schema.ts')).schema),
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Name of a schema; without one the names are listed',
          placeholder: 'name',
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: 'The JSON Schemas of charters, packets, events and receipts',
    fullDescription: `Prints a JSON Schema 2020-12, or the names of all.

EXAMPLES
  conference schema
  conference schema packet.researcher > packet.schema.json

EXIT CODE
  0  printed
  2  there is no schema of that name`,
  },
});
