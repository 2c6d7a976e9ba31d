import type { Refused } from '@x/ledger';
import { exitCode } from '../exit-code.ts';
import type { Failure } from '../output.ts';

/** What a ledger that could not be opened or read means for a person, a machine and the exit code (07). */
export function ledgerFailure(refused: Refused): Failure {
  const { code, message } = refused;
  switch (refused.code) {
    case 'LEDGER_DAMAGED': {
      const damaged = { line: refused.fault.line, head: refused.head.digest };
      const told = `BLOCKED_STALE_CONFERENCE_STATE: ${message}`;
      return { code: 'BLOCKED_STALE_CONFERENCE_STATE', message: told, exit: exitCode.blocked, damaged };
    }
    case 'LEDGER_MISSING':
      return { code, message: `${code}: ${message}`, exit: exitCode.usage };
    case 'LEDGER_LOCKED': {
      const controlSocket = refused.holder?.control_socket;
      const failure = { code, message: `${code}: ${message}`, exit: exitCode.failed };
      return controlSocket === undefined ? failure : { ...failure, controlSocket };
    }
    default:
      return { code, message: `${code}: ${message}`, exit: exitCode.failed };
  }
}
