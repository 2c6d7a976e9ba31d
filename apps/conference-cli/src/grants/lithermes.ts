/**
 * A running LitHermes work state as the grant (03 Grants): `<worktree>/.hermes/lithermes/work/<work_id>/state.json`. It is
 * read again before each write, and never written.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Grant } from '@x/protocol';
import * as z from 'zod';
import { errorCode } from '../error-code.ts';

const stateSchema = z.looseObject({
  schema: z.literal(3),
  status: z.string(),
  revision: z.int().nonnegative(),
  authority: z.array(
    z.looseObject({
      id: z.string().min(1),
      action: z.string(),
      root: z.string(),
      boundary_id: z.string().nullish(),
      consumed_at: z.string().nullish(),
    }),
  ),
});

/** Bytes of a state file that are read. */
const STATE_BYTES_MAX = 1_048_576;

/** How a ledger names such a grant: the word, and the file relative to the grant's root. */
const GRANTED_BY = 'lithermes ';

export type LithermesResult =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly reason: string };

/** Whether a parsed file claims to be a work state rather than a grant. */
export function isWorkState(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'authority' in value && 'schema' in value;
}

/** The first write authority of the state that counts now. */
export function readWorkState(path: string): LithermesResult {
  let value: unknown;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return refused('it is no regular file');
    if (stats.size > STATE_BYTES_MAX) return refused(`it is larger than ${STATE_BYTES_MAX} bytes`);
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return refused(
      error instanceof SyntaxError
        ? 'it is not JSON'
        : `it cannot be read (${errorCode(error, 'unreadable')})`,
    );
  }
  const parsed = stateSchema.safeParse(value);
  if (!parsed.success) {
    return refused(
      `$.${parsed.error.issues[0]?.path.join('.') ?? ''}: ${parsed.error.issues[0]?.message ?? 'no work state'}; accepted is schema 3`,
    );
  }
  const { status, revision, authority } = parsed.data;
  if (status !== 'active') return refused(`$.status is ${JSON.stringify(status)}; accepted is "active"`);
  const counting = authority.filter(({ action }) => action === 'write');
  if (counting.length === 0) return refused('$.authority names no write');
  // A grant behind a boundary counts only once the boundary was passed.
  const entry = counting.find(
    ({ boundary_id, consumed_at }) => isAbsent(boundary_id) || !isAbsent(consumed_at),
  );
  if (entry === undefined)
    return refused('$.authority: the write waits at a boundary that is not consumed yet');
  const root = canonical(entry.root);
  if (root === null)
    return refused(`$.authority root ${JSON.stringify(entry.root)} is no absolute, canonical folder`);
  const granted_by = `${GRANTED_BY}${relative(root, realpathSync(path))}`;
  return { ok: true, grant: { grant_id: entry.id, root, actions: ['write'], revision, granted_by } };
}

/** What a grant is at this moment: itself, or what its work state says now; null when that gives none any more. */
export function grantNow(grant: Grant): Grant | null {
  if (!grant.granted_by.startsWith(GRANTED_BY)) return grant;
  const read = readWorkState(join(grant.root, grant.granted_by.slice(GRANTED_BY.length)));
  return read.ok && read.grant.grant_id === grant.grant_id && read.grant.root === grant.root
    ? read.grant
    : null;
}

function canonical(root: string): string | null {
  try {
    return isAbsolute(root) && realpathSync(root) === root && statSync(root).isDirectory() ? root : null;
  } catch {
    return null;
  }
}

function isAbsent(value: string | null | undefined): boolean {
  return value === null || value === undefined || value === '';
}

function refused(reason: string): LithermesResult {
  return { ok: false, reason };
}
