/** Everything an operation on a ledger can refuse with. Boundary: values and their words; nothing is thrown here. */
import type { LineFault } from './line-fault.ts';
import type { Head } from './record.ts';

/** Who holds a ledger, as far as `ledger.lock` tells. `started_at`: ISO time of the process start. */
export type LockHolder = {
  readonly pid: number;
  readonly started_at: string;
  readonly host: string;
  /** Where the holder takes commands, when it does: a unix socket path. */
  readonly control_socket?: string;
  /** What the holder says it is doing. */
  readonly purpose?: string;
};

type Failure = { readonly status: 'refused'; readonly message: string; readonly retryable: boolean };

type IoFailure = Failure & { readonly errno: string; readonly operation: string; readonly path: string };

/**
 * A refusal, told apart by `code`; `retryable` says whether the same call may succeed later with nothing else changed.
 *
 * - `LEDGER_LOCKED` another writer holds the folder; `holder` names it (null: it left no name), waited `waitedMs`.
 * - `LEDGER_DAMAGED` a complete line does not verify; nothing was touched; `head` is the end of what does.
 * - `LEDGER_TOO_NEW` the caller's `accept` refused a record: a newer format or an unknown event.
 * - `LEDGER_MISSING`, `LEDGER_EXISTS` the file is not there, or is, against `create`.
 * - `LEDGER_NOT_A_FILE` a link, folder, pipe or device stands at the path.
 * - `LEDGER_FORKED` the file's size is not what it must be: somebody else wrote. The ledger is closed, the file untouched.
 * - `LEDGER_HEAD_MOVED` the append expected another head; nothing was written, the ledger stays open.
 * - `LEDGER_ENTRY_INVALID`, `LEDGER_TOO_LARGE` an entry cannot be a line, or a line or group is beyond its limit; nothing was written.
 * - `LEDGER_NOT_AUTHORIZED` the caller's `authorize` refused the write; nothing was written.
 * - `LEDGER_CLOSED` closed, by its owner or by an earlier failure; open it again.
 * - `LEDGER_DISK_FULL`, `LEDGER_READ_ONLY`, `LEDGER_VANISHED`, `LEDGER_IO` what the system said (`errno`).
 */
export type Refused =
  | (Failure & {
      readonly code: 'LEDGER_LOCKED';
      readonly holder: LockHolder | null;
      readonly waitedMs: number;
    })
  | (Failure & { readonly code: 'LEDGER_DAMAGED'; readonly fault: LineFault; readonly head: Head })
  | (Failure & { readonly code: 'LEDGER_TOO_NEW'; readonly line: number; readonly reason: string })
  | (Failure & { readonly code: 'LEDGER_MISSING' | 'LEDGER_EXISTS'; readonly path: string })
  | (Failure & { readonly code: 'LEDGER_NOT_A_FILE'; readonly path: string; readonly found: string })
  | (Failure & {
      readonly code: 'LEDGER_FORKED';
      readonly expectedBytes: number;
      readonly foundBytes: number;
    })
  | (Failure & { readonly code: 'LEDGER_HEAD_MOVED'; readonly expected: Head; readonly head: Head })
  | (Failure & {
      readonly code: 'LEDGER_ENTRY_INVALID';
      readonly index: number;
      readonly path: string;
      readonly found: string;
      readonly accepted: string;
    })
  | (Failure & {
      readonly code: 'LEDGER_TOO_LARGE';
      readonly limit: string;
      readonly limitValue: number;
      readonly found: number;
    })
  | (Failure & { readonly code: 'LEDGER_NOT_AUTHORIZED'; readonly check: string; readonly reason: string })
  | (Failure & { readonly code: 'LEDGER_CLOSED'; readonly because: string })
  | (IoFailure & {
      readonly code: 'LEDGER_DISK_FULL' | 'LEDGER_READ_ONLY' | 'LEDGER_VANISHED' | 'LEDGER_IO';
    });

/** Every code of {@link Refused}. */
export type RefusalCode = Refused['code'];

/** The refusal for a damaged line. */
export const damaged = (fault: LineFault, head: Head): Refused => ({
  status: 'refused',
  code: 'LEDGER_DAMAGED',
  message: `${fault.message}. Nothing was changed; lines 1 to ${head.seq} verify. Keep them with keepVerifiedPrefix: { line: ${fault.line} }, or bring the file back from a copy`,
  retryable: false,
  fault,
  head,
});

/** The refusal of a closed ledger. */
export const closedBecause = (because: string): Refused => ({
  status: 'refused',
  code: 'LEDGER_CLOSED',
  message: `the ledger is closed (${because}); open it again, which verifies it, before the next append`,
  retryable: false,
  because,
});
