/** A verb that the process which runs the conference carries out (07): asked first, and again where it took the lock meanwhile. */
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { fail, print, type OutputFlags } from '../output.ts';
import type { ControlRequest } from './control-server.ts';
import { controlSocketOf } from './control-socket.ts';

/** Whether the process that holds the folder did it, and what it said is printed. */
export async function forward(
  context: CliContext,
  flags: OutputFlags,
  { folder, request }: { readonly folder: string; readonly request: ControlRequest },
): Promise<boolean> {
  const path = await controlSocketOf(folder);
  if (path === null) return false;
  const { askHolder } = await import('./control-client.ts');
  const answer = await askHolder(path, request);
  if (answer === null) return false;
  if (answer.ok) {
    print(context, flags, { document: answer.document, words: () => answer.words });
    return true;
  }
  const { code, message, exit } = answer;
  // The exit code is one of ours: the holder is this same program.
  fail(context, flags, { code, message, exit: exit as ExitCode });
  return true;
}
