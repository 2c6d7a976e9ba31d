/**
 * `coms serve`: any program becomes a peer. Prompts and cancels go out as JSON lines, replies come in as JSON lines.
 *
 * V1 A prompt is on the disk before it is printed, and printed before it is acked.
 * V2 A prompt that was not answered when the process ended is printed again at the next start, while its asker
 *    still waits.
 */
import { createLineReader, promptDetails, type Line, type Prompt } from '@x/coms-envelope';
import { listen, type Coms, type ListeningPeer, type ResponseBody } from '@x/coms-envelope/node';
import * as z from 'zod/mini';
import type { CliContext } from '../context.ts';
import { faultText, keepInbound } from '../conversation.ts';
import { deliverReply } from '../deliver-reply.ts';
import { exitCode } from '../exit-code.ts';
import { resolveIdentity } from '../identity.ts';
import { asInbound, type InboundRecord } from '../records.ts';
import { untilSignal } from '../signals.ts';
import { makeSpool, readSpool, removeSpool, spoolCount, spoolIds, type SpoolPlace } from '../spool.ts';

export interface ServeFlags {
  readonly name?: string;
  readonly project?: string;
  readonly purpose?: string;
  readonly model?: string;
  readonly color?: string;
  readonly explicit: boolean;
  readonly suffix: boolean;
}

/** Prompts open at once; one more is nacked, and its sender may try again. */
const openPromptsMax = 1_000;

const replySchema = z.looseObject({
  msg_id: z.string(),
  response: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.string())),
});

interface Served {
  readonly context: CliContext;
  readonly place: SpoolPlace;
}

function readReply(text: string): { msgId: string; body: ResponseBody } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const checked = replySchema.safeParse(value);
  if (!checked.success) return null;
  const { msg_id, response, error } = checked.data;
  if (typeof error === 'string') return { msgId: msg_id, body: { error } };
  return response === undefined ? null : { msgId: msg_id, body: { response } };
}

async function takeReply(line: Line, { context, place }: Served): Promise<void> {
  if (line.kind === 'line' && line.text.trim() === '') return;
  const reply = line.kind === 'line' ? readReply(line.text) : null;
  if (reply === null) {
    context.err(
      'coms: a line on stdin is no reply; expected {"msg_id":"…","response":…} or {"msg_id":"…","error":"…"}',
    );
    return;
  }
  const outcome = await deliverReply(place, reply.msgId, reply.body);
  if (!outcome.ok) context.err(`coms: the reply to ${reply.msgId} was not delivered: ${outcome.message}`);
}

/** Takes replies until stdin ends; the peer goes on without it. A line too long ends the reading of replies. */
async function takeReplies(served: Served): Promise<void> {
  const reader = createLineReader();
  const take = async (lines: Line[]): Promise<void> => {
    for (const line of lines) await takeReply(line, served);
  };
  // stdin is read as bytes here: nothing has set an encoding.
  for await (const chunk of served.context.node.stdin) await take(reader.push(Buffer.from(chunk as Buffer)));
  await take(reader.end());
}

/** A person at a terminal is told how to answer without writing JSON. */
function printPrompt(context: CliContext, prompt: Prompt): void {
  context.out(`${JSON.stringify(prompt)}\n`);
  if (context.node.stdout.isTTY) context.err(`coms: answer it with: coms reply ${prompt.msg_id} <text>`);
}

function isStillAwaited(record: InboundRecord, coms: Coms, now: number): boolean {
  const waitsMs = promptDetails(record.prompt).replyTimeoutMs ?? coms.replyTimeoutMs;
  return Date.parse(record.received_at) + waitsMs > now;
}

/** Prints again what an earlier process of this name left open (V2); drops what nobody waits for any more. */
function printOpen({ context, place }: Served, now: number): void {
  for (const msgId of spoolIds(place, 'inbound')) {
    const found = readSpool(place, 'inbound', msgId);
    const record = found.ok ? asInbound(found.record) : null;
    if (record === null) continue;
    if (isStillAwaited(record, place.coms, now)) printPrompt(context, record.prompt);
    else removeSpool(place, 'inbound', msgId);
  }
}

interface Started {
  readonly peer: ListeningPeer;
  readonly place: SpoolPlace;
}

/** Listens first, because the name that is got decides the spool folder; prompts that come before are told to wait. */
async function start(
  context: CliContext,
  flags: ServeFlags,
  at: { coms: Coms; project: string; name: string },
): Promise<Started | null> {
  const { coms, project } = at;
  let started: Started | null = null;
  const { purpose, model, color } = flags;
  const listening = await listen({
    coms,
    project,
    name: at.name,
    onTakenName: flags.suffix ? 'append' : 'refuse',
    explicit: flags.explicit,
    ...(purpose === undefined ? {} : { purpose }),
    ...(model === undefined ? {} : { model }),
    ...(color === undefined ? {} : { color }),
    handlers: {
      prompt: (prompt) => {
        if (started === null) return { ok: false, error: 'not ready yet' };
        const { place, peer } = started;
        if (spoolCount(place, 'inbound') >= openPromptsMax) {
          return { ok: false, error: `${openPromptsMax} prompts are open: try again later` };
        }
        const verdict = keepInbound(place, prompt, peer);
        if (verdict.isNew) printPrompt(context, prompt);
        return verdict;
      },
      cancel: (cancel) => {
        if (started === null || !readSpool(started.place, 'inbound', cancel.ref_msg_id).ok) return;
        removeSpool(started.place, 'inbound', cancel.ref_msg_id);
        context.out(`${JSON.stringify(cancel)}\n`);
      },
      card: () => ({ queue_depth: started === null ? 0 : spoolCount(started.place, 'inbound') }),
      fault: (fault) => context.err(`coms: ${faultText(fault)}`),
    },
  });
  if (!listening.ok) {
    context.err(`coms: ${listening.message}`);
    return null;
  }
  const place = { coms, project, name: listening.name };
  const problem = makeSpool(place);
  if (problem !== null) {
    context.err(`coms: ${problem}`);
    await listening.close();
    return null;
  }
  printOpen({ context, place }, Date.now());
  started = { peer: listening, place };
  return started;
}

export async function serve(context: CliContext, flags: ServeFlags): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const until = untilSignal(context);
  const started = await start(context, flags, identity);
  if (started === null) return context.exit(exitCode.failed);
  context.err(`coms: serving as ${started.peer.name} in project ${started.peer.project}`);
  void takeReplies({ context, place: started.place }).catch((error: unknown) => {
    context.err(
      `coms: no more replies can be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (!until.signal.aborted) {
    await new Promise<void>((resolve) => until.signal.addEventListener('abort', () => resolve()));
  }
  await started.peer.close();
  // Ended as asked: an open stdin must not hold the process.
  context.node.exit(exitCode.done);
}
