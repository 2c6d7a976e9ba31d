import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import {
  jsonFlag,
  msgIdFlag,
  nameFlag,
  parseText,
  projectFlag,
  proposePeers,
  timeoutFlag,
} from '../flags.ts';
import type { AskFlags } from '../verbs/ask.ts';

export const askCommand = buildCommand<AskFlags, string[], CliContext>({
  loader: lazily(async () => (await import('../verbs/ask.ts')).ask),
  parameters: {
    flags: {
      option: {
        kind: 'parsed',
        parse: parseText,
        variadic: true,
        optional: true,
        brief: 'One answer to choose from; repeat for more',
        placeholder: 'title',
      },
      context: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        brief: 'What the person should know to answer',
        placeholder: 'text',
      },
      await: {
        kind: 'boolean',
        default: true,
        brief: 'Wait here for the answer; --no-await leaves a process that waits',
      },
      timeout: timeoutFlag,
      to: {
        kind: 'parsed',
        parse: parseText,
        proposeCompletions: proposePeers,
        default: 'user-remote',
        brief: 'Peer that passes the question on',
        placeholder: 'peer',
      },
      project: projectFlag,
      name: nameFlag,
      msgId: msgIdFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'array',
      parameter: { parse: parseText, brief: 'The question', placeholder: 'question' },
      minimum: 1,
    },
  },
  docs: {
    brief: 'Ask a person a question',
    fullDescription: `Asks the person behind the peer user-remote (the bridge daemon), and prints the answer: the title of the option that was chosen, or what was typed.

EXAMPLES
  coms ask "Deploy now?" --option yes --option no
  coms ask "Which name?" --context "The old one is taken" --timeout 600000
  id=$(coms ask "Deploy now?" --no-await); coms await "$id"

EXIT CODE
  as of "coms send"`,
  },
});
