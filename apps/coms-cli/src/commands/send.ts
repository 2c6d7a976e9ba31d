import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import {
  jsonFlag,
  msgIdFlag,
  nameFlag,
  parseHops,
  peerArgument,
  projectFlag,
  timeoutFlag,
} from '../flags.ts';
import type { SendFlags } from '../verbs/send.ts';

export const sendCommand = buildCommand<SendFlags, [string, ...string[]], CliContext>({
  loader: lazily(async () => (await import('../verbs/send.ts')).send),
  parameters: {
    flags: {
      await: {
        kind: 'boolean',
        brief: 'Wait here for the reply and print it',
        default: false,
        withNegated: false,
      },
      timeout: timeoutFlag,
      project: projectFlag,
      name: nameFlag,
      msgId: msgIdFlag,
      hops: {
        kind: 'parsed',
        parse: parseHops,
        optional: true,
        brief: 'Hops of the prompt that is being worked on, plus one (0 where there is none)',
        placeholder: 'n',
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'array',
      parameter: { ...peerArgument, brief: 'The peer, then the text', placeholder: 'peer-and-text' },
      minimum: 2,
    },
  },
  docs: {
    brief: 'Send a prompt to a peer',
    customUsage: [
      {
        input: '<peer> <text>... --await [--timeout ms]',
        brief: 'Wait for the reply; it alone goes to stdout',
      },
      { input: '<peer> <text>...', brief: 'Print the message id and leave a process that waits' },
      { input: '<peer> - ', brief: 'Take the text from stdin' },
    ],
    fullDescription: `Sends a prompt to a peer. Exit code 0 means that the peer acknowledged it.

With --await the reply is printed on stdout, everything else on stderr. An error reply prints "peer error: ..." and a missing one "timeout after <ms>ms".
Without --await the message id is printed, and a process stays behind that keeps the reply for "coms await".
Words that start with a dash come after --.

EXAMPLES
  coms send planner --await "Which module first?"
  coms send planner --await --timeout 60000 "Summarise the diff" > summary.txt
  git diff | coms send reviewer --await -
  id=$(coms send builder "Run the tests"); coms await "$id"
  coms send planner --await -- --this is text--

EXIT CODE
  0  acknowledged (with --await: and answered)
  1  refused, not reachable, an error reply, or no reply in time
  2  the command line is wrong`,
  },
});
