/**
 * Which answer each envelope gets (04 Wire).
 *
 * A1 The answerer never rejects: a handler that throws costs its envelope a nack and the program a fault.
 */
import type { Fault, Incoming } from '../envelope-reader.ts';
import type { AgentCard, Cancel, Envelope, Ping, Prompt, Reply, Response } from '../envelope.ts';
import type { Inbox, Verdict } from '../inbox.ts';
import type { Answer, Answerer } from './connection.ts';
import type { CardDetails, CardIdentity, PeerHandlers } from './handlers.ts';

export interface AnswererParts {
  /** Asked at each ping: the name is known only once it has been claimed. */
  readonly identity: () => CardIdentity;
  readonly handlers: PeerHandlers;
  readonly hopsMax: number;
  readonly inbox: Inbox;
  /** Gives a response to the request that waits for it, or null where none does. */
  readonly toRequest: (response: Response) => Promise<Verdict> | null;
}

const refused = (error: string): Verdict => ({ ok: false, error });

function verdictReply(msgId: string, verdict: Verdict): Reply {
  return verdict.ok ? { type: 'ack', msg_id: msgId } : { type: 'nack', msg_id: msgId, error: verdict.error };
}

/** The living part of the card; a card that cannot be made costs no pong. */
export function cardDetails(handlers: PeerHandlers): CardDetails {
  try {
    return handlers.card?.() ?? {};
  } catch (cause) {
    handlers.fault?.({ code: 'HANDLER_FAILED', message: 'the card handler threw', cause });
    return {};
  }
}

async function judge(
  type: Envelope['type'],
  parts: AnswererParts,
  run: () => Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await run();
  } catch (cause) {
    parts.handlers.fault?.({ code: 'HANDLER_FAILED', message: `the ${type} handler threw`, cause });
    return refused('internal error');
  }
}

async function judgePrompt(prompt: Prompt, parts: AnswererParts): Promise<Verdict> {
  const { handlers, hopsMax } = parts;
  if (prompt.hops > hopsMax) return refused(`hops ${prompt.hops} exceeds the maximum of ${hopsMax}`);
  const { prompt: handle } = handlers;
  if (handle === undefined) return refused('this peer takes no prompts');
  return judge('prompt', parts, async () => handle(prompt));
}

async function judgeResponse(response: Response, parts: AnswererParts): Promise<Verdict> {
  return judge('response', parts, () =>
    parts.inbox.take(response.msg_id, async () => {
      const waiting = parts.toRequest(response);
      if (waiting !== null) return waiting;
      return (
        parts.handlers.response?.(response) ?? refused(`no open prompt has the msg_id ${response.msg_id}`)
      );
    }),
  );
}

function pong(ping: Ping, parts: AnswererParts): Reply {
  const agent_card: AgentCard = {
    context_used_pct: 0,
    queue_depth: 0,
    ...cardDetails(parts.handlers),
    ...parts.identity(),
  };
  return { type: 'pong', msg_id: ping.msg_id, agent_card };
}

function cancelAnswer(cancel: Cancel, parts: AnswererParts): Answer {
  return {
    reply: { type: 'ack', msg_id: cancel.msg_id },
    afterwards: async () => {
      try {
        await parts.handlers.cancel?.(cancel);
      } catch (cause) {
        parts.handlers.fault?.({ code: 'HANDLER_FAILED', message: 'the cancel handler threw', cause });
      }
    },
  };
}

function faultReply(fault: Fault): Reply {
  return { type: 'nack', msg_id: fault.msgId, error: fault.error };
}

async function answerEnvelope(envelope: Envelope, parts: AnswererParts): Promise<Answer> {
  // The schema of each type has accepted the envelope, but `Prompt` and its siblings have index signatures that
  // keep TypeScript from narrowing by `type`.
  switch (envelope.type) {
    case 'prompt':
      return { reply: verdictReply(envelope.msg_id, await judgePrompt(envelope, parts)) };
    case 'response':
      return { reply: verdictReply(envelope.msg_id, await judgeResponse(envelope, parts)) };
    case 'cancel':
      return cancelAnswer(envelope, parts);
    case 'ping':
      return { reply: pong(envelope, parts) };
  }
}

export function createAnswerer(parts: AnswererParts): Answerer {
  return async (incoming: Incoming) =>
    incoming.kind === 'fault' ? { reply: faultReply(incoming) } : answerEnvelope(incoming.envelope, parts);
}
