import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily, type NoFlags } from '../lazily.ts';

export const waitCommand = buildCommand<NoFlags, [], CliContext>({
  loader: lazily(async () => (await import('../verbs/wait.ts')).wait),
  parameters: { flags: {} },
  docs: { brief: 'The process that `coms send` leaves behind; reads its job from stdin' },
});
