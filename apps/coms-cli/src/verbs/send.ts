import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { responseText } from '../report.ts';
import { sendMessage, type MessageFlags } from '../send-message.ts';
import { readStdin } from '../stdin.ts';

export interface SendFlags extends MessageFlags {
  readonly hops?: number;
}

/** `coms send <peer> <text…>`; the text `-` stands for stdin. */
export async function send(
  context: CliContext,
  flags: SendFlags,
  peer: string,
  ...words: string[]
): Promise<void> {
  let text = words.join(' ');
  if (text === '-') {
    const read = await readStdin(context.node.stdin);
    if (!read.ok) {
      context.err(`coms: ${read.message}`);
      return context.exit(exitCode.failed);
    }
    text = read.text;
  }
  const { hops } = flags;
  await sendMessage(context, flags, {
    peer,
    text,
    show: responseText,
    ...(hops === undefined ? {} : { hops }),
  });
}
