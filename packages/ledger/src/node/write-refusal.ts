/** What a write inside a root can refuse with, and in which words. */
import type { Digest } from '../digest.ts';
import type { CheckFailed } from '../grant.ts';
import { Interrupted, type TroubleKind } from './fault.ts';

/**
 * A refused write, which changed nothing at the target; `message` says what to do.
 *
 * - `WRITE_CHECK_FAILED` one of the checks, by name.
 * - `WRITE_TARGET_UNKNOWN` other bytes stand there that the caller did not name in `replaces`; `found` is their digest.
 * - `WRITE_DISK_FULL`, `WRITE_READ_ONLY`, `WRITE_VANISHED`, `WRITE_IO` what the system said.
 */
export type WriteRefused = { readonly status: 'refused'; readonly message: string; readonly path: string } & (
  | { readonly code: 'WRITE_CHECK_FAILED'; readonly check: CheckFailed['check']; readonly reason: string }
  | { readonly code: 'WRITE_TARGET_UNKNOWN'; readonly found: Digest }
  | { readonly code: `WRITE_${TroubleKind}`; readonly errno: string; readonly operation: string }
);

/** Runs what may be interrupted by the system and gives its trouble as a refusal. */
export const asValue = <Result>(path: string, run: () => Result): Result | WriteRefused => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const { kind, errno, operation, message } = error.trouble;
    return { status: 'refused', code: `WRITE_${kind}`, errno, operation, message, path };
  }
};

/** The refusal for a failed check. */
export const checkFailed = (path: string, { check, reason }: CheckFailed): WriteRefused => ({
  status: 'refused',
  code: 'WRITE_CHECK_FAILED',
  message: `the check "${check}" refused the write of ${path}: ${reason}; nothing was written`,
  path,
  check,
  reason,
});

/** R6 */
export const targetUnknown = (path: string, found: Digest): WriteRefused => ({
  status: 'refused',
  code: 'WRITE_TARGET_UNKNOWN',
  message: `${path} holds bytes that were not written from here (${found}); they were left as they are: move them away, or take them in`,
  path,
  found,
});
