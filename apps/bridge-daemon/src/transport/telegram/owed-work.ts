/**
 * Does what the state owes the bridge: answers into the questions folder, cancels to the desk.
 *
 * O1 What is done is struck off after it was done: a kill in between leads to doing it again, with the same bytes.
 * O2 An answer that was not the first waits until the first was taken: it is never written over it, and never forgotten.
 * O3 Before an answer is written it is stored that nothing more is joined to it, and what became of those before it. A kill
 *    thus leaves in doubt, for each question, only whether the first answer on its way was written; it is held to have been.
 *    Else an edit, or one more piece, would change what was handed on.
 */
import { english, type PersonTexts } from './person-texts.ts';
import type { Logger } from '../../log/operational-log.ts';
import {
  answerText,
  withAnswerReplaced,
  withInDoubt,
  withoutTaken,
  writableAnswers,
} from './answers-on-the-way.ts';
import { answerDigest, type AnswerToWrite, type AnswerWriter } from './answer-writer.ts';
import { createBackoff } from './backoff.ts';
import type { PersonDesk } from './ports.ts';
import type { StateKeeper } from './state-keeper.ts';
import { told } from './scene.ts';
import type { AnswerOnTheWay, OwedCancel } from './updates-state.ts';

export interface OwedWork {
  /** Once, when the state was read and before anything else: a kill may have left more done than the state tells. */
  resume(): void;
  /**
   * Does what can be done now; settles when it was. `blindMs`: as for `writableAnswers`. Gives in how many milliseconds to
   * look again; null where nothing waits. Rejects with `Stopped` alone. Not to be called again before it settled.
   */
  perform(blindMs: number): Promise<number | null>;
}

interface WorkParts {
  readonly keeper: StateKeeper;
  readonly writer: AnswerWriter;
  readonly desk: PersonDesk;
  readonly log: Logger;
  readonly now: () => number;
  readonly backoffFirstMs: number;
  readonly texts?: PersonTexts;
}

const sooner = (one: number | null, other: number | null): number | null => {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
};

const toWrite = (answer: AnswerOnTheWay): AnswerToWrite => ({
  qid: answer.qid,
  answer: answerText(answer),
  answeredBy: answer.by,
  at: answer.at,
  replaces: answer.written,
});

export const createOwedWork = (parts: WorkParts): OwedWork => {
  const { keeper, writer, desk, log, now, texts = english } = parts;
  const backoff = createBackoff(parts.backoffFirstMs);

  const look = async (answer: AnswerOnTheWay): Promise<void> => {
    try {
      await desk.look(answer.qid);
    } catch (error) {
      log.warn({ err: error, qid: answer.qid }, 'an answer is not read yet; its folder is watched');
    }
  };

  const write = (answer: AnswerOnTheWay) =>
    keeper.surely('storing an answer', () => writer.write(toWrite(answer)));

  const forgetTaken = (): void => keeper.change((state) => withoutTaken(state, (qid) => desk.standing(qid)));

  /** O3. Gives the answer as it now stands in the state. */
  const sealed = async (given: AnswerOnTheWay): Promise<AnswerOnTheWay> => {
    const answer = given.joining === null ? given : { ...given, joining: null };
    if (answer !== given) keeper.change((state) => withAnswerReplaced(state, given, answer));
    await keeper.save();
    return answer;
  };

  /** False where something else lies in its place. */
  const put = async (given: AnswerOnTheWay): Promise<boolean> => {
    const answer = await sealed(given);
    let writing = await write(answer);
    if (writing.code === 'occupied') {
      // The first answer may just not be read yet.
      await look(answer);
      writing = await write(answer);
    }
    if (writing.code === 'occupied') return false;
    const { digest } = writing;
    const written = [...answer.written.filter((other) => other !== digest), digest];
    keeper.change((state) => withAnswerReplaced(state, answer, { ...answer, due: false, written }));
    await look(answer);
    forgetTaken();
    log.info({ qid: answer.qid, by: answer.by, via: answer.via }, 'an answer came by Telegram');
    return true;
  };

  /** Until nothing more can be written; each round writes one answer at least, or is the last. */
  const putAll = async (blindMs: number): Promise<number | null> => {
    const occupied = new Set<string>();
    for (;;) {
      const { ready, againMs } = writableAnswers(keeper.state(), now(), blindMs);
      const todo = ready.filter(({ qid }) => !occupied.has(qid));
      for (const answer of todo) if (!(await put(answer))) occupied.add(answer.qid);
      if (todo.length > 0) continue;
      if (occupied.size === 0) {
        backoff.reset();
        return againMs;
      }
      return sooner(againMs, backoff.nextMs());
    }
  };

  const wordsOf = async ({ qid, by }: OwedCancel): Promise<string> => {
    if (await desk.cancel(qid, by)) return texts.cancelled(qid);
    const standing = desk.standing(qid);
    if (standing === 'unknown') return texts.unknownQuestion(qid);
    return standing === 'open' ? texts.cancelElsewhere(qid) : texts.cancelClosed(qid);
  };

  /** False where it is to be tried again. */
  const cancel = async (owed: OwedCancel): Promise<boolean> => {
    try {
      const words = await wordsOf(owed);
      const { chat, topic, message } = owed;
      keeper.change((state) =>
        told(
          {
            state: { ...state, cancels: state.cancels.filter((other) => other !== owed) },
            heard: { spot: { chat, topic, message } },
            now: now(),
          },
          words,
        ),
      );
      return true;
    } catch (error) {
      log.error({ err: error, qid: owed.qid }, 'a cancel failed; it is tried again');
      return false;
    }
  };

  return {
    resume: () => {
      forgetTaken();
      keeper.change((state) => withInDoubt(state, (answer) => answerDigest(toWrite(answer))));
    },
    perform: async (blindMs) => {
      forgetTaken();
      let againMs = await putAll(blindMs);
      for (const owed of keeper.state().cancels)
        if (!(await cancel(owed))) againMs = sooner(againMs, backoff.nextMs());
      return againMs;
    },
  };
};
