/** What can happen to a question, from outside (envelopes, files, clock, transport) and from its own outbox. */
import type { Answer } from './answer-file.ts';
import type { Owed } from './owed.ts';
import type { Qid } from './qid.ts';
import type { Question } from './question.ts';
import type { Asker, Daemon } from './record.ts';
import type { ReplyFrom } from './response.ts';

export interface NewQuestion {
  readonly qid: Qid;
  readonly daemon: Daemon;
  readonly asker: Asker;
  /** SHA-256 of the prompt's text, hex. */
  readonly prompt_digest: string;
  readonly question: Question;
  readonly timeout_ms: number;
}

export type StepInput =
  | { readonly event: 'question_received'; readonly asked: NewQuestion }
  /** The asker repeats its prompt, perhaps from a new endpoint. */
  | { readonly event: 'repeated'; readonly asker: Asker }
  /** From now on the transport may have sent it. */
  | { readonly event: 'delivery_started' }
  | { readonly event: 'delivered'; readonly message_ids: readonly string[] }
  | {
      readonly event: 'delivery_error';
      readonly message: string;
      /** It may have been sent all the same: the run timed out or was killed. */
      readonly ambiguous: boolean;
      readonly from: ReplyFrom;
    }
  | {
      readonly event: 'answered';
      readonly answer: Answer;
      /** SHA-256 of the file's bytes, hex. */
      readonly digest: string;
      readonly from: ReplyFrom;
      readonly cutMark: string;
    }
  /** `by`: who cancelled it, where the asker is to be told; null from the console. */
  | { readonly event: 'cancelled'; readonly by: string | null; readonly from: ReplyFrom }
  /** The clock: does nothing before the deadline. */
  | { readonly event: 'deadline'; readonly from: ReplyFrom }
  /** A start found the record: a delivery under way at the crash is unknown, and is made again as a repeat. */
  | { readonly event: 'restarted' }
  /** The asker was tried until the deadline. */
  | { readonly event: 'unreachable' }
  /** Its daemon is gone and the deadline passed long ago: moved aside by another one. */
  | { readonly event: 'abandoned' }
  /** `to`: the asker's endpoint as it was recorded when a response that is done was sent. */
  | { readonly event: 'done'; readonly owed: Owed; readonly to?: string };
