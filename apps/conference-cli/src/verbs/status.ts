/** `conference status DIR`: state, dispatch table, budget, decision record, next action. Reads only. */
import { resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { fail, print } from '../output.ts';
import { readFolder } from '../store/read-folder.ts';
import { statusDocument, statusText } from '../views/status-view.ts';

export interface StatusFlags {
  readonly json: boolean;
}

export async function status(context: CliContext, flags: StatusFlags, folder = '.'): Promise<void> {
  const read = await readFolder(resolve(context.cwd, folder));
  if (!read.ok) return fail(context, flags, read.failure);
  const input = { ...read, now: Date.now() };
  print(context, flags, { document: statusDocument(input), words: () => statusText(input) });
}
