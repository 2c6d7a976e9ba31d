import { findPeer, sendCancel } from '@x/coms-envelope/node';
import type { CliContext } from '../context.ts';
import { resolveIdentity } from '../identity.ts';
import { asPending } from '../records.ts';
import { reportProblem } from '../report.ts';
import { findSpool, readSpool, removeSpool, writeSpool } from '../spool.ts';

export interface CancelFlags {
  readonly project?: string;
  readonly name?: string;
  readonly json: boolean;
}

/** `coms cancel <msg_id>`: tells the peer to drop the prompt, and ends whoever waits for its response here. */
export async function cancel(context: CliContext, flags: CancelFlags, msgId: string): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const place = findSpool(identity, ['pending'], msgId);
  const found = place === null ? null : readSpool(place, 'pending', msgId);
  const pending = found?.ok === true ? asPending(found.record) : null;
  if (place === null || pending === null) {
    const message = `no message ${msgId} is waiting for a reply`;
    return reportProblem(context, flags.json, { code: 'NOT_PENDING', message });
  }
  const { to, from } = pending;
  const current = await findPeer(identity.coms, to.project, to.name);
  const endpoint = current.ok ? current.peer.entry.endpoint : to.endpoint;
  const sent = await sendCancel(identity.coms, { endpoint, from, to: to.name, promptMsgId: msgId });
  if (!sent.ok && sent.code !== 'PEER_DEAD') {
    return reportProblem(context, flags.json, {
      code: sent.code,
      message: `${to.name} did not take the cancel: ${sent.message}`,
    });
  }
  const timestamp = new Date().toISOString();
  const recorded = readSpool(place, 'responses', msgId);
  if (!recorded.ok && recorded.absent) {
    const record = {
      type: 'response',
      msg_id: msgId,
      response: null,
      error: 'cancelled by the sender',
      timestamp,
    };
    writeSpool(place, 'responses', record);
  }
  removeSpool(place, 'pending', msgId);
  context.err(sent.ok ? `coms: ${to.name} was told` : `coms: ${to.name} is gone; the wait for it was ended`);
  if (flags.json) context.out(`${JSON.stringify({ ok: true, msg_id: msgId, told: sent.ok })}\n`);
}
