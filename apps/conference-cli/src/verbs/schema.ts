/** `conference schema [NAME]`: the JSON Schemas of everything that crosses a border. */
import { jsonSchema, jsonSchemaNames } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { fail, print, usage } from '../output.ts';

export interface SchemaFlags {
  readonly json: boolean;
}

export function schema(context: CliContext, flags: SchemaFlags, name?: string): void {
  if (name === undefined) {
    const names = jsonSchemaNames();
    return print(context, flags, { document: names, words: () => names.map((one) => `${one}\n`).join('') });
  }
  const found = jsonSchema(name);
  if (found === null) {
    return fail(
      context,
      flags,
      usage(
        'UNKNOWN_SCHEMA',
        `there is no schema ${JSON.stringify(name)}; accepted are ${jsonSchemaNames().join(', ')}`,
      ),
    );
  }
  context.out(`${JSON.stringify(found, null, flags.json ? undefined : 2)}\n`);
}
