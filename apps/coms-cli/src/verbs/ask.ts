import { writeQuestion } from '@x/coms-envelope';
import type { CliContext } from '../context.ts';
import { answerText } from '../report.ts';
import { sendMessage, type MessageFlags } from '../send-message.ts';

export interface AskFlags extends MessageFlags {
  readonly to: string;
  readonly option?: readonly string[];
  readonly context?: string;
}

/** `coms ask <question…>`: a structured question, by default for the person behind `user-remote`. */
export async function ask(context: CliContext, flags: AskFlags, ...words: string[]): Promise<void> {
  const text = writeQuestion({
    question: words.join(' '),
    ...(flags.context === undefined ? {} : { context: flags.context }),
    options: (flags.option ?? []).map((title) => ({ title })),
  });
  await sendMessage(context, flags, { peer: flags.to, text, show: answerText });
}
