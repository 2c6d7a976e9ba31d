/** Which grant the command line gives, if any: one of `--write-to` and `--grant`. */
import { usage } from '../output.ts';
import type { Grant } from '@x/protocol';
import { grantFor, grantFromFile, type GrantResult } from './make-grant.ts';

export interface GrantFlags {
  readonly writeTo?: string;
  readonly grant?: string;
}

export type ChosenGrant =
  | { readonly ok: true; readonly grant: Grant | null }
  | Extract<GrantResult, { ok: false }>;

export function chooseGrant(flags: GrantFlags, cwd: string): ChosenGrant {
  if (flags.writeTo !== undefined && flags.grant !== undefined) {
    return {
      ok: false,
      failure: usage('GRANT_INVALID', 'both --write-to and --grant are given; accepted is one of them'),
    };
  }
  if (flags.writeTo !== undefined) return grantFor(flags.writeTo, cwd);
  if (flags.grant !== undefined) return grantFromFile(flags.grant, cwd);
  return { ok: true, grant: null };
}
