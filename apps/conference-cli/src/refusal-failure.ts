/** What a command that was not carried out means for the exit code (07). */
import type { Executed } from '@x/conference-core/chair';
import { exitCode } from './exit-code.ts';
import type { Failure } from './output.ts';

export function refusalFailure(executed: Exclude<Executed, { status: 'done' }>): Failure {
  if (executed.status === 'not_recorded') {
    const { code, message } = executed.trouble;
    return { code, message: `${code}: ${message}`, exit: exitCode.failed };
  }
  const { code, message } = executed.refusal;
  const exit = code === 'GRANT_REQUIRED' ? exitCode.asked : exitCode.usage;
  return { code, message: `${code}: ${message}`, exit };
}
