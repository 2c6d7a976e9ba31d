/**
 * What is asked: a structured question as it is, or plain text with a line that says who asks (04 Wire, 05 The Telegram
 * question, whole). Reading the prompt's JSON is the envelope package's work.
 */
import * as z from 'zod';
import type { Texts } from './texts.ts';

export const optionSchema = z.object({ title: z.string(), description: z.string().optional() });
export type QuestionOption = z.infer<typeof optionSchema>;

export const questionSchema = z.object({
  question: z.string(),
  context: z.string().optional(),
  options: z.array(optionSchema),
});
export type Question = z.infer<typeof questionSchema>;

/** A prompt's text after reading: the structured question it holds, or the text itself. */
export type AskedText =
  | {
      readonly kind: 'question';
      readonly question: {
        readonly question: string;
        readonly context?: string;
        readonly options?: readonly { readonly title: string; readonly description?: string }[];
      };
    }
  | { readonly kind: 'text'; readonly text: string };

export interface AskedBy {
  readonly name: string | null;
  readonly cwd: string | null;
}

/**
 * Takes what a prompt asks and who sent it; gives the question. Empty context and descriptions count as absent. Plain
 * text gets `From <sender_name> @ <sender_cwd>` as context where both are known.
 */
export const questionOf = (asked: AskedText, by: AskedBy, texts: Texts): Question => {
  if (asked.kind === 'text') {
    const { name, cwd } = by;
    const context = name !== null && cwd !== null ? { context: texts.sender(name, cwd) } : {};
    return { question: asked.text, ...context, options: [] };
  }
  const { question, context, options = [] } = asked.question;
  return {
    question,
    ...(context ? { context } : {}),
    options: options.map(({ title, description }) => ({ title, ...(description ? { description } : {}) })),
  };
};
