import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import {
  colorFlag,
  fileArgument,
  grantFlags,
  jsonFlag,
  lockWaitFlag,
  parseSlots,
  passEnvFlag,
} from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { RunFlags } from '../verbs/run.ts';

export const runCommand = buildCommand<RunFlags, [string?], CliContext>({
  loader: lazily(async () => (await import('../verbs/run.ts')).run),
  parameters: {
    flags: {
      json: jsonFlag,
      ndjson: {
        kind: 'boolean',
        brief: 'One event a line, the final document last',
        withNegated: false,
        default: false,
      },
      host: {
        kind: 'parsed',
        parse: String,
        brief: 'What starts children: exec:<command> or replay:<folder>',
        placeholder: 'host',
      },
      slots: {
        kind: 'parsed',
        parse: parseSlots,
        default: '1',
        brief: 'Children at once (exec, replay from files)',
        placeholder: 'n',
      },
      confirm: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'Confirm the plan with this digest',
        placeholder: 'digest',
      },
      resume: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'Go on with the interrupted conference in this folder',
        placeholder: 'dir',
      },
      accept: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'With --resume: accept the recovery receipt with this digest',
        placeholder: 'digest',
      },
      at: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'With --accept: the receipt was printed by "recover --at" for this time',
        placeholder: 'time',
      },
      ...grantFlags,
      passEnv: passEnvFlag,
      lockWait: lockWaitFlag,
      color: colorFlag,
    },
    positional: { kind: 'tuple', parameters: [fileArgument] },
  },
  docs: {
    brief: 'Run a conference in the foreground, from the plan to the report',
    fullDescription: `Gate, confirmation, rounds, review, convergence, synthesis, report. At a terminal it shows lanes, phases, budget and the best metric as they are recorded; in a pipe it prints a line an event.

Without --write-to or --grant nothing touches the disk: the report comes back on stdout and an interruption loses everything.

HOSTS
  exec:<command>    started once for each child, without a shell: charter as JSON on stdin and in the file that CONFERENCE_CHARTER names, packet on stdout, exit code other than 0 is a failure. Words that start with ./ or ../ are resolved against this folder.
  replay:<folder>   packets of an earlier conference folder, or files r<N>-<lane|poster|review|synthesis>[-<attempt>].json

EXAMPLES
  conference run --host exec:./lane.mjs --slots 4 --write-to out
  conference run conference.md --host 'exec:python3 ./child.py' --confirm sha256:… --write-to out --ndjson
  conference run --resume out --host exec:./lane.mjs --accept sha256:…
  conference run conference.md --host replay:out --confirm sha256:… --write-to again

EXIT CODE
  0    done
  1    stopped by SIGTERM or SIGHUP, or by a failing disk; what is recorded stands
  2    wrong usage or input, PLAN_DIGEST_MISMATCH
  3    you are asked: a missing value, the confirmation, a pending decision
  4    BLOCKED, the code is in the output
  6    stopped by budget without reviewed evidence
  130  cancelled`,
  },
});
