/** `conference next DIR`: what to do now. Read-only. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContentMissing } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { fail, print } from '../output.ts';
import { stepHead, type StepAction } from '../stepwise/delegate-task.ts';
import { previewActions } from '../stepwise/preview.ts';
import { readFolder } from '../store/read-folder.ts';
import { readingContent } from '../store/reading-content.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface NextFlags {
  readonly json: boolean;
}

export async function next(context: CliContext, flags: NextFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  const found = await readFolder(path);
  if (!found.ok) return fail(context, flags, found.failure);
  const content = readingContent(realpathSync(path));
  try {
    const { state, actions } = previewActions(found.state, content.objects, Date.now());
    print(context, flags, {
      document: { ...stepHead(state, found.head.seq), actions },
      words: () => wordsOf(actions),
    });
  } catch (error) {
    if (!(error instanceof ContentMissing)) throw error;
    const message = `BLOCKED_STALE_CONFERENCE_STATE: ${error.message}`;
    fail(context, flags, { code: 'BLOCKED_STALE_CONFERENCE_STATE', message, exit: exitCode.blocked });
  } finally {
    content.close();
  }
}

function wordsOf(actions: readonly StepAction[]): string {
  if (actions.length === 0)
    return 'Nothing to do by anybody but the root itself: any writing verb does it.\n';
  return actions
    .map((action) => {
      switch (action.action) {
        case 'delegate_task':
          return `delegate  ${action.role}${action.lane === undefined ? '' : ` ${action.lane}`}  ${action.dispatch_id} (not recorded yet: conference dispatch)\n`;
        case 'ask_user':
          return `decide    ${action.decision_id}  ${terminalText(action.question)}\n${action.options.map(({ id, consequence }) => `            ${id}: ${consequence}\n`).join('')}`;
        case 'wait':
          return `wait      for ${action.dispatch_ids.length} dispatches, until ${action.until}\n`;
        case 'done':
          return `done      ${action.outcome}, target_met: ${action.target_met}\n`;
      }
    })
    .join('');
}
