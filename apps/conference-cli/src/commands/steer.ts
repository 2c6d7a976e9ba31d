import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { folderArgument, jsonFlag, lockWaitFlag, requiredFolderArgument } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { StepFlags } from '../stepwise/with-chair.ts';
import type { CancelFlags } from '../verbs/steer.ts';

export const expireCommand = buildCommand<StepFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/steer.ts')).expire),
  parameters: {
    flags: { json: jsonFlag, lockWait: lockWaitFlag },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Time out what is overdue',
    fullDescription: `Every writing verb does this first; expire does nothing else.

EXAMPLES
  conference expire out

EXIT CODE
  0  done, or nothing was overdue`,
  },
});

export const decideCommand = buildCommand<StepFlags, [string, string, string], CliContext>({
  loader: lazily(async () => (await import('../verbs/decide.ts')).decide),
  parameters: {
    flags: { json: jsonFlag, lockWait: lockWaitFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        requiredFolderArgument,
        { parse: String, brief: 'The decision, as next and status name it', placeholder: 'decision' },
        { parse: String, brief: 'One of its options', placeholder: 'option' },
      ],
    },
  },
  docs: {
    brief: 'Answer a pending decision, or a recovery proposal',
    fullDescription: `No option is a default: nothing moves before an answer. While a run holds the folder, it carries the answer out.

EXAMPLES
  conference decide out 01J… redispatch

EXIT CODE
  0  decided
  2  there is no such decision or option; the ones there are are named
  4  decided, and the conference is BLOCKED, or stays so; the code is in the output`,
  },
});

export const cancelCommand = buildCommand<CancelFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/steer.ts')).cancel),
  parameters: {
    flags: {
      json: jsonFlag,
      reason: { kind: 'parsed', parse: String, brief: 'Why, for the record', placeholder: 'text' },
      lockWait: lockWaitFlag,
    },
    positional: { kind: 'tuple', parameters: [folderArgument] },
  },
  docs: {
    brief: 'Cancel a conference: open dispatches end, unreviewed packets are discarded',
    fullDescription: `EXAMPLES
  conference cancel out --reason 'not needed any more'

EXIT CODE
  0  cancelled
  2  the conference has ended already`,
  },
});
