/**
 * Envelopes that are sent without waiting for anything but their ack: responses, cancels and pings.
 */
import { ulid } from 'ulid';
import type { OutgoingResponse, Pong, Prompt } from '../envelope.ts';
import type { Coms } from './coms-folder.ts';
import { send, type SendFailure, type SendOptions, type SendOutcome } from './send.ts';

/** An answer, or an error with `response: null`. `response` is any JSON value. */
export type ResponseBody = { readonly response: unknown } | { readonly error: string };

/** The session and endpoint that an answer names as its own. */
export interface SenderOfResponse {
  readonly sessionId: string;
  readonly endpoint: string;
}

/** The response envelope to a prompt; the same input and `now` give the same bytes. */
export function responseTo(
  prompt: Prompt,
  body: ResponseBody,
  { sender, now }: { sender: SenderOfResponse; now: Date },
): OutgoingResponse {
  return {
    type: 'response',
    msg_id: prompt.msg_id,
    sender_session: sender.sessionId,
    sender_endpoint: sender.endpoint,
    hops: prompt.hops,
    timestamp: now.toISOString(),
    ...('error' in body ? { response: null, error: body.error } : { response: body.response }),
  };
}

/** Answers a prompt at its `sender_endpoint`, or at `to` where the sender has moved (04 Wire). Never rejects. */
export function sendResponse(
  coms: Coms,
  { prompt, body, sender }: { prompt: Prompt; body: ResponseBody; sender: SenderOfResponse },
  options: SendOptions & { readonly to?: string } = {},
): Promise<SendOutcome> {
  const envelope = responseTo(prompt, body, { sender, now: new Date() });
  return send(coms, { endpoint: options.to ?? prompt.sender_endpoint, envelope }, options);
}

/** Asks a peer to drop a prompt (source 004 "Cancel semantics"). `from` and `to` are names. Never rejects. */
export function sendCancel(
  coms: Coms,
  cancel: {
    readonly endpoint: string;
    readonly from: string;
    readonly to: string;
    readonly promptMsgId: string;
  },
  options: SendOptions = {},
): Promise<SendOutcome> {
  const { endpoint, from, to, promptMsgId } = cancel;
  const created_at = new Date().toISOString();
  const envelope = { type: 'cancel', msg_id: ulid(), from, to, created_at, ref_msg_id: promptMsgId } as const;
  return send(coms, { endpoint, envelope }, options);
}

export type PingOutcome = { readonly ok: true; readonly pong: Pong } | SendFailure;

/** Asks a peer for its agent card. Never rejects. */
export async function ping(coms: Coms, endpoint: string, options: SendOptions = {}): Promise<PingOutcome> {
  const outcome = await send(coms, { endpoint, envelope: { type: 'ping', msg_id: ulid() } }, options);
  if (!outcome.ok) return outcome;
  if (outcome.reply.type === 'pong') return { ok: true, pong: outcome.reply };
  return { ok: false, code: 'BAD_ANSWER', sent: 'maybe', message: 'the peer answered a ping with an ack' };
}
