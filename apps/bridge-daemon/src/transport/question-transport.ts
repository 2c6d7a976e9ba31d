/**
 * The port through which a question reaches a person. One adapter a channel; `transport-contract.ts` says what each must
 * do. The way back is the same for all: an answer file in the questions folder.
 */
import type { NoteKind, Qid, Question } from '@x/bridge';
import type { PersonDesk } from './person-desk.ts';

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
  readonly question: Question;
  /** The daemon's coms project. */
  readonly project: string;
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

export type NoteEnd =
  | Delivery
  /** Surely nothing that would be wrong twice, and the channel is down: to be tried again in a while. */
  | { readonly code: 'later'; readonly message: string };

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
  note(note: PutNote): Promise<NoteEnd>;
  health(): TransportHealth;
  /**
   * Begins to listen to people, for channels that do so themselves. Settles when what was said while nobody listened is in
   * the questions folder; that may take as long as the network is down. Never rejects.
   */
  start?(desk: PersonDesk): Promise<void>;
  /** Milliseconds since the channel last told what people say; null before it did. */
  sinceHeardMs?(): number | null;
  /** Lets what is under way finish for `drainMs`, then ends it. Never rejects; later calls give `aborted`. */
  close(drainMs: number): Promise<void>;
}
