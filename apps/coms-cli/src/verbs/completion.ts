/**
 * Shell completion. The scripts are thin: they call `coms __complete -- <words>` and show what comes back.
 */
import { proposeCompletions } from '@stricli/core';
import { app } from '../app.ts';
import { completionScript } from '../completion-script.ts';
import type { CliContext } from '../context.ts';
import type { Shell } from '../shells.ts';

export function completion(context: CliContext, _flags: unknown, shell: Shell): void {
  context.out(completionScript(shell));
}

/** Verbs whose words after the first are free text, which nothing is proposed for. */
const textVerbs = new Set(['send', 'reply', 'ask']);

function isFreeText(words: readonly string[]): boolean {
  const [verb, ...rest] = words;
  const partial = rest.at(-1) ?? '';
  if (verb === undefined || !textVerbs.has(verb) || partial.startsWith('-')) return false;
  const before = rest.slice(0, -1).filter((word) => !word.startsWith('-'));
  return verb === 'ask'
    ? !(rest.at(-2) ?? '').startsWith('--')
    : before.length > 0 && !(rest.at(-2) ?? '').startsWith('--');
}

/** Never fails: a shell in mid-line must not be disturbed. */
export async function complete(context: CliContext, _flags: unknown, ...words: string[]): Promise<void> {
  if (isFreeText(words)) return;
  try {
    for (const { completion: value, brief } of await proposeCompletions(app, words, context)) {
      context.out(`${value}\t${brief.replaceAll(/\s+/g, ' ')}\n`);
    }
  } catch {
    // Nothing to propose.
  }
}
