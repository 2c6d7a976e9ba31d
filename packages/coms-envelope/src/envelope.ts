/**
 * The envelopes that travel between peers, one schema each (04 Wire, source 004 "Cancel semantics").
 *
 * Boundary: shapes only. What is *accepted* is the minimum that existing peers send; what we *write* has every
 * field. Unknown fields pass through: a schema here never refuses or drops one.
 */
import * as z from 'zod/mini';

const nonEmpty = z.string().check(z.minLength(1));

/** Accepted as a prompt. All else that a prompt may carry is read by `promptDetails`, which never refuses. */
export const promptSchema = z.looseObject({
  type: z.literal('prompt'),
  msg_id: z.string(),
  prompt: z.string(),
  sender_endpoint: z.string(),
  hops: z.number(),
});
export type Prompt = z.infer<typeof promptSchema>;

/** Accepted as a response; `msg_id` is that of the prompt. The key `response` must be there, its value may be null. */
export const responseSchema = z.looseObject({ type: z.literal('response'), msg_id: z.string() }).check(
  z.refine((value) => Object.hasOwn(value, 'response'), {
    error: 'the key is missing',
    path: ['response'],
  }),
);
export type Response = z.infer<typeof responseSchema> & { response: unknown };

/** A cancel needs its five strings, none empty; `ref_msg_id` is the `msg_id` of the prompt to be cancelled. */
export const cancelSchema = z.looseObject({
  type: z.literal('cancel'),
  msg_id: nonEmpty,
  from: nonEmpty,
  to: nonEmpty,
  created_at: nonEmpty,
  ref_msg_id: nonEmpty,
});
export type Cancel = z.infer<typeof cancelSchema>;

export const pingSchema = z.looseObject({ type: z.literal('ping'), msg_id: z.string() });
export type Ping = z.infer<typeof pingSchema>;

/** What a peer says of itself. Other fields may follow (a daemon reports its state there). */
export interface AgentCard {
  readonly name: string;
  readonly purpose: string;
  readonly model: string;
  readonly color: string;
  readonly context_used_pct: number;
  readonly queue_depth: number;
  readonly pane_id?: string;
  readonly status?: string;
  readonly [extra: string]: unknown;
}

export const ackSchema = z.looseObject({ type: z.literal('ack'), msg_id: z.string() });
export type Ack = z.infer<typeof ackSchema>;

/** A refusal. Peers that could not read a `msg_id` answer without one. */
export const nackSchema = z.looseObject({
  type: z.literal('nack'),
  msg_id: z.optional(z.unknown()),
  error: z.string(),
});
export type Nack = z.infer<typeof nackSchema>;

export const pongSchema = z.looseObject({
  type: z.literal('pong'),
  msg_id: z.string(),
  agent_card: z.looseObject({}),
});
export type Pong = z.infer<typeof pongSchema>;

/** What a client sends. */
export type Envelope = Prompt | Response | Cancel | Ping;
/** What a server answers on the same connection. */
export type Reply = Ack | Nack | Pong;

/** A prompt as we write it: every field of 04 Wire. `timestamp` is an ISO time, `reply_timeout_ms` milliseconds. */
export interface OutgoingPrompt extends Prompt {
  sender_session: string;
  timestamp: string;
  sender_name: string;
  sender_cwd: string;
  conversation_id?: string;
  response_schema?: unknown;
  reply_timeout_ms?: number;
}

/** A response as we write it. With `error` the value of `response` is null. */
export interface OutgoingResponse extends Response {
  sender_session: string;
  sender_endpoint: string;
  hops: number;
  timestamp: string;
  error?: string;
}
