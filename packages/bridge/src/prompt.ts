/** A prompt that arrives: new, the same again, or somebody else's under a taken `msg_id` (05). */
import { sameAsker, type Asker, type QuestionRecord } from './record.ts';

export type PromptJudgement =
  | { readonly code: 'new' }
  /** Acked and not asked again; a closed question's outcome is sent again. */
  | { readonly code: 'repeated' }
  | { readonly code: 'refused'; readonly error: string };

/** Takes the record that has the prompt's `msg_id` (null: none), and the prompt's sender and digest. */
export const judgePrompt = (
  record: QuestionRecord | null,
  asker: Asker,
  promptDigest: string,
): PromptJudgement => {
  if (record === null) return { code: 'new' };
  if (!sameAsker(record.asker, asker))
    return { code: 'refused', error: 'msg_id is taken by a question of another sender: use a new msg_id' };
  if (record.prompt_digest !== promptDigest)
    return { code: 'refused', error: 'msg_id is taken by a question with other content: use a new msg_id' };
  return { code: 'repeated' };
};
