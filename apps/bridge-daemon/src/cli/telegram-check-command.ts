/** `bridge-daemon telegram-check`: are token, chat and rights as the transport telegram needs them? */
import { buildCommand } from '@stricli/core';
import type { CliContext } from './context.ts';
import { parseFilled } from './flag-values.ts';

export interface TelegramCheckFlags {
  readonly to?: string;
  readonly allowUser?: readonly string[];
  readonly deleteWebhook: boolean;
  readonly send: boolean;
  readonly json: boolean;
}

export const telegramCheckCommand = buildCommand<TelegramCheckFlags, [], CliContext>({
  loader: async () => {
    const { telegramCheck } = await import('./telegram-check.ts');
    return function start(this: CliContext, flags) {
      return telegramCheck(this, flags);
    };
  },
  parameters: {
    flags: {
      to: {
        kind: 'parsed',
        parse: parseFilled,
        optional: true,
        brief:
          'Chat to look at, telegram:<chat>[:<topic>]; without it, those who wrote to the bot are listed',
        placeholder: 'target',
      },
      allowUser: {
        kind: 'parsed',
        parse: parseFilled,
        variadic: true,
        optional: true,
        brief: 'User to look at in that chat; may be repeated',
        placeholder: 'id',
      },
      deleteWebhook: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Remove a webhook, keeping what waits',
      },
      send: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Send one test message to the chat',
      },
      json: { kind: 'boolean', default: false, withNegated: false, brief: 'Print one JSON object' },
    },
  },
  docs: { brief: 'Check token, chat and rights of the transport telegram' },
});
