/** Asks a person at the terminal (01 Asking). Loaded only when there is one. */
import { isCancel, select, text } from '@clack/prompts';
import type { Asker } from '@x/conference-core/chair';
import type { DecisionOption } from '@x/protocol';
import { terminalText } from '../views/terminal-text.ts';

/** `pause` and `resume` stop and go on with the live view, which would draw over the question. */
export function terminalAsker(view: { readonly pause: () => void; readonly resume: () => void }): Asker {
  return {
    name: 'terminal',
    ask: async (decision, signal) => {
      view.pause();
      try {
        const chosen = await select<DecisionOption>({
          message: terminalText(decision.question),
          options: decision.options.map(({ id, label, consequence }) => ({
            value: id,
            label,
            hint: consequence,
          })),
          signal,
        });
        // No option is a default: leaving the question decides nothing.
        return isCancel(chosen) ? null : chosen;
      } finally {
        view.resume();
      }
    },
  };
}

/** Asks for the plan digest, or its first characters: a confirmation names what was read. */
export async function askConfirmation(planDigest: string): Promise<boolean> {
  const answer = await text({
    message:
      'Run it under these conditions? Type the first 8 digits of the plan digest to confirm, anything else to leave.',
    placeholder: planDigest.slice('sha256:'.length, 'sha256:'.length + 8),
  });
  if (isCancel(answer)) return false;
  const given = answer.trim().replace(/^sha256:/, '');
  return given.length >= 8 && planDigest.slice('sha256:'.length).startsWith(given);
}

export type CancelAnswer = 'go_on' | 'cancel' | 'stop';

/**
 * Asked once after Ctrl-C. While it is open the terminal gives keys, not signals: a second Ctrl-C is a key.
 * `signal` takes the question away, which leaves things as they are.
 */
export async function askCancel(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<CancelAnswer> {
  let again = false;
  const onKey = (_text: unknown, key: { readonly name?: string; readonly ctrl?: boolean }): void => {
    again ||= key.ctrl === true && key.name === 'c';
  };
  stdin.on('keypress', onKey);
  try {
    const chosen = await select<CancelAnswer>({
      message:
        'Cancel this conference? Open dispatches are ended and what was not reviewed is discarded. (Ctrl-C again stops at once.)',
      options: [
        { value: 'go_on', label: 'Go on' },
        { value: 'cancel', label: 'Cancel it' },
      ],
      signal,
    });
    return isCancel(chosen) ? (again ? 'stop' : 'go_on') : chosen;
  } finally {
    stdin.off('keypress', onKey);
  }
}

/** Asked before an interrupted conference goes on. */
export async function askResume(): Promise<boolean> {
  const chosen = await select({
    message: 'Go on with this conference?',
    options: [
      { value: false, label: 'Leave it as it is' },
      { value: true, label: 'Go on' },
    ],
  });
  return chosen === true;
}
