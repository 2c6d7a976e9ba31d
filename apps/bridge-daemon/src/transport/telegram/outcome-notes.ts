/**
 * What became of a question, shown where it was asked: each copy's last part gets the outcome in place of the reply line
 * and loses its buttons (05 The daemon); what the person did not do themselves is said in a message of its own, too.
 */
import { cutTo, mapAnswerToAskResponse, type Texts } from '@x/bridge';
import type { NoteEnd, PutNote } from '../question-transport.ts';
import { failureText, type Failure, type Outgoing, type Spot } from './outgoing.ts';
import type { SentBook } from './question-book.ts';
import { withOutcome } from './question-parts.ts';
import { telegramLimits } from './telegram-limits.ts';

interface NoteParts {
  readonly outgoing: Outgoing;
  readonly book: SentBook;
  readonly texts: Texts;
  readonly now: () => number;
}

/** A copy of the last part, and whether it is marked as a repeat. */
interface Copy extends Spot {
  readonly repeat: boolean;
}

const done: NoteEnd = { code: 'delivered', messageIds: [] };

const spotOf = (messageId: string): Copy[] => {
  const [, chat, id] = /^(-?\d+):(\d+)$/.exec(messageId) ?? [];
  return chat === undefined ? [] : [{ chat: Number(chat), messageId: Number(id), repeat: false }];
};

/** The line for the question's own message; null where the note is not about its outcome. */
const lineOf = ({ note, question, timeoutMs, outcome }: PutNote, texts: Texts): string | null => {
  switch (note) {
    case 'answered': {
      const response = mapAnswerToAskResponse(outcome?.answer ?? '', question.options);
      const said = response.kind === 'selection' ? response.selections.join(', ') : response.text;
      const shown = cutTo(said.replaceAll(/\s+/g, ' '), telegramLimits.shownAnswerUnits, texts.cutMark);
      return texts.answeredLine(outcome?.by ?? '', shown);
    }
    case 'cancelled':
      return texts.cancelledLine(outcome?.by ?? null);
    case 'timeout':
      return texts.timeoutLine(timeoutMs);
    case 'late_answer':
      return null;
    default:
      return note satisfies never;
  }
};

/** The message of its own; null where the person knows already. */
const textOf = ({ qid, note, timeoutMs, outcome }: PutNote, texts: Texts): string | null => {
  switch (note) {
    case 'answered':
      return null;
    case 'cancelled':
      return outcome?.by === undefined ? texts.cancelledNote(qid) : null;
    case 'timeout':
      return texts.timeoutNote(qid, timeoutMs);
    case 'late_answer':
      return texts.lateAnswerNote(qid);
    default:
      return note satisfies never;
  }
};

/** Never rejects. */
export const createOutcomeNotes = ({ outgoing, book, texts, now }: NoteParts) => {
  /** While the channel is down notes wait, so that they hold up no question. */
  let quietUntil = 0;

  const copiesOf = ({ qid, messageIds }: PutNote): readonly Copy[] => {
    const booked = book.sendings(qid);
    // A book that was lost: the record still names them, the last part last.
    if (booked.length === 0) return messageIds.slice(-1).flatMap(spotOf);
    // Never an earlier part: where nobody knows which message the last one is, its text would stand in the wrong one.
    return booked.flatMap(({ part, parts, chat, message_id: id, repeat }) =>
      part === parts && id !== null ? [{ chat, messageId: id, repeat }] : [],
    );
  };

  const later = (failure: Failure): NoteEnd => {
    quietUntil = now() + telegramLimits.noteQuietMs;
    return { code: 'later', message: failureText(failure) };
  };

  const isPassing = (failure: Failure): boolean =>
    failure.code === 'unreachable' || (failure.code === 'refused' && failure.status === 429);

  /** Null: all are as they should be. */
  const show = async (put: PutNote, line: string, copies: readonly Copy[]): Promise<NoteEnd | null> => {
    for (const { repeat, ...spot } of copies) {
      const text = withOutcome({ ...put, repeat }, line, texts);
      const outcome = text === null ? null : await outgoing.rewrite(spot, text);
      if (outcome === null || outcome.code === 'ok') continue;
      if (outcome.code === 'aborted') return outcome;
      // An edit made twice is an edit: what is not known is simply made again.
      if (outcome.code === 'unknown' || isPassing(outcome)) return later(outcome);
      return { code: 'refused', message: failureText(outcome) };
    }
    return null;
  };

  return async (put: PutNote): Promise<NoteEnd> => {
    if (now() < quietUntil) return { code: 'later', message: 'Telegram is not reached at the moment' };
    const copies = copiesOf(put);
    const line = lineOf(put, texts);
    const ended = line === null ? null : await show(put, line, copies);
    if (ended !== null) return ended;
    const text = textOf(put, texts);
    if (text === null) return done;
    const replyTo = copies.at(-1) ?? put.messageIds.flatMap(spotOf).at(-1) ?? null;
    const letter = { text, keyboard: null, replyTo };
    const outcome = await outgoing.send(letter, { floodMs: telegramLimits.briefFloodMs, reachMs: 0 });
    if (outcome.code === 'ok')
      return { code: 'delivered', messageIds: [`${outcome.value.chat}:${outcome.value.messageId}`] };
    if (outcome.code === 'aborted') return outcome;
    return isPassing(outcome)
      ? later(outcome)
      : { code: outcome.code === 'unknown' ? 'unknown' : 'refused', message: failureText(outcome) };
  };
};
