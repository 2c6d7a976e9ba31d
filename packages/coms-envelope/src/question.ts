/**
 * A prompt's text may itself be a structured question (04 Wire); anything else is plain text.
 *
 * Boundary: reading and writing that JSON. What a person is shown is not known here.
 */
import * as z from 'zod/mini';

const optionSchema = z.union([
  z.string(),
  z.looseObject({ title: z.string(), description: z.optional(z.string()) }),
]);

const questionSchema = z.looseObject({
  question: z.string(),
  context: z.optional(z.string()),
  options: z.optional(z.array(optionSchema)),
});

export interface QuestionOption {
  readonly title: string;
  readonly description?: string;
}

/** A question with its options in one form, whichever of the two each was written in. */
export interface Question {
  readonly question: string;
  readonly context?: string;
  readonly options: readonly QuestionOption[];
}

export type PromptText =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'text'; readonly text: string };

function option(value: z.infer<typeof optionSchema>): QuestionOption {
  if (typeof value === 'string') return { title: value };
  if (value.description === undefined) return { title: value.title };
  return { title: value.title, description: value.description };
}

/** Never refuses: text that is no such JSON, or JSON of another shape, is plain text. */
export function readPromptText(text: string): PromptText {
  const plain: PromptText = { kind: 'text', text };
  if (!text.trimStart().startsWith('{')) return plain;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return plain;
  }
  const checked = questionSchema.safeParse(value);
  if (!checked.success) return plain;
  const { question, context, options = [] } = checked.data;
  return {
    kind: 'question',
    question: { question, ...(context === undefined ? {} : { context }), options: options.map(option) },
  };
}

/** The prompt text for a question; options without a description are written as strings. */
export function writeQuestion(question: Question): string {
  const { context, options } = question;
  return JSON.stringify({
    question: question.question,
    ...(context === undefined ? {} : { context }),
    ...(options.length === 0
      ? {}
      : { options: options.map((each) => (each.description === undefined ? each.title : each)) }),
  });
}
