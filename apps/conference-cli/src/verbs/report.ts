/** `conference report DIR`: the report again, made from the ledger and the content (07). */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { FINAL_REPORT_MD, renderReport } from '@x/conference-core';
import { ContentMissing, read, reportWithout, type ContentPort } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { fail, print } from '../output.ts';
import { readingContent } from '../store/reading-content.ts';
import { readFolder, type FolderReading } from '../store/read-folder.ts';

export interface ReportFlags {
  readonly json: boolean;
}

export async function report(context: CliContext, flags: ReportFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  const found = await readFolder(path);
  if (!found.ok) return fail(context, flags, found.failure);
  const content = readingContent(realpathSync(path));
  try {
    const { state } = found;
    // The finished report names the ledger as it was before the report's own record.
    const text = reportText(found, content.objects);
    print(context, flags, {
      document: { report: text, finished: state.closing.receipt !== null },
      words: () => text,
    });
  } catch (error) {
    if (!(error instanceof ContentMissing)) throw error;
    fail(context, flags, {
      code: 'BLOCKED_STALE_CONFERENCE_STATE',
      message: `BLOCKED_STALE_CONFERENCE_STATE: ${error.message}`,
      exit: exitCode.blocked,
    });
  } finally {
    content.close();
  }
}

/** A report that was written without content that was lost is that report; any other is made whole or not at all. */
function reportText({ state, head, reportHead }: FolderReading, objects: ContentPort): string {
  const at = reportHead ?? head;
  const recorded = state.artifacts.get(FINAL_REPORT_MD)?.digest;
  if (recorded !== undefined) {
    const { bytes, digest } = reportWithout(state, at, objects);
    if (digest === recorded) return new TextDecoder().decode(bytes);
  }
  return read(renderReport(state, at), objects);
}
