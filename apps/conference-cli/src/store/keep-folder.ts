/** What a verb owes its folder before and after its work: artifacts, the close, and a word on what was set aside. */
import { isFinal } from '@x/conference-core';
import { ContentMissing, keepHouse, type Chair } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { removeSocketFolder } from '../control/socket-folder.ts';
import { exitCode } from '../exit-code.ts';
import { removeTemporaryRoot } from '../hosts/exec/temporary-root.ts';
import type { Failure } from '../output.ts';
import type { Store } from './open-store.ts';

/** Bytes that opening set aside are said, never silently dropped (01 Recovery). */
export function tellSetAside(context: CliContext, { setAside }: Store): void {
  if (setAside === null) return;
  const what = setAside.reason === 'torn_tail' ? 'torn bytes at the end' : 'bytes from the damaged line on';
  context.err(`conference: ${setAside.bytes} ${what} of the ledger were set aside in ${setAside.path}`);
}

/**
 * Writes what is owed and finishes a close. Null: nothing is owed any more. A refused write leaves what is recorded; one
 * that met bytes or content that are not as the ledger says is BLOCKED_STALE_CONFERENCE_STATE (PROTO-34).
 */
export function keepFolder(chair: Chair, store: Store): Failure | null {
  const { state } = chair;
  if (isFinal(state) && state.closing.receipt === null) removeLeftovers(chair);
  const trouble = keepHouse(chair, store.artifacts);
  if (trouble === null) return null;
  const { code, message } = trouble;
  if (isStale(code))
    return stale(chair, isFinal(chair.state) ? `${message}: see conference recover` : message);
  const told = message.startsWith(code) ? message : `${code}: ${message}`;
  return { code, message: told, exit: code.startsWith('BLOCKED_') ? exitCode.blocked : exitCode.failed };
}

/** Codes of a write that met bytes or content that are not as the ledger says. */
export function isStale(code: string): boolean {
  return code === 'WRITE_TARGET_UNKNOWN' || code === 'CONTENT_MISSING';
}

export function contentMissing({ message }: ContentMissing): Failure {
  const code = 'BLOCKED_STALE_CONFERENCE_STATE';
  return {
    code,
    message: `${code}: ${message}: bring it back from a copy, or see conference recover`,
    exit: exitCode.blocked,
  };
}

/** Recorded where the conference is still live, so that it stays stopped until the user chooses. */
export function stale(chair: Chair, reason: string): Failure {
  const code = 'BLOCKED_STALE_CONFERENCE_STATE';
  chair.execute({ command: 'block', code, reason: reason.slice(0, REASON_MAX) });
  return { code, message: `${code}: ${reason}`, exit: exitCode.blocked };
}

/** Characters of a reason that the ledger keeps. */
const REASON_MAX = 1_000;

/** What a killed `run` of this conference left outside the folder: the receipt of the close says that it is gone. */
function removeLeftovers({ state }: Chair): void {
  const { planned, started } = state;
  if (planned === null || started?.temporary_roots !== true) return;
  removeTemporaryRoot(planned.conference_id);
  removeSocketFolder(planned.conference_id);
}
