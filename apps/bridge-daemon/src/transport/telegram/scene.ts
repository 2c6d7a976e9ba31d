/**
 * What a rule of the way in sees, and what all of them do with it: texts that are owed, questions that are named or
 * listed. Pure.
 */
import { parseQid, type Qid } from '@x/bridge';
import type { RepliedTo, Spot } from './heard.ts';
import type { ListedQuestion, PersonTexts } from './person-texts.ts';
import type { OpenQuestion } from './ports.ts';
import type { OwedText, UpdatesState } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

/** What the rules may look at besides the state: facts of this moment. */
export interface DeskView {
  /** Questions that wait for an answer here, oldest first. */
  open(): readonly OpenQuestion[];
  standing(qid: Qid): 'open' | 'closed' | 'unknown';
  optionOf(token: string): { readonly qid: Qid; readonly index: number } | null;
  qidOf(chat: number, message: number): Qid | null;
  /** The topic that questions go to. */
  readonly topic: number | null;
  readonly texts: PersonTexts;
}

export interface Scene<Kind> {
  readonly state: UpdatesState;
  readonly heard: Kind;
  readonly view: DeskView;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** With a text owed to the person, as a reply to what they wrote. */
export const told = (
  { state, heard, now }: Pick<Scene<{ readonly spot: Spot }>, 'state' | 'heard' | 'now'>,
  text: string,
  buttons: Extract<OwedText, { do: 'reply' }>['buttons'] = [],
): UpdatesState => {
  const owed: OwedText = { do: 'reply', ...heard.spot, text, buttons, since: now };
  return { ...state, texts: [...state.texts, owed].slice(-wayInLimits.texts) };
};

const prefix = /^\s*HUB-Q\s*:\s*([0-9A-Z]{26})\s*:/i;

/** What stands after `HUB-Q:<qid>:`, or null where the text does not begin so. */
export const afterPrefix = (text: string): { readonly qid: Qid; readonly answer: string } | null => {
  const found = prefix.exec(text);
  const qid = parseQid(found?.[1]?.toUpperCase() ?? '');
  return found === null || qid === null ? null : { qid, answer: text.slice(found[0].length).trimStart() };
};

/** The question whose message was replied to. */
export const repliedQuestion = (chat: number, reply: RepliedTo | null, view: DeskView): Qid | null =>
  reply === null ? null : (view.qidOf(chat, reply.message) ?? reply.qid);

const minuteMs = 60_000;

export const listedOf = (questions: readonly OpenQuestion[], now: number): ListedQuestion[] =>
  questions.slice(0, wayInLimits.listed).map(({ qid, question, deadline }) => ({
    qid,
    question: question.question,
    minutesLeft: Math.max(0, Math.ceil((Date.parse(deadline) - now) / minuteMs)),
  }));
