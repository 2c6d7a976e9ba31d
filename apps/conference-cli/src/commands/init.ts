import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import { FIELD_FLAGS, LIST_FLAGS, parseFocus } from '../templates/flag-answers.ts';
import { TEMPLATE_NAMES } from '../templates/templates.ts';
import type { InitFlags } from '../verbs/init.ts';

const textFlag = { kind: 'parsed', parse: String, optional: true, placeholder: 'text' } as const;

/** One flag a field and list of the gate, each optional. */
const fieldFlags = Object.fromEntries([
  ...FIELD_FLAGS.map(({ flag, brief }) => [flag, { ...textFlag, brief }] as const),
  ...LIST_FLAGS.map(({ flag, brief }) => [flag, { ...textFlag, brief, variadic: true }] as const),
]);

const initFlags = {
  ...fieldFlags,
  focus: {
    ...textFlag,
    parse: parseFocus,
    brief: 'What one lane looks at, such as A=caching; may be repeated',
    placeholder: 'lane=text',
    variadic: true,
  },
  json: jsonFlag,
  force: {
    kind: 'boolean',
    brief: 'Write over a conference.md that is there',
    withNegated: false,
    default: false,
  },
  template: {
    kind: 'enum',
    values: TEMPLATE_NAMES,
    optional: true,
    brief: 'Start from a kind of conference',
  },
} as const;

/** One flag a field would fill the screen; the help of this verb lists them. */
const USAGE = `[--template ${TEMPLATE_NAMES.join('|')}] [--<field> text]... [--force] [--json] [<dir>]`;

const command = buildCommand<InitFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/init.ts')).init),
  parameters: {
    // Made from the table of fields, so that none is forgotten; the type cannot follow a table.
    flags: initFlags as never,
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Write a conference.md from answers, flags or a template',
    customUsage: [USAGE],
    fullDescription: `At a terminal it asks what the start gate needs. In a script give the values as flags; what is left out stands in the file as {…}, and "conference plan" lists it. A conference.md that is there is left alone unless --force is given.

TEMPLATES
  quick        two lanes, two short rounds, one number to move
  metric       three lanes, one contrarian, a number to move and a plateau to stop at
  qualitative  three lanes, one contrarian, scored by a reviewer against your criteria
  debate       a lane for, a lane against, a contrarian one
  survey       four lanes that each cover a part of a field

EXAMPLES
  conference init research
  conference init research --template metric --goal 'Halve the build time' --metric seconds --target '< 60s' --direction minimize
  conference init research --template debate --goal 'Should we split the service?'

EXIT CODE
  0    written
  1    the folder cannot be written in
  2    there is a conference.md already, or nothing says what to write
  130  left without writing`,
  },
});

export const initCommand: typeof command = {
  ...command,
  formatUsageLine: ({ prefix }) => `${prefix.join(' ')} ${USAGE}`,
};
