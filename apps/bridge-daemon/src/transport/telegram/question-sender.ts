/**
 * Puts a question before the person, once: what a kill or a broken connection left unknown is sent once more, marked as a
 * repeat, and never a third time (cases "Ambiguous send").
 *
 * T1 A part that is known to be there is not sent again, and the order of parts is kept.
 * T2 Two sendings of unknown fate are the most: after them it is taken for sent, so that an answer to it still counts.
 */
import { detailText, type Texts } from '@x/bridge';
import type { Logger } from '../../log/operational-log.ts';
import type { Delivery, PutQuestion } from '../question-transport.ts';
import { keyboardOf } from './keyboard.ts';
import { failureText, type Outgoing } from './outgoing.ts';
import type { Sending, SentBook } from './question-book.ts';
import { questionParts } from './question-parts.ts';
import { telegramLimits } from './telegram-limits.ts';
import type { Target } from './ports.ts';

const sendingsMax = 2;

interface SenderParts {
  readonly outgoing: Outgoing;
  readonly book: SentBook;
  readonly target: Target;
  readonly texts: Texts;
  readonly log: Logger;
}

/** One part, in both spellings. */
interface Part {
  readonly part: number;
  readonly parts: number;
  readonly text: string;
  readonly repeatText: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const partsOf = (put: PutQuestion, texts: Texts): readonly Part[] | string => {
  const first = questionParts({ ...put, repeat: false }, texts);
  const again = questionParts({ ...put, repeat: true }, texts);
  if (first.code === 'refused') return first.message;
  return first.texts.map((text, index) => ({
    part: index + 1,
    parts: first.texts.length,
    text,
    repeatText: (again.code === 'parts' ? again.texts[index] : undefined) ?? text,
  }));
};

/** Never rejects. */
export const createQuestionSender = ({ outgoing, book, target, texts, log }: SenderParts) => {
  /** In the book while a request is under way, and out of it while one is waited for. Throws where it cannot be booked. */
  const sendOnce = async (put: PutQuestion, part: Part, repeat: boolean) => {
    const { qid, question, timeoutMs } = put;
    const now: { booked: Sending | null; fault: unknown } = { booked: null, fault: null };
    const unbook = (): void => {
      if (now.booked !== null) book.drop(qid, now.booked);
      now.booked = null;
    };
    const begin = (): void => {
      unbook();
      try {
        now.booked = book.begin(qid, question.options.length, {
          part: part.part,
          parts: part.parts,
          repeat,
          chat: book.currentChat(target.chat),
          topic: target.topic,
        });
      } catch (error) {
        now.fault = error;
        throw error;
      }
    };
    const letter = {
      text: repeat ? part.repeatText : part.text,
      keyboard: part.part === part.parts ? keyboardOf(qid, question.options, texts) : null,
      replyTo: null,
    };
    const outcome = await outgoing.send(letter, {
      floodMs: Math.min(telegramLimits.floodMs, timeoutMs),
      reachMs: Math.min(telegramLimits.reachMs, timeoutMs),
      journal: { begin, surelyNot: unbook },
    });
    if (now.fault !== null) throw now.fault;
    if (outcome.code === 'ok' && now.booked !== null) book.confirm(qid, now.booked, outcome.value);
    if (outcome.code === 'refused') unbook();
    return { outcome, surelyNot: now.booked === null };
  };

  /** Null: it is there, or taken for that. */
  const sendPart = async (put: PutQuestion, part: Part, marked: boolean): Promise<Delivery | null> => {
    const { qid } = put;
    const known = book.sendings(qid).filter((sent) => sent.part === part.part && sent.parts === part.parts);
    if (known.some((sent) => sent.message_id !== null)) return null;
    if (known.length >= sendingsMax) {
      log.warn(
        { qid, part: part.part },
        'it was sent twice without a word of what came of it: it is not sent again',
      );
      return null;
    }
    for (let sendings = known.length; ;) {
      const repeat = marked || sendings > 0;
      const { outcome, surelyNot } = await sendOnce(put, part, repeat);
      if (outcome.code === 'ok') return null;
      if (outcome.code === 'aborted') return outcome;
      sendings += 1;
      if (!surelyNot && sendings < sendingsMax) {
        const why = failureText(outcome);
        log.warn({ qid, why }, 'it is not known whether a question was sent: it is sent once more');
        continue;
      }
      // What may stand before the person, be it a part, may be answered.
      const code = book.sendings(qid).length > 0 ? 'unknown' : 'refused';
      return { code, message: detailText(failureText(outcome)) };
    }
  };

  return {
    refusal: (put: PutQuestion): string | null => {
      const made = partsOf(put, texts);
      return typeof made === 'string' ? made : null;
    },
    deliver: async (put: PutQuestion): Promise<Delivery> => {
      const parts = partsOf(put, texts);
      if (typeof parts === 'string') return { code: 'refused', message: parts };
      // The record says that it may have been sent, and the book knows nothing: it may have lost it.
      const marked = put.repeat && book.sendings(put.qid).length === 0;
      try {
        for (const part of parts) {
          const ended = await sendPart(put, part, marked);
          if (ended !== null) return ended;
        }
      } catch (error) {
        return {
          code: book.sendings(put.qid).length > 0 ? 'unknown' : 'refused',
          message: detailText(`telegram send failed: it could not be noted first: ${messageOf(error)}`),
        };
      }
      const messageIds = book
        .sendings(put.qid)
        .flatMap(({ chat, message_id: id }) => (id === null ? [] : [`${chat}:${id}`]));
      return { code: 'delivered', messageIds };
    },
  };
};
