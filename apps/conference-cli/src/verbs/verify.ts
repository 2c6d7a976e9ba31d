/** `conference verify DIR`: chain, packets, artifacts; what holds, what does not, and what cannot be proved (07). */
import { resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { fail, print } from '../output.ts';
import { verifyFolder, type Verification } from '../verify/verify-folder.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface VerifyFlags {
  readonly json: boolean;
  readonly deep: boolean;
}

export async function verify(context: CliContext, flags: VerifyFlags, folder = '.'): Promise<void> {
  const result = await verifyFolder(resolve(context.cwd, folder), { deep: flags.deep });
  if (!result.ok) return fail(context, flags, result.failure);
  const { verification } = result;
  print(context, flags, { document: verification, words: () => words(verification) });
  if (!verification.holds) context.exit(exitCode.blocked);
}

function words({ holds, events, head, findings, orphans, proved, not_proved }: Verification): string {
  const list = (lines: readonly string[]): string =>
    lines.map((line) => `  ${terminalText(line)}\n`).join('');
  const wrong = findings.map(({ where, problem }) => `${where}: ${problem}`);
  return [
    holds ? `Holds: ${events} events, head ${head}\n` : `Does not hold: ${terminalText(wrong[0] ?? '')}\n`,
    wrong.length > 1 ? `More that is wrong:\n${list(wrong.slice(1))}` : '',
    `Compared:\n${list(proved)}`,
    not_proved.length === 0 ? '' : `Cannot be proved:\n${list(not_proved)}`,
    orphans.length === 0 ? '' : `Content that no event names (harmless):\n${list(orphans)}`,
  ].join('');
}
