import { setTimeout as sleep } from 'node:timers/promises';
import { responseError } from '@x/coms-envelope';
import { judgeEndpoint, probe } from '@x/coms-envelope/node';
import type { CliContext } from '../context.ts';
import type { ConversationOutcome } from '../conversation.ts';
import { resolveIdentity } from '../identity.ts';
import { asPending, asResponse } from '../records.ts';
import { reportFailure, reportProblem, reportResponse, responseText } from '../report.ts';
import { findSpool, readSpool, type SpoolPlace } from '../spool.ts';

export interface AwaitFlags {
  readonly project?: string;
  readonly name?: string;
  readonly timeout?: number;
  readonly json: boolean;
}

const pollMs = 50;
/** How often the waiting process is looked at, while its record stands. */
const waiterCheckMs = 1_000;
const probeTimeoutMs = 1_000;

type Waited =
  | ConversationOutcome
  | { readonly ok: false; readonly code: 'NOT_PENDING'; readonly message: string };

function recorded(place: SpoolPlace, msgId: string): ConversationOutcome | null {
  const found = readSpool(place, 'responses', msgId);
  const response = found.ok ? asResponse(found.record) : null;
  if (response === null) return null;
  const message = responseError(response);
  if (message !== undefined && response['ended_as'] === 'RESPONSE_TIMEOUT') {
    return { ok: false, code: 'RESPONSE_TIMEOUT', message };
  }
  return message === undefined
    ? { ok: true, response }
    : { ok: false, code: 'PEER_ERROR', message, response };
}

/** True while the process that waits for this message can still be answered. */
async function waiterAnswers(place: SpoolPlace, msgId: string): Promise<boolean> {
  const found = readSpool(place, 'pending', msgId);
  const pending = found.ok ? asPending(found.record) : null;
  if (pending === null) return false;
  const judged = judgeEndpoint(place.coms, pending.waiter.endpoint);
  return judged.ok && (await probe(judged.path, probeTimeoutMs)) === 'answers';
}

async function waitForRecord(
  place: SpoolPlace,
  msgId: string,
  timeoutMs: number | undefined,
): Promise<Waited> {
  const startedMs = performance.now();
  let checkedMs = -Infinity;
  for (;;) {
    const outcome = recorded(place, msgId);
    if (outcome !== null) return outcome;
    const nowMs = performance.now();
    if (timeoutMs !== undefined && nowMs - startedMs >= timeoutMs) {
      return { ok: false, code: 'RESPONSE_TIMEOUT', message: `timeout after ${timeoutMs}ms` };
    }
    if (nowMs - checkedMs >= waiterCheckMs) {
      checkedMs = nowMs;
      const alive = await waiterAnswers(place, msgId);
      // The waiter may have ended with a response between the two looks.
      const late = alive ? null : recorded(place, msgId);
      if (late !== null) return late;
      if (!alive) {
        const message = `nobody waits for ${msgId} any more (its process was killed); ask again under the same id with: coms send --msg-id ${msgId} …`;
        return { ok: false, code: 'NOT_PENDING', message };
      }
    }
    await sleep(pollMs);
  }
}

/** `coms await <msg_id>`: the reply to a message that was sent without `--await`. Reading it twice is fine. */
export async function awaitReply(context: CliContext, flags: AwaitFlags, msgId: string): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const place = findSpool(identity, ['responses', 'pending'], msgId);
  if (place === null) {
    const message = `no message ${msgId} was sent from here, or its reply was removed after 30 days`;
    return reportProblem(context, flags.json, { code: 'NOT_PENDING', message });
  }
  const outcome = await waitForRecord(place, msgId, flags.timeout);
  const report = { context, json: flags.json, msgId, peer: 'the peer' };
  if (outcome.ok) return reportResponse(report, outcome.response, responseText);
  if (outcome.code === 'NOT_PENDING') return reportProblem(context, flags.json, outcome);
  reportFailure(report, outcome);
}
