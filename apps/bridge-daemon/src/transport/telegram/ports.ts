/**
 * What the halves of the transport `telegram` know of each other: the way out (questions and outcomes), the way in
 * (updates), and the person's side of the bridge. Types only.
 */
import type { Qid } from '@x/bridge';

export type { OpenQuestion, PersonDesk } from '../person-desk.ts';

/** Where questions go, and from where people are heard. `topic` null: the chat itself, or a forum's general topic. */
export interface Target {
  readonly chat: number;
  readonly topic: number | null;
}

/** What the way out remembers of the messages that it sent; kept through a crash. */
export interface QuestionBook {
  /** The option that a button stands for; null where no such button was made. */
  optionOf(token: string): { readonly qid: Qid; readonly index: number } | null;
  /** The question that a message of ours holds a part of. */
  qidOf(chat: number, messageId: number): Qid | null;
  /**
   * A person answered by this message of ours: where it is a copy of which nobody knew whether it was sent, it is known from
   * now on, and the outcome will be shown in it too. `pressed`: by a button under it. Never throws.
   */
  met(qid: Qid, at: { readonly chat: number; readonly messageId: number }, pressed: boolean): void;
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
