/** How questions reach the person, from flags and environment. All that is wrong is said in one run. */
import type { Channel } from '../config.ts';
import { daemonLimits } from '../limits.ts';
import { parseAllowed, parseApiRoot, parseTarget } from '../transport/telegram/telegram-target.ts';
import { takeToken } from '../transport/telegram/telegram-token.ts';
import { runMsFromEnv } from './flag-values.ts';
import type { RunFlags } from './run-command.ts';

export type ChannelReading =
  | { readonly code: 'channel'; readonly channel: Channel }
  | { readonly code: 'refused'; readonly messages: readonly string[] };

type Environment = Record<string, string | undefined>;

const hermesChannel = (flags: RunFlags, env: Environment): ChannelReading => {
  if ((flags.allowUser ?? []).length > 0)
    return {
      code: 'refused',
      messages: [
        '--allow-user does nothing with transport hermes, whose gateway decides who may answer: leave it out',
      ],
    };
  const runMs = runMsFromEnv(env['HERMES_SEND_TIMEOUT_MS'], daemonLimits.transportRunMs);
  const profile = flags.hermesProfile ?? null;
  return { code: 'channel', channel: { transport: 'hermes', to: flags.to, profile, runMs } };
};

const telegramChannel = (flags: RunFlags, env: Environment): ChannelReading => {
  const target = parseTarget(flags.to);
  const allow = parseAllowed(flags.allowUser ?? []);
  const token = takeToken(env);
  const root = parseApiRoot(env['TELEGRAM_API_ROOT']);
  const messages = [target, allow, token, root].flatMap((read) =>
    read.code === 'refused' ? [read.message] : [],
  );
  if (flags.hermesProfile !== undefined)
    messages.push('--hermes-profile does nothing with transport telegram: leave it out');
  const complete =
    target.code === 'value' && allow.code === 'value' && token.code === 'token' && root.code === 'value';
  if (!complete || messages.length > 0) return { code: 'refused', messages };
  const settings = {
    token: token.token,
    apiRoot: root.value,
    target: target.value,
    allow: allow.value,
  };
  return { code: 'channel', channel: { transport: 'telegram', settings } };
};

/** Takes a bot token out of `env`, so that no child inherits it. Never throws. */
export const readChannel = (flags: RunFlags, env: Environment): ChannelReading =>
  flags.transport === 'hermes' ? hermesChannel(flags, env) : telegramChannel(flags, env);
