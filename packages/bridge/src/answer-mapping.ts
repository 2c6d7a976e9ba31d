/** What an answer means to the asker (source 004 Answer mapping). */
import * as z from 'zod';
import type { QuestionOption } from './question.ts';

export const askResponseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selection'), selections: z.array(z.string()) }),
  z.object({ kind: z.literal('freeform'), text: z.string() }),
]);
export type AskResponse = z.infer<typeof askResponseSchema>;

/** Letter case and the two ways to write an accented letter make no difference: a phone's keyboard chooses both. */
const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();

const rules: readonly {
  readonly id: string;
  readonly pick: (answer: string, options: readonly QuestionOption[]) => QuestionOption | undefined;
}[] = [
  {
    id: 'number',
    pick: (answer, options) => (/^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined),
  },
  {
    id: 'title',
    pick: (answer, options) => options.find((option) => folded(option.title) === folded(answer)),
  },
];

/**
 * Takes the answer as typed and the options as asked (none: always freeform). A 1-based number, then a title in any
 * letter case, is a selection, with the title as the question spelled it; everything else is freeform, trimmed.
 */
export const mapAnswerToAskResponse = (answer: string, options: readonly QuestionOption[]): AskResponse => {
  const trimmed = answer.trim();
  for (const rule of rules) {
    const option = rule.pick(trimmed, options);
    if (option !== undefined) return { kind: 'selection', selections: [option.title] };
  }
  return { kind: 'freeform', text: trimmed };
};
