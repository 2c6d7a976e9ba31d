/** Shell completion (07). */
import { completionScript } from '../completion-script.ts';
import type { CliContext } from '../context.ts';
import type { Shell } from '../shells.ts';

export function completion(context: CliContext, _flags: unknown, shell: Shell): void {
  context.out(completionScript(shell));
}

/** Never fails: a shell in mid-line must not be disturbed. */
export async function complete(context: CliContext, _flags: unknown, ...words: string[]): Promise<void> {
  try {
    for (const { completion: value, brief } of await context.propose(words)) {
      context.out(`${value}\t${brief.replaceAll(/\s+/g, ' ')}\n`);
    }
  } catch {
    // Nothing to propose.
  }
}
