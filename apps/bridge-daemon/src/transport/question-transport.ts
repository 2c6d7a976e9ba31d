/**
 * The port through which a question reaches a person. One adapter a channel; `transport-contract.ts` says what each must
 * do. The way back is the same for all: an answer file in the questions folder.
 */
import type { NoteKind, Qid, Question } from '@x/bridge';

export interface PutQuestion {
  readonly qid: Qid;
  readonly question: Question;
  /** The daemon's coms project. */
  readonly project: string;
  /** It may have been seen already, and is marked so. */
  readonly repeat: boolean;
  readonly timeoutMs: number;
}

export interface PutNote {
  readonly qid: Qid;
  readonly note: NoteKind;
  readonly timeoutMs: number;
  /** The messages that hold the question, as `deliver` named them. */
  readonly messageIds: readonly string[];
  /** For channels that show the outcome in the question's own message. */
  readonly outcome: { readonly kind: string; readonly answer?: string; readonly by?: string } | null;
}

export type Delivery =
  | { readonly code: 'delivered'; readonly messageIds: readonly string[] }
  /** Surely not sent. `message` goes to the asker. */
  | { readonly code: 'refused'; readonly message: string }
  /** Perhaps sent: it timed out, or was killed. `message` goes to the asker. */
  | { readonly code: 'unknown'; readonly message: string }
  /** Ended by `close`: nothing is known, and nobody is told. A restart tries again. */
  | { readonly code: 'aborted' };

export type TransportHealth =
  | { readonly state: 'ok' }
  /** `since`: milliseconds since 1970. */
  | { readonly state: 'degraded'; readonly reason: string; readonly since: number };

export interface QuestionTransport {
  readonly name: string;
  /** Why this question can never be put through this channel, for the nack; null where it can. Pure. */
  refusal(question: PutQuestion): string | null;
  /** Puts the question before the person. Ends within a bounded time; never rejects. */
  deliver(question: PutQuestion): Promise<Delivery>;
  /** Tells the person what became of a question. Ends within a bounded time; never rejects. */
  note(note: PutNote): Promise<Delivery>;
  health(): TransportHealth;
  /** Lets what is under way finish for `drainMs`, then ends it. Never rejects; later calls give `aborted`. */
  close(drainMs: number): Promise<void>;
}
