/**
 * The qid: the `msg_id` of a prompt, unchanged, and the only key that ties envelope, message, answer file, state and log
 * together (source 004 qid and correlation).
 */
import * as z from 'zod';

const pattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A string that `parseQid` has seen. */
export const qidSchema = z.string().regex(pattern).brand<'Qid'>();
export type Qid = z.infer<typeof qidSchema>;

/** The nack for a prompt whose `msg_id` is no qid (05 Everything else of contract v1). */
export const invalidQidError = 'prompt msg_id must be a 26-character Crockford ULID qid';

/** Takes any text; gives the qid it is, or null. Case matters: lower case is no qid. */
export const parseQid = (text: string): Qid | null => {
  const parsed = qidSchema.safeParse(text);
  return parsed.success ? parsed.data : null;
};
