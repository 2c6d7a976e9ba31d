import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { nameFlag, parseText, projectFlag } from '../flags.ts';
import type { ServeFlags } from '../verbs/serve.ts';

const textFlag = { kind: 'parsed', parse: parseText, optional: true, placeholder: 'text' } as const;

export const serveCommand = buildCommand<ServeFlags, [], CliContext>({
  loader: lazily(async () => (await import('../verbs/serve.ts')).serve),
  parameters: {
    flags: {
      name: nameFlag,
      project: projectFlag,
      purpose: { ...textFlag, brief: 'What this peer is for, as lists show it' },
      model: { ...textFlag, brief: 'Which model answers' },
      color: { ...textFlag, brief: 'Colour in which tools show this peer' },
      explicit: { kind: 'boolean', brief: 'Hide from lists', default: false, withNegated: false },
      suffix: {
        kind: 'boolean',
        default: true,
        brief: 'Take name2, name3, ... where the name is taken; --no-suffix refuses, naming the holder',
      },
    },
  },
  docs: {
    brief: 'Be a peer: prompts out and replies in as JSON lines',
    fullDescription: `Makes any program a peer. Each prompt is one line on stdout, the envelope as JSON; so is a cancel of an open prompt. Each line on stdin is a reply:

  {"msg_id":"<of the prompt>","response":<any JSON>}
  {"msg_id":"<of the prompt>","error":"<why there is no answer>"}

A prompt may also be answered by "coms reply" from another terminal. It is on disk before it is acknowledged; one that was open when this process ended is printed again at its next start, while its asker still waits. Ends by SIGINT or SIGTERM; when stdin ends, prompts are still printed.

EXAMPLES
  coms serve --name helper --purpose "answers by hand"
  coms serve --name echo | jq -c --unbuffered '{msg_id, response: .prompt}' | ...
  coms serve --name solo --no-suffix < replies.fifo > prompts.jsonl

EXIT CODE
  0  ended by a signal
  1  it could not start: name taken (--no-suffix), folder not safe, socket path too long`,
  },
});
