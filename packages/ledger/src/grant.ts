/**
 * Bounded-work authority: the grant a person gave, and the checks before each write (03 Grants, source 000 §7).
 * Boundary: pure; `now` is an argument; the path is checked where files are opened (`./node` rooted).
 */
import { isTimestamp } from './timestamp.ts';
import type { Digest } from './digest.ts';

/** What a person granted. `root`: canonical and absolute. `expires_at`: ISO time; absent: until it is revoked. */
export type Grant = {
  readonly grant_id: string;
  readonly root: string;
  readonly actions: readonly string[];
  readonly revision: number;
  readonly expires_at?: string | undefined;
  readonly granted_by: string;
};

/** The checks before a write, by name. */
export type WriteCheck = 'grant' | 'revision' | 'path' | 'digest';

/** A check that failed, and why. */
export type CheckFailed = { readonly status: 'refused'; readonly check: WriteCheck; readonly reason: string };

/** What a write was planned for. */
export type PlannedWrite = {
  readonly grant_id: string;
  /** Revision of the grant. */
  readonly grant_revision: number;
  /** Revision of the state: `seq` of the ledger's head. */
  readonly revision: number;
  /** Digest of the packet or content that the write carries; null when it carries none. */
  readonly digest: Digest | null;
};

/** What holds at the moment of the write. `grant`: null when none is active (never given, or revoked). */
export type WriteSituation = {
  readonly grant: Grant | null;
  readonly now: string;
  readonly revision: number;
  /** Whether a digest was accepted. */
  readonly accepts: (digest: Digest) => boolean;
};

/** Whether a grant gives the right to write at `now`. An unreadable time never does. */
export const checkGrant = (grant: Grant | null, now: string): CheckFailed | null => {
  if (grant === null) return failed('grant', 'no grant is active');
  if (!grant.actions.includes('write'))
    return failed('grant', `grant ${grant.grant_id} does not name the action "write"`);
  if (!isTimestamp(now)) return failed('grant', `the time of the write is no timestamp: ${String(now)}`);
  const { expires_at } = grant;
  if (expires_at === undefined) return null;
  const end = Date.parse(expires_at);
  if (Number.isNaN(end))
    return failed('grant', `grant ${grant.grant_id} expires at no readable time: ${expires_at}`);
  return Date.parse(now) < end ? null : failed('grant', `grant ${grant.grant_id} expired at ${expires_at}`);
};

/** All checks before a write but that of the path, in order: grant, revision, digest. Null: the write may go on. */
export const checkWrite = (planned: PlannedWrite, situation: WriteSituation): CheckFailed | null => {
  const { grant } = situation;
  const refused = checkGrant(grant, situation.now);
  if (refused !== null || grant === null) return refused;
  if (grant.grant_id !== planned.grant_id) {
    return failed(
      'grant',
      `the write was planned under grant ${planned.grant_id}, active is ${grant.grant_id}`,
    );
  }
  if (grant.revision !== planned.grant_revision) {
    return failed(
      'revision',
      `the write was planned at grant revision ${planned.grant_revision}, it is ${grant.revision}`,
    );
  }
  if (situation.revision !== planned.revision) {
    return failed(
      'revision',
      `the write was planned at state revision ${planned.revision}, it is ${situation.revision}`,
    );
  }
  if (planned.digest !== null && !situation.accepts(planned.digest)) {
    return failed('digest', `${planned.digest} was not accepted`);
  }
  return null;
};

/** Makes a failed check. Not exported by the package. */
export const failed = (check: WriteCheck, reason: string): CheckFailed => ({
  status: 'refused',
  check,
  reason,
});
