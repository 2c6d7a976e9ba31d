/**
 * Every text that a person reads from the way in, in one table a language; those of questions and notes are
 * `@x/bridge`'s. Plain text, each at most 4,096 units whatever a question holds.
 *
 * P1 No text here holds `[HUB-Q:<qid>]`, nor a question's own words in its first line: a reply to one of them must not
 *    pass for an answer to a question that it only mentions.
 */
import type { Qid } from '@x/bridge';
import { excerpt } from './excerpt.ts';

export interface ListedQuestion {
  readonly qid: Qid;
  readonly question: string;
  readonly minutesLeft: number;
}

export interface PersonTexts {
  /** After a bare text. `more`: open questions that are not in the list. */
  readonly whichQuestion: (listed: readonly ListedQuestion[], more: number) => string;
  readonly nothingOpen: string;
  readonly pending: (listed: readonly ListedQuestion[], more: number) => string;
  readonly help: string;
  readonly emptyAnswer: (qid: Qid) => string;
  readonly unknownQuestion: (qid: Qid) => string;
  readonly textOnly: string;
  readonly alreadyTaken: (qid: Qid) => string;
  readonly tooManyWaiting: string;
  readonly cancelHow: string;
  readonly cancelled: (qid: Qid) => string;
  readonly cancelClosed: (qid: Qid) => string;
  readonly cancelElsewhere: (qid: Qid) => string;
  /** The button under a list; and what the list becomes once it was pressed. */
  readonly draftButton: (number: number, question: string) => string;
  readonly draftTaken: (question: string | null, qid: Qid) => string;
  /** Short words shown over the chat after a button was pressed: at most 200 units. */
  readonly pressed: (title: string) => string;
  readonly pressedBefore: string;
  readonly pressedUnknown: string;
  readonly pressedByOther: string;
  readonly pressedClosed: string;
}

const lineUnits = 90;
const buttonUnits = 48;
const toastUnits = 120;

const lines = (listed: readonly ListedQuestion[], more: number): string => {
  const told = listed.map(
    ({ qid, question, minutesLeft }, index) =>
      `${index + 1}. ${excerpt(question, lineUnits)} (${minutesLeft} min left)\nHUB-Q:${qid}:`,
  );
  return [...told, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n\n');
};

const howToAnswer =
  'To answer, reply to the message of the question, press one of its buttons, or type the code of the question and your answer: HUB-Q:<code>: <answer>';

export const english: PersonTexts = {
  whichQuestion: (listed, more) =>
    `Which question is this the answer to? Press it below, and what you wrote goes there.\n\n${lines(listed, more)}\n\n${howToAnswer}`,
  nothingOpen: 'No question is open, so this answers nothing. /help tells how answering works.',
  pending: (listed, more) =>
    listed.length === 0
      ? 'No question is open.'
      : `Open questions: ${listed.length + more}\n\n${lines(listed, more)}\n\n${howToAnswer}`,
  help: `Programs ask questions here, and what you answer goes back to the one that asks.\n\n${howToAnswer}\n\n/pending lists the open questions.\n/cancel <code> closes one without an answer; as a reply to a question, /cancel is enough.\n/help shows this.\n\nOnly text counts, no photos and no voice. Until the program has read your answer you may edit it.`,
  emptyAnswer: (qid) => `There is no answer after the code. Type: HUB-Q:${qid}: <answer>`,
  unknownQuestion: (qid) =>
    `Nobody asked a question with the code ${qid}, or it was asked too long ago. /pending lists what is open.`,
  textOnly: 'I read text only. Please write your answer as a text message.',
  alreadyTaken: (qid) =>
    `The answer to HUB-Q:${qid} was handed on before you edited it; the edit changes nothing.`,
  tooManyWaiting:
    'This answer was not taken: too many answers wait for a program that is not running. Start it, then answer again.',
  cancelHow:
    'Which question? Send /cancel as a reply to its message, or /cancel <code>. /pending lists the codes.',
  cancelled: (qid) => `✖ The question HUB-Q:${qid} is closed without an answer; the program was told.`,
  cancelClosed: (qid) => `The question HUB-Q:${qid} is closed already; there is nothing to cancel.`,
  cancelElsewhere: (qid) =>
    `The question HUB-Q:${qid} was asked by another bridge, so it cannot be cancelled here.`,
  draftButton: (number, question) => `${number} · ${excerpt(question, buttonUnits)}`,
  draftTaken: (question, qid) =>
    `✅ What you wrote is the answer to HUB-Q:${qid}${question === null ? '.' : `:\n\n${excerpt(question, lineUnits)}`}`,
  pressed: (title) => `✅ ${excerpt(title, toastUnits)}`,
  pressedBefore: 'You have answered this already.',
  pressedUnknown: 'This button is too old: nothing was done.',
  pressedByOther: 'Only the person who wrote the text can choose its question.',
  pressedClosed: 'This question is closed already: choose another one.',
};

/** One more language is one more row. */
export const personLocales = { en: english } as const satisfies Record<string, PersonTexts>;
