/** `bridge-daemon status`: asks the running daemon how it is. */
import { buildCommand } from '@stricli/core';
import type { CliContext } from './context.ts';
import { nameFlag, projectFlag } from './run-command.ts';

export interface StatusFlags {
  readonly name: string;
  readonly project: string;
  readonly json: boolean;
}

export const statusCommand = buildCommand<StatusFlags, [], CliContext>({
  loader: async () => {
    const { status } = await import('./status.ts');
    return function start(this: CliContext, flags) {
      return status(this, flags);
    };
  },
  parameters: {
    flags: {
      name: nameFlag,
      project: projectFlag,
      json: { kind: 'boolean', default: false, withNegated: false, brief: 'Print one JSON object' },
    },
  },
  docs: { brief: 'Tell how a running bridge is' },
});
