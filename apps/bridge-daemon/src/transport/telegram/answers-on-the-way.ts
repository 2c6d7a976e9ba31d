/**
 * Answers between the message that gave them and the bridge that takes them: what may still change, what may be written
 * now. Pure.
 *
 * W1 For one question answers are written in the order in which they were given: a long one that still waits for its
 *    next piece is not overtaken by a short one.
 * W2 An answer whose question no longer is open was taken, or came too late: it never changes again.
 */
import type { Qid } from '@x/bridge';
import { createHash } from 'node:crypto';
import type { Spot } from './heard.ts';
import type { AnswerOnTheWay, Draft, UpdatesState } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

export type StandingOf = (qid: Qid) => 'open' | 'closed' | 'unknown';

export const textDigest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

export const answerText = ({ pieces }: Pick<AnswerOnTheWay, 'pieces'>): string =>
  pieces.map(({ text }) => text).join('');

export const isSpot = (one: Pick<Spot, 'chat' | 'message'>, other: Pick<Spot, 'chat' | 'message'>): boolean =>
  one.chat === other.chat && one.message === other.message;

/** The message's text is known, and which question it answered; an older note of the same message goes. */
export const withHeard = (
  state: UpdatesState,
  spot: Pick<Spot, 'chat' | 'message'>,
  { qid, text }: { readonly qid: Qid | null; readonly text: string },
): UpdatesState => {
  const { chat, message } = spot;
  const others = state.heard.filter((entry) => !isSpot(entry, spot));
  const entry = { chat, message, qid, digest: textDigest(text) };
  return { ...state, heard: [...others, entry].slice(-wayInLimits.heardMessages) };
};

/** Without the answers that can no longer change: W2. */
export const withoutTaken = (state: UpdatesState, standing: StandingOf): UpdatesState => {
  const answers = state.answers.filter(({ due, qid }) => due || standing(qid) === 'open');
  return answers.length === state.answers.length ? state : { ...state, answers };
};

/**
 * After a kill, of a state without the taken answers: the first one of a question, where it is due and complete, may have
 * been written, and even taken, before that was stored. It counts among its own written versions.
 */
export const withInDoubt = (
  state: UpdatesState,
  digestOf: (answer: AnswerOnTheWay) => string,
): UpdatesState => {
  const met = new Set<Qid>();
  const answers = state.answers.map((answer) => {
    const first = !met.has(answer.qid);
    met.add(answer.qid);
    if (!first || !answer.due || answer.joining !== null) return answer;
    return { ...answer, written: [...new Set([...answer.written, digestOf(answer)])] };
  });
  return met.size === 0 ? state : { ...state, answers };
};

const unitsOf = (items: readonly Pick<AnswerOnTheWay, 'pieces'>[]): number =>
  items.reduce((all, item) => item.pieces.reduce((sum, { text }) => sum + text.length, all), 0);

/** With one more answer; null where there is no room: none that is still to be written may be given up for it. */
export const withAnswer = (state: UpdatesState, answer: AnswerOnTheWay): UpdatesState | null => {
  const fits = (answers: readonly AnswerOnTheWay[]): boolean =>
    answers.length <= wayInLimits.answers && unitsOf(answers) <= wayInLimits.answerUnits;
  const all = [...state.answers, answer];
  if (fits(all)) return { ...state, answers: all };
  // Those that lie in their place are only kept for the sake of an edit.
  const needed = all.filter(({ due }) => due);
  return fits(needed) ? { ...state, answers: needed } : null;
};

/** With one more draft; the oldest go where there are too many. */
export const withDraft = (state: UpdatesState, draft: Draft): UpdatesState => {
  let drafts = [...state.drafts, draft].slice(-wayInLimits.drafts);
  while (drafts.length > 1 && unitsOf(drafts) > wayInLimits.draftUnits) drafts = drafts.slice(1);
  return { ...state, drafts };
};

