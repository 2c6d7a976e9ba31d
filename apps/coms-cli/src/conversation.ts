/**
 * One prompt and its response, with everything on disk that a second terminal, or a crash, may need.
 *
 * K1 The pending record is on disk before the prompt leaves; the response before it is acked.
 * K2 A response record written by somebody else (`coms cancel`) ends the wait.
 */
import { accepted, type OutgoingPrompt, type Prompt, type Response, type Verdict } from '@x/coms-envelope';
import {
  judgeEndpoint,
  listen,
  probe,
  senderOf,
  type PeerFault,
  type ListeningPeer,
  type Peer,
  type PromptBody,
  type RequestOutcome,
} from '@x/coms-envelope/node';
import type { Identity } from './identity.ts';
import {
  asInbound,
  asPending,
  asResponse,
  isSamePrompt,
  type InboundRecord,
  type PendingRecord,
} from './records.ts';
import { makeSpool, pruneResponses, readSpool, removeSpool, writeSpool, type SpoolPlace } from './spool.ts';

/** How often the spool is looked at for a response record that was not ours. */
const cancelPollMs = 250;
const waiterProbeMs = 1_000;

export interface ConversationOptions {
  readonly identity: Identity;
  readonly to: Peer;
  readonly body: PromptBody;
  /** How long a response is waited for, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called when the peer has acked the prompt. */
  readonly onAck: (prompt: OutgoingPrompt) => void;
  /** Told of things that concern nobody's answer, one line each. */
  readonly note: (line: string) => void;
}

export type ConversationOutcome =
  | RequestOutcome
  | { readonly ok: false; readonly code: 'NOT_STARTED'; readonly message: string };

/** Keeps a prompt that came to us, so that `coms reply` can answer it; the same prompt again is acked. */
export function keepInbound(
  place: SpoolPlace,
  prompt: Prompt,
  self: ListeningPeer,
): Verdict & { isNew: boolean } {
  const existing = readSpool(place, 'inbound', prompt.msg_id);
  const earlier = existing.ok ? asInbound(existing.record) : null;
  if (earlier !== null && !isSamePrompt(earlier.prompt, prompt)) {
    return { ok: false, error: `another prompt with the msg_id ${prompt.msg_id} is open`, isNew: false };
  }
  const record: InboundRecord = {
    msg_id: prompt.msg_id,
    received_at: earlier?.received_at ?? new Date().toISOString(),
    received_by: {
      name: self.name,
      project: self.project,
      session_id: self.sessionId,
      endpoint: self.endpoint,
    },
    sender: senderOf(place.coms, prompt, self.project),
    prompt,
  };
  // A repeat is written, too: an asker that was restarted listens at another endpoint now.
  writeSpool(place, 'inbound', record);
  return { ...accepted, isNew: earlier === null };
}

function keepResponse(place: SpoolPlace, response: Response): Verdict {
  const existing = readSpool(place, 'responses', response.msg_id);
  if (!existing.ok && existing.absent) writeSpool(place, 'responses', response);
  return accepted;
}

/** The response that somebody else recorded, or null. */
function recordedResponse(place: SpoolPlace, msgId: string): Response | null {
  const found = readSpool(place, 'responses', msgId);
  return found.ok ? asResponse(found.record) : null;
}

function pendingRecord(
  prompt: OutgoingPrompt,
  self: ListeningPeer,
  options: ConversationOptions,
): PendingRecord {
  const { entry, project } = options.to;
  return {
    v: 1,
    msg_id: prompt.msg_id,
    from: self.name,
    to: { name: entry.name, project, endpoint: entry.endpoint },
    waiter: { pid: process.pid, endpoint: self.endpoint },
    created_at: prompt.timestamp,
    timeout_ms: options.timeoutMs,
    prompt,
  };
}

/** True while another process of ours waits for this very message. */
async function isAwaited(place: SpoolPlace, msgId: string): Promise<boolean> {
  const found = readSpool(place, 'pending', msgId);
  const pending = found.ok ? asPending(found.record) : null;
  if (pending === null) return false;
  const judged = judgeEndpoint(place.coms, pending.waiter.endpoint);
  return judged.ok && (await probe(judged.path, waiterProbeMs)) === 'answers';
}

/** What went wrong, with its cause: the causes here are those of files, and hold no secrets. */
export function faultText(fault: PeerFault): string {
  return fault.cause instanceof Error ? `${fault.message}: ${fault.cause.message}` : fault.message;
}

async function ask(self: ListeningPeer, options: ConversationOptions): Promise<ConversationOutcome> {
  const { identity: place, to, timeoutMs } = options;
  const prompt = self.prompt({ replyTimeoutMs: timeoutMs, ...options.body });
  if (await isAwaited(place, prompt.msg_id)) {
    const message = `${prompt.msg_id} is waited for already; read its reply with: coms await ${prompt.msg_id}`;
    return { ok: false, code: 'NOT_STARTED', message };
  }
  // An earlier conversation under this id is over: what was recorded for it is not the answer to this one.
  removeSpool(place, 'responses', prompt.msg_id);
  writeSpool(place, 'pending', pendingRecord(prompt, self, options));
  const cancelled = new AbortController();
  let recorded: Response | null = null;
  let answeredHere = false;
  const poll = setInterval(() => {
    recorded = answeredHere ? null : recordedResponse(place, prompt.msg_id);
    if (recorded !== null) cancelled.abort();
  }, cancelPollMs);
  try {
    const outcome = await self.request(to.entry.endpoint, prompt, {
      timeoutMs,
      signal: AbortSignal.any([options.signal, cancelled.signal]),
      onAck: () => options.onAck(prompt),
      keep: (response) => {
        answeredHere = true;
        return keepResponse(place, response);
      },
    });
    return recorded === null || outcome.ok ? outcome : endedBy(recorded);
  } finally {
    clearInterval(poll);
    removeSpool(place, 'pending', prompt.msg_id);
  }
}

function endedBy(recorded: Response): ConversationOutcome {
  const error = recorded['error'];
  const message = typeof error === 'string' ? error : 'ended';
  return { ok: false, code: 'PEER_ERROR', message, response: recorded };
}

/** Registers (hidden), sends one prompt, waits for its response, and unregisters. Never rejects. */
export async function converse(options: ConversationOptions): Promise<ConversationOutcome> {
  const { identity, note } = options;
  const problem = makeSpool(identity);
  if (problem !== null) return { ok: false, code: 'NOT_STARTED', message: problem };
  let self: ListeningPeer | undefined;
  const listening = await listen({
    coms: identity.coms,
    project: identity.project,
    name: identity.name,
    purpose: 'coms command',
    explicit: true,
    handlers: {
      prompt: (prompt) => {
        if (self === undefined) return { ok: false, error: 'not ready yet' };
        const verdict = keepInbound(identity, prompt, self);
        if (verdict.isNew) note(`coms: a prompt came in; answer it with: coms reply ${prompt.msg_id} <text>`);
        return verdict;
      },
      fault: (fault) => note(`coms: ${faultText(fault)}`),
    },
  });
  if (!listening.ok) return { ok: false, code: 'NOT_STARTED', message: listening.message };
  self = listening;
  try {
    pruneResponses(identity, Date.now());
    return await ask(listening, options);
  } catch (error) {
    return {
      ok: false,
      code: 'NOT_STARTED',
      message: error instanceof Error ? error.message : String(error),
    };
  } finally {
    await listening.close();
  }
}
