import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { jsonFlag, projectFlag } from '../flags.ts';
import type { ListFlags } from '../verbs/list.ts';

export const listCommand = buildCommand<ListFlags, [], CliContext>({
  loader: lazily(async () => (await import('../verbs/list.ts')).list),
  parameters: {
    flags: {
      project: { ...projectFlag, brief: 'Project to list, * for every one (COMS_CLI_PROJECT, else default)' },
      all: {
        kind: 'boolean',
        brief: 'Also peers that hide themselves (explicit)',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
  },
  docs: {
    brief: 'List the peers that are there',
    fullDescription: `Lists the live peers of a project: a peer is live with a heartbeat at most 90 seconds old, or a running process. Entries of dead ones are removed.
An entry that cannot be read, or that belongs to another user, is named on stderr and hides nobody else.

With --json: an array of registry entries, each with its project.

EXAMPLES
  coms list
  coms list --project docs --all
  coms list --project '*' --json | jq -r '.[].name'

EXIT CODE
  0  also when nobody is there
  1  the registry cannot be read or is not safe to use`,
  },
});