export const withAnswerReplaced = (
  state: UpdatesState,
  answer: AnswerOnTheWay,
  next: AnswerOnTheWay | null,
): UpdatesState => ({
  ...state,
  answers: state.answers.flatMap((other) => (other !== answer ? [other] : next === null ? [] : [next])),
});

/** `item` with this message's piece saying something else. */
export const withPiece = <Item extends AnswerOnTheWay | Draft>(
  item: Item,
  message: number,
  text: string,
): Item => ({
  ...item,
  pieces: item.pieces.map((piece) => (piece.message === message ? { message, text } : piece)),
});

/** `item` with one more piece; a long one may itself go on. */
export const withMore = <Item extends AnswerOnTheWay | Draft>(
  item: Item,
  piece: { readonly message: number; readonly text: string; readonly at: number },
  now: number,
): Item => {
  const { message, text, at } = piece;
  const pieces = [...item.pieces, { message, text }];
  return { ...item, pieces, joining: joiningAfter(text, at, now) ?? item.joining };
};

/** How long a message waits for its continuation: not at all where it is short. */
export const joiningAfter = (text: string, at: number, now: number): AnswerOnTheWay['joining'] =>
  text.length < wayInLimits.longUnits ? null : { last_at: at, until: now + wayInLimits.joinMs };

type Joinable = Pick<AnswerOnTheWay, 'user' | 'chat' | 'topic' | 'joining' | 'pieces'>;

const sameVoice = (item: Joinable, voice: Pick<Joinable, 'user' | 'chat' | 'topic'>): boolean =>
  item.user === voice.user && item.chat === voice.chat && item.topic === voice.topic;

/** Whether a message of this person, written at `at`, goes on with `item`. */
export const goesOn = (
  item: Joinable,
  voice: Pick<Joinable, 'user' | 'chat' | 'topic'>,
  at: number,
): boolean =>
  item.joining !== null &&
  item.pieces.length < wayInLimits.pieces &&
  sameVoice(item, voice) &&
  at - item.joining.last_at <= wayInLimits.joinMs;

/** This person has said something else here: what waited for a continuation waits no longer. */
export const withJoiningEnded = (
  state: UpdatesState,
  ends: (item: AnswerOnTheWay | Draft) => boolean,
): UpdatesState => {
  const end = <Item extends AnswerOnTheWay | Draft>(item: Item): Item =>
    item.joining !== null && ends(item) ? { ...item, joining: null } : item;
  return { ...state, answers: state.answers.map(end), drafts: state.drafts.map(end) };
};

export const ofVoice =
  (voice: Pick<Joinable, 'user' | 'chat' | 'topic'>) =>
  (item: Joinable): boolean =>
    sameVoice(item, voice);

/** Milliseconds until the waiting is over; 0 where it is. A clock that was set back does not make it longer. */
const waitMs = ({ joining }: AnswerOnTheWay, now: number, blindMs: number): number => {
  if (joining === null) return 0;
  const left = joining.until - now;
  return Math.max(0, left > wayInLimits.joinMs ? 0 : left, blindMs);
};

export interface Writable {
  /** Answers to write now, in order. */
  readonly ready: readonly AnswerOnTheWay[];
  /** When to look again, in milliseconds from now; null where nothing waits for time to pass. */
  readonly againMs: number | null;
}

/**
 * `blindMs`: how long updates that are not fetched yet are waited for, as the continuation may be among them; 0 where all
 * are known.
 */
export const writableAnswers = (state: UpdatesState, now: number, blindMs: number): Writable => {
  const ready: AnswerOnTheWay[] = [];
  const waiting = new Set<Qid>();
  let againMs: number | null = null;
  for (const answer of state.answers) {
    if (!answer.due || waiting.has(answer.qid)) continue;
    const ms = waitMs(answer, now, blindMs);
    if (ms > 0) againMs = Math.min(againMs ?? ms, ms);
    else ready.push(answer);
    // One at a time: what comes after it is looked at once it lies in its place.
    waiting.add(answer.qid);
  }
  return { ready, againMs };
};
