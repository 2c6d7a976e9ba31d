/**
 * Every text that a person reads, in one table a language (05 The Telegram question, whole).
 * What goes to programs (errors on the wire, log events) is not here: it is the same in every language.
 */
import type { Qid } from './qid.ts';

export interface Texts {
  /** The first block up to the question itself, which follows after one space. */
  readonly header: (qid: Qid) => string;
  /** Stands between header and question where the question may already have been seen. */
  readonly repeatMark: string;
  readonly project: (project: string) => string;
  readonly contextPrefix: string;
  readonly optionsHeading: string;
  readonly optionNumber: (number: number) => string;
  readonly descriptionPrefix: string;
  readonly replyLine: (qid: Qid) => string;
  /** Takes its place where the mark of a repeat leaves no room for it: shorter by more than that mark. */
  readonly shortReplyLine: (qid: Qid) => string;
  /** Stands after the header where a question takes several messages. */
  readonly partMark: (part: number, parts: number) => string;
  /** The last line of every such message but the last. */
  readonly continued: string;
  /** Where a text was cut. One code unit, so that budgets stay exact. */
  readonly cutMark: string;
  readonly sender: (name: string, cwd: string) => string;
  readonly cancelledNote: (qid: Qid) => string;
  readonly timeoutNote: (qid: Qid, timeoutMs: number) => string;
  readonly lateAnswerNote: (qid: Qid) => string;
  /** These take the place of the reply line, where a channel can change what it sent. `by` null: from the console. */
  readonly answeredLine: (by: string, answer: string) => string;
  readonly cancelledLine: (by: string | null) => string;
  readonly timeoutLine: (timeoutMs: number) => string;
  /** Ends an answer that did not fit into one envelope; names the file that holds all of it. */
  readonly answerCut: (file: string) => string;
}

export const english: Texts = {
  header: (qid) => `❓ [HUB-Q:${qid}]`,
  repeatMark: '(repeat)',
  project: (project) => `📁 Project: ${project}`,
  contextPrefix: 'Context: ',
  optionsHeading: 'Options:',
  optionNumber: (number) => `${number}. `,
  descriptionPrefix: ' — ',
  replyLine: (qid) => `↩ Reply to this message, or type: HUB-Q:${qid}: <answer>`,
  shortReplyLine: (qid) => `↩ Reply, or type: HUB-Q:${qid}: <answer>`,
  partMark: (part, parts) => `(${part}/${parts})`,
  continued: '⤵ continued in the next message',
  cutMark: '…',
  sender: (name, cwd) => `From ${name} @ ${cwd}`,
  cancelledNote: (qid) => `✖ [HUB-Q:${qid}] The question was cancelled — it was answered from the console.`,
  timeoutNote: (qid, timeoutMs) => `⌛ [HUB-Q:${qid}] The question timed out after ${timeoutMs}ms.`,
  lateAnswerNote: (qid) => `ℹ [HUB-Q:${qid}] This question is already closed; the late answer was ignored.`,
  answeredLine: (by, answer) => `✅ Answered by ${by}: ${answer}`,
  cancelledLine: (by) =>
    by === null ? '✖ Cancelled — it was answered from the console.' : `✖ Cancelled by ${by}.`,
  timeoutLine: (timeoutMs) => `⌛ Timed out after ${timeoutMs}ms.`,
  answerCut: (file) => `… [cut: the whole answer is in ${file}]`,
};

/** One more language is one more row. */
export const locales = { en: english } as const satisfies Record<string, Texts>;
export type Locale = keyof typeof locales;
