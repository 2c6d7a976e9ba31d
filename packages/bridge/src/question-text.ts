/**
 * The message a person reads (source 004 Telegram question format, 05 The Telegram question, whole).
 *
 * Q1 At most 4,096 UTF-16 code units, whatever was asked.
 * Q2 Header, project, option numbers and titles, and the reply line are never cut; the rest gives way in the order
 *    context, option descriptions, question.
 * Q3 No surrogate pair and no grapheme is cut in half.
 */
import { cutTo, wellFormed } from './cut.ts';
import { limits } from './limits.ts';
import type { Qid } from './qid.ts';
import type { QuestionOption } from './question.ts';
import { english, type Texts } from './texts.ts';

export interface QuestionMessage {
  readonly qid: Qid;
  readonly question: string;
  readonly context?: string;
  readonly options?: readonly QuestionOption[];
  /** Shown where it is another than `default`. */
  readonly project?: string;
  /** The question may have been seen already: marked so. */
  readonly repeat?: boolean;
}

export type QuestionText =
  | { readonly code: 'text'; readonly text: string }
  /** Even without context, descriptions and question it is too long, by `excessUnits`. */
  | { readonly code: 'titles_too_long'; readonly excessUnits: number };

/** Between two blocks of a message. */
export const blockBreak = '\n\n';

interface Parts {
  readonly header: string;
  readonly project: string | null;
  readonly question: string;
  readonly context: string | null;
  readonly options: readonly { readonly line: string; readonly description: string | null }[];
  readonly replyLine: string;
}

const partsOf = (message: QuestionMessage, texts: Texts): Parts => ({
  header: `${texts.header(message.qid)}${message.repeat === true ? ` ${texts.repeatMark}` : ''} `,
  project:
    message.project === undefined || message.project === 'default' ? null : texts.project(message.project),
  question: wellFormed(message.question),
  context: message.context === undefined || message.context === '' ? null : wellFormed(message.context),
  options: (message.options ?? []).map((option, index) => ({
    line: texts.optionNumber(index + 1) + wellFormed(option.title),
    description: option.description === undefined ? null : wellFormed(option.description),
  })),
  replyLine: texts.replyLine(message.qid),
});

/** A question uncut, in the pieces of which every message about it is made. */
export interface QuestionPieces {
  /** Ends in the space that parts it from `text`. */
  readonly head: string;
  /** Question, project and context, as blocks. */
  readonly text: string;
  /** One line an option, whole; the first follows the heading. Empty without options. */
  readonly optionLines: readonly string[];
  readonly replyLine: string;
}

const piecesOf = (parts: Parts, texts: Texts): QuestionPieces => {
  const blocks = [parts.question];
  if (parts.project !== null) blocks.push(parts.project);
  if (parts.context !== null) blocks.push(texts.contextPrefix + parts.context);
  return {
    head: parts.header,
    text: blocks.join(blockBreak),
    optionLines: parts.options.map(({ line, description }) =>
      description === null ? line : line + texts.descriptionPrefix + description,
    ),
    replyLine: parts.replyLine,
  };
};

/** Takes a question of any length; gives all of it, cut nowhere. */
export const questionPieces = (message: QuestionMessage, texts: Texts = english): QuestionPieces =>
  piecesOf(partsOf(message, texts), texts);

const assemble = (parts: Parts, texts: Texts): string => {
  const { head, text, optionLines, replyLine } = piecesOf(parts, texts);
  const options = optionLines.length === 0 ? [] : [[texts.optionsHeading, ...optionLines].join('\n')];
  return [head + text, ...options, replyLine].join(blockBreak);
};

/** Every description cut to at most `units`; one of which nothing but the mark would be left goes whole. */
const withDescriptions = (parts: Parts, units: number, mark: string): Parts => ({
  ...parts,
  options: parts.options.map(({ line, description }) => {
    const cut = description === null ? '' : cutTo(description, units, mark);
    return { line, description: cut === '' || (cut === mark && description !== mark) ? null : cut };
  }),
});

/** The largest common length of descriptions with which everything fits, by halving: at most 13 steps. */
const fitDescriptions = (parts: Parts, texts: Texts): Parts => {
  let fits = 0;
  let tooLong: number = limits.messageUnits;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    const length = assemble(withDescriptions(parts, middle, texts.cutMark), texts).length;
    if (length <= limits.messageUnits) fits = middle;
    else tooLong = middle;
  }
  return withDescriptions(parts, fits, texts.cutMark);
};

/**
 * Takes a question of any length; gives the message, cut as Q2 says, or says by how many code units the titles alone
 * are too long. The same input gives the same text.
 */
export const formatTelegramQuestion = (message: QuestionMessage, texts: Texts = english): QuestionText => {
  const parts = partsOf(message, texts);
  const whole = assemble(parts, texts);
  if (whole.length <= limits.messageUnits) return { code: 'text', text: whole };

  const bare = { ...parts, context: null };
  const left = limits.messageUnits - assemble(bare, texts).length;
  if (left >= 0) {
    const contextUnits = left - blockBreak.length - texts.contextPrefix.length;
    const context = parts.context === null ? '' : cutTo(parts.context, contextUnits, texts.cutMark);
    return { code: 'text', text: assemble({ ...bare, context: context === '' ? null : context }, texts) };
  }

  const untold = withDescriptions(bare, 0, texts.cutMark);
  const leftForDescriptions = limits.messageUnits - assemble(untold, texts).length;
  if (leftForDescriptions >= 0) return { code: 'text', text: assemble(fitDescriptions(bare, texts), texts) };

  const questionUnits = leftForDescriptions + parts.question.length;
  const needed = Math.min(parts.question.length, texts.cutMark.length);
  if (questionUnits < needed) return { code: 'titles_too_long', excessUnits: needed - questionUnits };
  const question = cutTo(parts.question, questionUnits, texts.cutMark);
  return { code: 'text', text: assemble({ ...untold, question }, texts) };
};

/** The nack for a question whose titles do not fit (05). */
export const titlesTooLongError = (excessUnits: number): string =>
  `the option titles are too long for one message of ${limits.messageUnits} UTF-16 code units by ${excessUnits}: shorten or drop options`;
