/** The refusals that a ledger's file gives rise to, in words. */
import type { Refused } from '../refusal.ts';
import { refusedBy } from './fault.ts';

/** The refusal of a ledger that is not there. */
export const missing = (path: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_MISSING',
  message: `there is no ledger at ${path}`,
  retryable: false,
  path,
});

/** The refusal of something at the path that is no regular file. */
export const notAFile = (path: string, found: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_NOT_A_FILE',
  message: `${path} is ${found}; accepted: a regular file. It was left as it is`,
  retryable: false,
  path,
  found,
});

/** The refusal of a record that the caller does not know. */
export const tooNewAt = (line: number, reason: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_TOO_NEW',
  message: `line ${line}: ${reason}; nothing was changed: use a newer version`,
  retryable: false,
  line,
  reason,
});

/** The refusal of a path that names another file than the open one. */
export const replacedAt = (path: string): Refused =>
  refusedBy({
    kind: 'VANISHED',
    errno: 'ESTALE',
    operation: 'stat',
    path,
    message: `${path} is another file than the one that was opened: it was removed or replaced. Open again, which verifies it`,
  });

/** The refusal of a file whose size is not the expected one. */
export const forkedAt = (expectedBytes: number, foundBytes: number): Refused => ({
  status: 'refused',
  code: 'LEDGER_FORKED',
  message: `the file must be ${expectedBytes} bytes long and is ${foundBytes}: somebody else wrote to it. It was left as it is; open it again, which verifies it`,
  retryable: false,
  expectedBytes,
  foundBytes,
});
