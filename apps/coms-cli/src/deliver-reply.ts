/**
 * Sends the answer to a prompt that is kept in `inbound/`, and removes it once the asker has acked.
 */
import {
  newestEndpoint,
  sendResponse,
  type Coms,
  type ResponseBody,
  type SendFailure,
  type SendOutcome,
} from '@x/coms-envelope/node';
import { asInbound, type InboundRecord } from './records.ts';
import { readSpool, removeSpool, type SpoolPlace } from './spool.ts';

export type ReplyOutcome =
  | { readonly ok: true; readonly record: InboundRecord }
  | { readonly ok: false; readonly code: 'NOT_OPEN'; readonly message: string }
  | SendFailure;

/** An asker that was restarted is registered under the same name, project and folder at another endpoint. */
async function sendToAsker(coms: Coms, record: InboundRecord, body: ResponseBody): Promise<SendOutcome> {
  const { prompt, received_by, sender } = record;
  const answer = {
    prompt,
    body,
    sender: { sessionId: received_by.session_id, endpoint: received_by.endpoint },
  };
  const first = await sendResponse(coms, answer);
  if (first.ok || first.code !== 'PEER_DEAD') return first;
  const newest = newestEndpoint(coms, sender);
  return newest === null || newest === prompt.sender_endpoint
    ? first
    : sendResponse(coms, answer, { to: newest });
}

/** Never rejects. A prompt whose asker did not ack stays open. */
export async function deliverReply(
  place: SpoolPlace,
  msgId: string,
  body: ResponseBody,
): Promise<ReplyOutcome> {
  const found = readSpool(place, 'inbound', msgId);
  const record = found.ok ? asInbound(found.record) : null;
  if (record === null) {
    return {
      ok: false,
      code: 'NOT_OPEN',
      message: `no prompt ${msgId} is open (answered already, or never received)`,
    };
  }
  const sent = await sendToAsker(place.coms, record, body);
  if (!sent.ok) return sent;
  removeSpool(place, 'inbound', msgId);
  return { ok: true, record };
}
