/**
 * The pending record: a prompt of ours that waits for its response, and who waits.
 */
import { promptSchema, responseSchema, type Prompt, type Response } from '@x/coms-envelope';
import * as z from 'zod/mini';

const pendingSchema = z.looseObject({
  v: z.literal(1),
  msg_id: z.string(),
  from: z.string(),
  to: z.object({ name: z.string(), project: z.string(), endpoint: z.string() }),
  waiter: z.object({ pid: z.number(), endpoint: z.string() }),
  created_at: z.string(),
  timeout_ms: z.number(),
  prompt: promptSchema,
});
export type PendingRecord = z.infer<typeof pendingSchema>;

/** A prompt in `inbound/`: the envelope, and when it came and to whom. */
const inboundSchema = z.looseObject({
  msg_id: z.string(),
  received_at: z.string(),
  received_by: z.object({
    name: z.string(),
    project: z.string(),
    session_id: z.string(),
    endpoint: z.string(),
  }),
  sender: z.object({ name: z.string(), project: z.string(), cwd: z.string() }),
  prompt: promptSchema,
});
export type InboundRecord = z.infer<typeof inboundSchema>;

export function asPending(record: unknown): PendingRecord | null {
  const checked = pendingSchema.safeParse(record);
  return checked.success ? checked.data : null;
}

export function asInbound(record: unknown): InboundRecord | null {
  const checked = inboundSchema.safeParse(record);
  return checked.success ? checked.data : null;
}

export function asResponse(record: unknown): Response | null {
  const checked = responseSchema.safeParse(record);
  // The schema demands the key `response`, which its inferred type cannot say.
  return checked.success ? (checked.data as Response) : null;
}

/** The same prompt again, or another under the same id? Times and endpoints change when a sender restarts. */
export function isSamePrompt(a: Prompt, b: Prompt): boolean {
  return a.msg_id === b.msg_id && a.prompt === b.prompt && a['sender_name'] === b['sender_name'];
}
