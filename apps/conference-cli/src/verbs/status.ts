/**
 * `conference status DIR`: state, dispatch table, budget, decision record, next action. Reads only.
 * While somebody runs the conference, it is that process that answers (07).
 */
import { resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { forward } from '../control/forward.ts';
import { fail, print } from '../output.ts';
import { readFolder } from '../store/read-folder.ts';
import { statusDocument, statusText } from '../views/status-view.ts';

export interface StatusFlags {
  readonly json: boolean;
}

export async function status(context: CliContext, flags: StatusFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  if (await forward(context, flags, { folder: path, request: { verb: 'status' } })) return;
  const read = await readFolder(path);
  if (!read.ok) return fail(context, flags, read.failure);
  const input = { ...read, now: Date.now() };
  print(context, flags, { document: statusDocument(input), words: () => statusText(input) });
}
