/** `exec:<command>`: POSIX word splitting, no shell (07 exec). */
import { resolve } from 'node:path';
import { split } from 'shlex';

export type SplitCommand =
  | { readonly ok: true; readonly words: readonly [string, ...string[]] }
  | { readonly ok: false; readonly message: string };

/** Words that start with `./` or `../` resolve against the caller's folder: a child works in another one. */
export function splitCommand(command: string, cwd: string): SplitCommand {
  let words: string[];
  try {
    words = split(command);
  } catch {
    return { ok: false, message: `--host exec: the quotes of ${JSON.stringify(command)} do not close` };
  }
  const [first, ...rest] = words.map((word) => (/^\.{1,2}\//.test(word) ? resolve(cwd, word) : word));
  if (first === undefined || first === '') {
    return { ok: false, message: '--host exec: names no command; accepted is exec:<command with arguments>' };
  }
  return { ok: true, words: [first, ...rest] };
}
