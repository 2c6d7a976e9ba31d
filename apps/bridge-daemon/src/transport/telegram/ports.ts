/**
 * What the halves of the transport `telegram` know of each other: the way out (questions and outcomes), the way in
 * (updates), and the person's side of the bridge. Types only.
 */
import type { Qid, Question } from '@x/bridge';

/** Where questions go, and from where people are heard. `topic` null: the chat itself, or a forum's general topic. */
export interface Target {
  readonly chat: number;
  readonly topic: number | null;
}

/** The person's side of the bridge: what the way in may ask of it. */
export interface PersonDesk {
  /** Questions that wait for an answer, oldest first. */
  open(): readonly OpenQuestion[];
  /** `open` and `closed` also for a question of another daemon on the same folder; `unknown`: nobody asked it. */
  standing(qid: Qid): 'open' | 'closed' | 'unknown';
  /** Closes an open question in the name of `by`; false where it is not open here. */
  cancel(qid: Qid, by: string): Promise<boolean>;
  /** Looks at the answer file of this question now, and settles when it was judged. */
  look(qid: Qid): Promise<void>;
  /** Folder of answer files. Writers prepare in a sibling folder and rename. */
  readonly questionsDir: string;
  /** Folder of the state, above `questionsDir`. */
  readonly stateDir: string;
}

export interface OpenQuestion {
  readonly qid: Qid;
  readonly question: Question;
  /** ISO times. */
  readonly askedAt: string;
  readonly deadline: string;
}

/** What the way out remembers of the messages that it sent; kept through a crash. */
export interface QuestionBook {
  /** The option that a button stands for; null where no such button was made. */
  optionOf(token: string): { readonly qid: Qid; readonly index: number } | null;
  /** The question that a message of ours holds a part of. */
  qidOf(chat: number, messageId: number): Qid | null;
  /** The chat that a group became; the same where it did not move. */
  currentChat(chat: number): number;
  /** A group told that it became a supergroup. Stored when this settles. */
  moved(from: number, to: number): Promise<void>;
}

/** How a call to the Bot API ended. No text in it can hold the token. */
export type CallOutcome<Value> =
  | { readonly code: 'ok'; readonly value: Value }
  /** The server refused it: surely nothing was done. */
  | {
      readonly code: 'refused';
      /** The Bot API's error code, such as 400 or 403. */
      readonly status: number;
      readonly message: string;
      readonly movedTo: number | null;
    }
  /** The server was never reached: surely nothing was done. */
  | { readonly code: 'unreachable'; readonly message: string }
  /** It may have been done: no answer, a cut connection, or a server error. */
  | { readonly code: 'unknown'; readonly message: string }
  | { readonly code: 'aborted' };
