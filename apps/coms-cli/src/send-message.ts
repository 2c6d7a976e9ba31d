/**
 * What `send` and `ask` share: find the peer, then wait here, or leave a waiter behind.
 */
import { findPeer, type PromptBody } from '@x/coms-envelope/node';
import { ulid } from 'ulid';
import type { CliContext } from './context.ts';
import { converse } from './conversation.ts';
import { resolveIdentity } from './identity.ts';
import { reportFailure, reportProblem, reportResponse, type Report } from './report.ts';
import { untilSignal } from './signals.ts';
import { startWaiter } from './waiter.ts';

export interface MessageFlags {
  readonly project?: string;
  readonly name?: string;
  readonly timeout?: number;
  readonly msgId?: string;
  readonly await: boolean;
  readonly json: boolean;
}

export interface Message {
  readonly peer: string;
  readonly text: string;
  readonly hops?: number;
  readonly show: (value: unknown) => string;
}

export async function sendMessage(context: CliContext, flags: MessageFlags, message: Message): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const { peer, text, hops, show } = message;
  const found = await findPeer(identity.coms, identity.project, peer);
  if (!found.ok) return reportProblem(context, flags.json, found);
  const msgId = flags.msgId ?? ulid();
  const timeoutMs = flags.timeout ?? identity.coms.replyTimeoutMs;
  const body: PromptBody = { prompt: text, msgId, ...(hops === undefined ? {} : { hops }) };
  const report: Report = { context, json: flags.json, msgId, peer };
  if (!flags.await) {
    const { project, name } = identity;
    const left = await startWaiter({ project, name, peer, body: { ...body, msgId }, timeoutMs });
    if (!left.ok) return reportFailure(report, left);
    context.err(`coms: ${peer} took the message; read the reply with: coms await ${msgId}`);
    context.out(flags.json ? `${JSON.stringify({ ok: true, msg_id: msgId, to: peer })}\n` : `${msgId}\n`);
    return;
  }
  const { signal, done } = untilSignal(context);
  const outcome = await converse({
    identity,
    to: found.peer,
    body,
    timeoutMs,
    signal,
    onAck: () => context.err(`coms: ${peer} took the message ${msgId}; waiting for the reply`),
    note: context.err,
  });
  if (outcome.ok) reportResponse(report, outcome.response, show);
  else reportFailure(report, outcome);
  done();
}
