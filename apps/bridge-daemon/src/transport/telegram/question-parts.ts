/**
 * A question as messages of at most 4,096 UTF-16 code units (05 The daemon): one where it fits, else parts.
 *
 * P1 Nothing is cut away: the bodies of the parts, laid side by side, are the question character for character.
 * P2 Every part names the qid in its first line, so that a reply to any of them is a reply to the question.
 * P3 The options stand whole in the last part; where they alone are too long for one, each option's line stands whole in
 *    some part, and the last ends with the reply line.
 * P4 Telegram drops white space at both ends of a message: no part begins or ends with a character of the question.
 * P5 No surrogate pair is cut in half, and no grapheme that fits into a part.
 * P6 A repeat is cut as the first sending was: part 2 of the one follows part 1 of the other.
 */
import {
  blockBreak,
  cutTo,
  english,
  graphemePrefix,
  limits,
  questionPieces,
  type QuestionPieces,
  type Texts,
} from '@x/bridge';
import type { PutQuestion } from '../question-transport.ts';
import { telegramLimits } from './telegram-limits.ts';

export type QuestionParts =
  | {
      readonly code: 'parts';
      /** In order; at least one. */
      readonly texts: readonly string[];
    }
  /** No message can hold it; `message` is for the nack. */
  | { readonly code: 'refused'; readonly message: string };

/** Candidates for a cut that are looked at before the text is cut where it is full. */
const whiteSpaceTriesMax = 20;
/** A part is at least so full before a cut at white space is preferred, of its room. */
const fullEnough = 0.6;

const piecesOf = ({ qid, question, project, repeat }: PutQuestion, texts: Texts): QuestionPieces => {
  const { context, options } = question;
  const message = { qid, question: question.question, options, project, repeat };
  return questionPieces(context === undefined ? message : { ...message, context }, texts);
};

/** Where a text that has not room is cut: after white space near its end, else between graphemes, else code points. */
const cutAt = (text: string, units: number): number => {
  const full = graphemePrefix(text, units).length;
  if (full === 0) {
    // One grapheme larger than a message.
    const last = text.charCodeAt(units - 1);
    return last >= 0xd800 && last <= 0xdbff ? units - 1 : units;
  }
  let at = full;
  for (let tries = 0; tries < whiteSpaceTriesMax && at > full * fullEnough; tries += 1) {
    const isGap = /\s/.test(text[at - 1] ?? '');
    if (isGap && graphemePrefix(text, at).length === at) return at;
    const gap = text.slice(0, at - 1).search(/\s\S*$/);
    if (gap === -1) break;
    at = gap + 1;
  }
  return full;
};

/** Slices of at most `units` that are together `text`; the last leaves `tail` units free. At least one slice. */
const slices = (text: string, units: number, tail: number): string[] => {
  const made: string[] = [];
  let rest = text;
  while (rest.length > units - tail) {
    const at = cutAt(rest, Math.min(units, rest.length));
    made.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...made, rest];
};

/** Lines in groups that fit into `units`; a line that fits into none is cut as text is. */
const groups = (lines: readonly string[], units: number): string[] => {
  const made: string[] = [];
  let group = '';
  for (const line of lines) {
    if (group !== '' && group.length + line.length > units) {
      made.push(group);
      group = '';
    }
    const [first = '', ...more] = slices(group + line, units, 0).toReversed();
    made.push(...more.toReversed());
    group = first;
  }
  return [...made, group];
};

/** The bodies of the parts: what is between the head and the last line of each. */
const bodiesOf = ({ text, optionLines }: QuestionPieces, units: number, texts: Texts): string[] => {
  if (optionLines.length === 0) return slices(text, units, 0);
  const lines = [blockBreak + texts.optionsHeading, ...optionLines.map((line) => `\n${line}`)];
  const options = lines.join('');
  if (options.length > units) return [...slices(text, units, 0), ...groups(lines, units)];
  const made = slices(text, units, options.length);
  return [...made.slice(0, -1), (made.at(-1) ?? '') + options];
};

const refusalOf = (put: PutQuestion, units: number, texts: Texts): string | null => {
  // `\n` and the number stand before a title.
  const tooLong = put.question.options.findIndex(
    ({ title }, index) => title.length + texts.optionNumber(index + 1).length + 1 > units,
  );
  if (tooLong === -1) return null;
  const excess =
    (put.question.options[tooLong]?.title.length ?? 0) + texts.optionNumber(tooLong + 1).length + 1 - units;
  return `the title of option ${tooLong + 1} is too long for one message by ${excess} UTF-16 code units: shorten it`;
};

const asOne = ({ head, text, optionLines, replyLine }: QuestionPieces, texts: Texts): string => {
  const options = optionLines.length === 0 ? [] : [[texts.optionsHeading, ...optionLines].join('\n')];
  return [head + text, ...options, replyLine].join(blockBreak);
};

/** The same input gives the same parts; `repeat` changes heads alone. Never throws. */
export const questionParts = (put: PutQuestion, texts: Texts = english): QuestionParts => {
  const pieces = piecesOf(put, texts);
  const plain = asOne(piecesOf({ ...put, repeat: false }, texts), texts);
  if (plain.length <= limits.messageUnits) {
    const whole = asOne(pieces, texts);
    if (whole.length <= limits.messageUnits) return { code: 'parts', texts: [whole] };
    return { code: 'parts', texts: [asOne({ ...pieces, replyLine: texts.shortReplyLine(put.qid) }, texts)] };
  }
  const marked = piecesOf({ ...put, repeat: true }, texts).head;
  const most = telegramLimits.parts;
  const head = (part: number, parts: number, start: string): string =>
    `${start}${texts.partMark(part, parts)} `;
  const lastLine = `${blockBreak}${pieces.replyLine}`;
  const goesOn = `\n${texts.continued}`;
  const units =
    limits.messageUnits - head(most, most, marked).length - Math.max(lastLine.length, goesOn.length);
  const why = refusalOf(put, units, texts);
  if (why !== null) return { code: 'refused', message: why };
  const bodies = bodiesOf(pieces, units, texts);
  const parts = bodies.length;
  if (parts > most)
    return {
      code: 'refused',
      message: `the question needs ${parts} messages, more than ${most}: shorten it`,
    };
  return {
    code: 'parts',
    texts: bodies.map(
      (body, index) => head(index + 1, parts, pieces.head) + body + (index === parts - 1 ? lastLine : goesOn),
    ),
  };
};

/** The last part with `outcome` in the place of its reply line, cut to one message. */
export const withOutcome = (put: PutQuestion, outcome: string, texts: Texts = english): string | null => {
  const made = questionParts(put, texts);
  const last = made.code === 'parts' ? made.texts.at(-1) : undefined;
  if (last === undefined) return null;
  const rest = last.slice(0, last.lastIndexOf(blockBreak) + blockBreak.length);
  return rest + cutTo(outcome, limits.messageUnits - rest.length, texts.cutMark);
};
