/** The person's side of the bridge: what a channel that hears people itself may ask of it. */
import type { Qid, Question } from '@x/bridge';

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
