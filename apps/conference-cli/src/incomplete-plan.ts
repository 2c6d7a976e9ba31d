/** What every verb that needs a complete plan says of one that is not: only what is missing or vague, and exit 3. */
import type { GateFinding } from '@x/conference-core';
import type { CliContext } from './context.ts';
import { exitCode } from './exit-code.ts';
import { print, type OutputFlags } from './output.ts';
import { findingsText } from './views/gate-view.ts';

export function tellIncomplete(
  context: CliContext,
  flags: OutputFlags,
  findings: readonly GateFinding[],
): void {
  print(context, flags, { document: { complete: false, findings }, words: () => findingsText(findings) });
  context.exit(exitCode.asked);
}
