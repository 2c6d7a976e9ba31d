/**
 * The waiter that `send` leaves behind (see `waiter.ts`). Not for people: it reads its job from stdin.
 */
import type { Response } from '@x/coms-envelope';
import { findPeer } from '@x/coms-envelope/node';
import type { CliContext } from '../context.ts';
import { converse, type ConversationOutcome } from '../conversation.ts';
import { exitCode } from '../exit-code.ts';
import { resolveIdentity, type Identity } from '../identity.ts';
import { untilSignal } from '../signals.ts';
import { readSpool, writeSpool } from '../spool.ts';
import { readStdin } from '../stdin.ts';
import { waiterJobSchema, type WaiterJob, type WaiterStarted } from '../waiter.ts';

function readJob(text: string): WaiterJob | null {
  try {
    const checked = waiterJobSchema.safeParse(JSON.parse(text));
    return checked.success ? checked.data : null;
  } catch {
    return null;
  }
}

/** Why no response came, as one: whoever awaits this message then learns it. `ended_as` is the outcome's code. */
function endRecord(msgId: string, outcome: Extract<ConversationOutcome, { ok: false }>): Response {
  const error =
    outcome.code === 'ABORTED' ? 'the waiting process was stopped before a reply came' : outcome.message;
  const timestamp = new Date().toISOString();
  return { type: 'response', msg_id: msgId, response: null, error, timestamp, ended_as: outcome.code };
}

async function runJob(job: WaiterJob, identity: Identity, context: CliContext): Promise<void> {
  let reported = false;
  const report = (started: WaiterStarted): void => {
    if (reported) return;
    reported = true;
    context.node.stdout.end(`${JSON.stringify(started)}\n`);
  };
  const { body, timeoutMs } = job;
  const found = await findPeer(identity.coms, identity.project, job.peer);
  if (!found.ok) return report(found);
  const { signal, done } = untilSignal(context);
  const outcome = await converse({
    identity,
    to: found.peer,
    body: {
      prompt: body.prompt,
      msgId: body.msgId,
      ...(body.hops === undefined ? {} : { hops: body.hops }),
    },
    timeoutMs,
    signal,
    onAck: () => report({ ok: true }),
    note: () => undefined,
  });
  const acked = reported;
  if (!outcome.ok) {
    report({ ok: false, code: outcome.code, message: outcome.message });
    const recorded = readSpool(identity, 'responses', body.msgId);
    if (acked && !recorded.ok && recorded.absent)
      writeSpool(identity, 'responses', endRecord(body.msgId, outcome));
  }
  done();
}

export async function wait(context: CliContext): Promise<void> {
  const text = await readStdin(context.node.stdin);
  const job = text.ok ? readJob(text.text) : null;
  if (job === null) {
    context.err('coms: the waiter takes its job from `coms send`; it is not called by hand');
    return context.exit(exitCode.usage);
  }
  const identity = resolveIdentity(context, job);
  if (identity !== null) await runJob(job, identity, context);
}
