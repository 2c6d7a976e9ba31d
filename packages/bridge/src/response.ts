/**
 * The envelope that carries an outcome back to the asker (04 Wire). It is made once, stored with the outcome, and sent
 * as often as needed with the same bytes.
 */
import * as z from 'zod';
import type { AskResponse } from './answer-mapping.ts';
import { askResponseSchema } from './answer-mapping.ts';
import { graphemePrefix } from './cut.ts';
import { limits } from './limits.ts';
import { qidSchema, type Qid } from './qid.ts';

/** Key order is the order on the wire: a stored envelope read back gives the same bytes. */
export const responseEnvelopeSchema = z.object({
  type: z.literal('response'),
  msg_id: qidSchema,
  sender_session: z.string(),
  sender_endpoint: z.string(),
  hops: z.number(),
  timestamp: z.string(),
  response: askResponseSchema.nullable(),
  error: z.string().optional(),
});
export type ResponseEnvelope = z.infer<typeof responseEnvelopeSchema>;

/** Who answers: session and endpoint of the daemon that closes the question. */
export interface ReplyFrom {
  readonly session: string;
  readonly endpoint: string;
}

export interface ResponseHead {
  readonly qid: Qid;
  readonly hops: number;
  readonly from: ReplyFrom;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const envelope = (head: ResponseHead, response: AskResponse | null, error?: string): ResponseEnvelope => ({
  type: 'response',
  msg_id: head.qid,
  sender_session: head.from.session,
  sender_endpoint: head.from.endpoint,
  hops: head.hops,
  timestamp: new Date(head.now).toISOString(),
  response,
  ...(error === undefined ? {} : { error }),
});

/** An error outcome: `response` is null beside it. */
export const errorResponse = (head: ResponseHead, error: string): ResponseEnvelope =>
  envelope(head, null, error);

/** With its newline: some peers count it. */
const lineLength = (made: ResponseEnvelope): number => JSON.stringify(made).length + 1;

/** The most of `text` that fits, by halving over code units: escapes make a unit cost up to six. */
const longestFitting = (text: string, fits: (prefix: string) => boolean): string => {
  let good = 0;
  let bad = Math.min(text.length, limits.lineUnits) + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (fits(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return graphemePrefix(text, good);
};

export interface AnswerResponse {
  readonly envelope: ResponseEnvelope;
  /** The envelope holds only the beginning; the whole must be kept elsewhere. */
  readonly cut: boolean;
}

/**
 * Takes the mapped answer and the mark that ends a cut one. Gives an envelope whose line is at most
 * `limits.lineUnits` UTF-16 code units; a longer answer becomes freeform text that ends in the mark.
 */
export const answerResponse = (
  head: ResponseHead,
  response: AskResponse,
  cutMark: string,
): AnswerResponse => {
  const whole = envelope(head, response);
  if (lineLength(whole) <= limits.lineUnits) return { envelope: whole, cut: false };
  const text = response.kind === 'freeform' ? response.text : response.selections.join(', ');
  const withPrefix = (prefix: string): ResponseEnvelope =>
    envelope(head, { kind: 'freeform', text: prefix + cutMark });
  const prefix = longestFitting(text, (tried) => lineLength(withPrefix(tried)) <= limits.lineUnits);
  return { envelope: withPrefix(prefix), cut: true };
};
