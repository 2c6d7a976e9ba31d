/**
 * A peer that is listening: what a program does with its place in the registry.
 *
 * P1 The name is given up before the endpoint closes, so that nobody can claim it while it still answers.
 */
import { ulid } from 'ulid';
import type { RegistryEntry } from '../entry.ts';
import type { OutgoingPrompt, Prompt } from '../envelope.ts';
import type { Coms } from './coms-folder.ts';
import type { Heartbeat } from './heartbeat.ts';
import { removeEntry } from './registry.ts';
import type { RequestOptions, RequestOutcome, Requests } from './request.ts';
import { sendResponse, type ResponseBody } from './respond.ts';
import type { SendOptions, SendOutcome } from './send.ts';
import type { SocketServer } from './socket-server.ts';

export interface PromptBody {
  /** Text, or the JSON of a structured question. */
  readonly prompt: string;
  /** A new ULID by default. */
  readonly msgId?: string;
  /** 0 by default; that of the prompt being worked on plus one, where there is one. */
  readonly hops?: number;
  readonly conversationId?: string;
  readonly responseSchema?: unknown;
  /** Tells the peer how long an answer is of use, in milliseconds. */
  readonly replyTimeoutMs?: number;
}

export interface ListeningPeer {
  readonly ok: true;
  /** The name that was got, which may have a number appended. */
  readonly name: string;
  readonly project: string;
  readonly sessionId: string;
  readonly endpoint: string;
  /** The entry as registered first. */
  readonly entry: RegistryEntry;
  /** A prompt from this peer, complete. */
  prompt(body: PromptBody): OutgoingPrompt;
  /** Sends a prompt to an endpoint and waits for its response. Never rejects. */
  request(endpoint: string, prompt: OutgoingPrompt, options?: RequestOptions): Promise<RequestOutcome>;
  /** Answers a prompt at its `sender_endpoint`, or at `to` where the sender has moved. Never rejects. */
  respond(prompt: Prompt, body: ResponseBody, options?: SendOptions & { to?: string }): Promise<SendOutcome>;
  /** Refreshes the registry entry now (`queue_depth` from the card handler). Never rejects. */
  refresh(): Promise<void>;
  /** Connections open now. */
  connections(): number;
  /** Gives up the name, then stops listening and removes the socket. Open requests end by their time limits. */
  close(): Promise<void>;
}

export interface PeerParts {
  readonly coms: Coms;
  readonly project: string;
  readonly entry: RegistryEntry;
  readonly server: SocketServer;
  readonly requests: Requests;
  readonly heartbeat: Heartbeat;
}

export function buildPeer(parts: PeerParts): ListeningPeer {
  const { coms, project, entry, server, requests, heartbeat } = parts;
  const sender = { sessionId: entry.session_id, endpoint: entry.endpoint };
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    heartbeat.stop();
    try {
      removeEntry(coms, project, entry);
    } catch {
      // A registry that cannot be written any more must not keep the socket open; the entry dies with its process.
    }
    await server.close();
  }
  return {
    ok: true,
    name: entry.name,
    project,
    sessionId: entry.session_id,
    endpoint: entry.endpoint,
    entry,
    prompt: (body) => ({
      type: 'prompt',
      msg_id: body.msgId ?? ulid(),
      sender_session: entry.session_id,
      sender_endpoint: entry.endpoint,
      hops: body.hops ?? 0,
      timestamp: new Date().toISOString(),
      prompt: body.prompt,
      sender_name: entry.name,
      sender_cwd: entry.cwd,
      ...(body.conversationId === undefined ? {} : { conversation_id: body.conversationId }),
      ...(body.responseSchema === undefined ? {} : { response_schema: body.responseSchema }),
      ...(body.replyTimeoutMs === undefined ? {} : { reply_timeout_ms: body.replyTimeoutMs }),
    }),
    request: (endpoint, prompt, options = {}) => requests.request(endpoint, prompt, options),
    respond: (prompt, body, options = {}) => sendResponse(coms, { prompt, body, sender }, options),
    refresh: () => heartbeat.beat(),
    connections: () => server.connections(),
    close: () => (closing ??= close()),
  };
}
