import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { inboundArgument, jsonFlag, nameFlag, parseText, projectFlag } from '../flags.ts';
import type { ReplyFlags } from '../verbs/reply.ts';

export const replyCommand = buildCommand<ReplyFlags, [string, ...string[]], CliContext>({
  loader: lazily(async () => (await import('../verbs/reply.ts')).reply),
  parameters: {
    flags: {
      error: {
        kind: 'boolean',
        brief: 'The text says why there is no answer',
        default: false,
        withNegated: false,
      },
      project: projectFlag,
      name: nameFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'array',
      parameter: {
        ...inboundArgument,
        parse: parseText,
        brief: 'The id of the prompt, then the text',
        placeholder: 'msg_id-and-text',
      },
      minimum: 1,
    },
  },
  docs: {
    brief: 'Answer a prompt that came in',
    customUsage: [
      { input: '<msg_id> <text>...', brief: 'The words are the answer' },
      { input: '<msg_id>', brief: 'Stdin is the answer' },
    ],
    fullDescription: `Answers a prompt that "coms serve", or a "coms send" that was waiting, received. Without text the answer is read from stdin, without its last line feed. An asker that was restarted is found again by name, project and folder.

EXAMPLES
  coms reply 01J8ZQ4T9V3M5N7P9R1S3T5V7X "Start with the parser"
  make test 2>&1 | coms reply 01J8ZQ4T9V3M5N7P9R1S3T5V7X
  coms reply 01J8ZQ4T9V3M5N7P9R1S3T5V7X --error "not my module"

EXIT CODE
  0  the asker acknowledged the answer
  1  no such prompt is open, or the asker could not be reached (the prompt stays open)`,
  },
});
