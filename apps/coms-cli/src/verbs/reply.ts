import type { ResponseBody } from '@x/coms-envelope/node';
import type { CliContext } from '../context.ts';
import { deliverReply } from '../deliver-reply.ts';
import { exitCode } from '../exit-code.ts';
import { resolveIdentity } from '../identity.ts';
import { reportProblem } from '../report.ts';
import { findSpool } from '../spool.ts';
import { readStdin } from '../stdin.ts';

export interface ReplyFlags {
  readonly project?: string;
  readonly name?: string;
  readonly error: boolean;
  readonly json: boolean;
}

/** The words, or stdin without its last line feed. */
async function replyText(context: CliContext, words: readonly string[]): Promise<string | null> {
  if (words.length > 0) return words.join(' ');
  if (context.node.stdin.isTTY) context.err('coms: type the reply, then Ctrl-D');
  const read = await readStdin(context.node.stdin);
  if (read.ok) return read.text.replace(/\r?\n$/, '');
  context.err(`coms: ${read.message}`);
  return null;
}

/** `coms reply <msg_id> [text…]`: answers a prompt that `serve` or a waiting `send` received. */
export async function reply(
  context: CliContext,
  flags: ReplyFlags,
  msgId: string,
  ...words: string[]
): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const place = findSpool(identity, ['inbound'], msgId);
  if (place === null) {
    const message = `no prompt ${msgId} is open (answered already, or never received)`;
    return reportProblem(context, flags.json, { code: 'NOT_OPEN', message });
  }
  const text = await replyText(context, words);
  if (text === null) return context.exit(exitCode.failed);
  const body: ResponseBody = flags.error ? { error: text } : { response: text };
  const outcome = await deliverReply(place, msgId, body);
  if (!outcome.ok) return reportProblem(context, flags.json, outcome);
  context.err(`coms: ${outcome.record.sender.name || 'the asker'} took the reply`);
  if (flags.json) context.out(`${JSON.stringify({ ok: true, msg_id: msgId })}\n`);
}
