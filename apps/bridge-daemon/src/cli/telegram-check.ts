/** Reads flags and environment, looks, and prints. 0: all good, 1: something is wrong, 2: the command line is wrong. */
import { openOperationalLog } from '../log/operational-log.ts';
import { failed, type Finding } from '../telegram-check/finding.ts';
import { look, type CheckReport, type CheckRequest } from '../telegram-check/look.ts';
import { reportLines } from '../telegram-check/report-lines.ts';
import { createTelegramClient } from '../transport/telegram/api-client.ts';
import { redactorOf, type Redact } from '../transport/telegram/redact.ts';
import { parseAllowed, parseApiRoot, parseTarget } from '../transport/telegram/telegram-target.ts';
import { holdToken, lockFolder, type TokenHold } from '../transport/telegram/token-lock.ts';
import { takeToken } from '../transport/telegram/telegram-token.ts';
import type { CliContext } from './context.ts';
import { exitCodes } from './exit-code.ts';
import type { TelegramCheckFlags } from './telegram-check-command.ts';

type Read =
  | { readonly code: 'request'; readonly request: CheckRequest }
  | { readonly code: 'usage'; readonly messages: readonly string[] };

const readFlags = (flags: TelegramCheckFlags): Read => {
  const users = flags.allowUser ?? [];
  const target = flags.to === undefined ? null : parseTarget(flags.to);
  const allowed = users.length === 0 ? null : parseAllowed(users);
  const messages = [target, allowed].flatMap((parsed) =>
    parsed?.code === 'refused' ? [parsed.message] : [],
  );
  if (target === null && flags.send)
    messages.push('--send needs the chat to send to: add --to telegram:<chat>');
  if (target === null && users.length > 0)
    messages.push('--allow-user needs the chat to look in: add --to telegram:<chat>');
  if (messages.length > 0) return { code: 'usage', messages };
  return {
    code: 'request',
    request: {
      target: target?.code === 'value' ? target.value : null,
      allowed: allowed?.code === 'value' ? allowed.value : new Set(),
      deleteWebhook: flags.deleteWebhook,
      send: flags.send,
    },
  };
};

const unread = (finding: Finding): Checked => ({
  report: { bot: null, findings: [finding], chats: null },
  redact: (text) => text,
});

const hold = (token: string): Promise<TokenHold> =>
  holdToken({
    token,
    holder: {
      pid: process.pid,
      name: 'telegram-check',
      project: 'default',
      since: new Date().toISOString(),
    },
    folder: lockFolder(),
  });

interface Checked {
  readonly report: CheckReport;
  readonly redact: Redact;
}

const check = async (env: NodeJS.ProcessEnv, request: CheckRequest): Promise<Checked> => {
  const read = takeToken(env);
  const root = parseApiRoot(env['TELEGRAM_API_ROOT']);
  if (root.code === 'refused') return unread(failed('address', root.message, 'mend it, or unset it'));
  if (read.code === 'refused')
    return unread(
      failed('token', read.message, 'the setup guide, docs/telegram-setup.md, says how to get one'),
    );
  const redact = redactorOf(read.token);
  const client = createTelegramClient({
    token: read.token,
    apiRoot: root.value,
    redact,
    log: openOperationalLog('silent'),
  });
  return { report: await look({ client, hold: () => hold(read.token), request }), redact };
};

export const telegramCheck = async (context: CliContext, flags: TelegramCheckFlags): Promise<void> => {
  const { node } = context;
  const read = readFlags(flags);
  if (read.code === 'usage') {
    for (const message of read.messages) node.stderr.write(`bridge-daemon: ${message}\n`);
    node.exitCode = exitCodes.usage;
    return;
  }
  const { report, redact } = await check(node.env, read.request);
  const good = report.findings.every(({ state }) => state !== 'failed');
  const { bot, findings, chats } = report;
  const text = flags.json
    ? JSON.stringify({ ok: good, bot, findings, chats })
    : reportLines(report).join('\n');
  // Nothing in it should hold the token; what a server says is not for us to trust.
  node.stdout.write(`${redact(text)}\n`);
  node.exitCode = good ? exitCodes.done : exitCodes.failed;
};
