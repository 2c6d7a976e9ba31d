/**
 * A peer's entry in the registry, and how its life is judged (04 Registry).
 *
 * Boundary: text in, judgement out. Reading files, probing processes and endpoints is `node/`.
 */
import * as z from 'zod/mini';
import { issueText } from './issue-text.ts';
import { clockLeadMsMax, heartbeatAgeMsMax } from './limits.ts';
import { isPeerName } from './name.ts';

/** Times are ISO strings when we write; entries of others may hold milliseconds since 1970. */
const time = z.union([z.string(), z.number()]);

export const entrySchema = z.looseObject({
  session_id: z.string().check(z.minLength(1)),
  name: z.string().check(z.refine(isPeerName, { error: 'not a name of a peer' })),
  purpose: z._default(z.string(), ''),
  model: z._default(z.string(), ''),
  color: z._default(z.string(), ''),
  pid: z
    .number()
    .check(z.int({ error: 'must be a whole number' }), z.positive({ error: 'must be above zero' })),
  endpoint: z.string().check(z.minLength(1)),
  cwd: z._default(z.string(), ''),
  started_at: z._default(time, ''),
  explicit: z._default(z.boolean(), false),
  version: z._default(z.number(), 1),
  context_used_pct: z.optional(z.nullable(z.number())),
  queue_depth: z.optional(z.nullable(z.number())),
  heartbeat_at: z.optional(time),
});
export type RegistryEntry = z.infer<typeof entrySchema>;

export type EntryReading =
  | { readonly ok: true; readonly entry: RegistryEntry }
  | { readonly ok: false; readonly code: 'ENTRY_INVALID'; readonly problem: string };

/**
 * @param text The file's content.
 * @param fileName The name that the file stands for: an entry that claims another name is invalid.
 */
export function readEntry(text: string, fileName: string): EntryReading {
  const invalid = (problem: string): EntryReading => ({ ok: false, code: 'ENTRY_INVALID', problem });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('not JSON');
  }
  const checked = entrySchema.safeParse(value);
  if (!checked.success) return invalid(issueText(checked.error.issues));
  if (checked.data.name !== fileName)
    return invalid(`field name: is ${checked.data.name}, the file is ${fileName}`);
  return { ok: true, entry: checked.data };
}

/** What `kill(pid, 0)` says: ESRCH is dead; success and EPERM are alive. */
export type PidState = 'alive' | 'dead';

/** The age of a heartbeat at `now` in milliseconds, or null where there is none or it is no time. */
function heartbeatAgeMs(entry: RegistryEntry, now: number): number | null {
  const at = entry.heartbeat_at;
  if (at === undefined) return null;
  const ms = typeof at === 'number' ? at : Date.parse(at);
  return Number.isFinite(ms) ? now - ms : null;
}

/**
 * Live by a heartbeat at most 90 s old (5 s of clock lead allowed), otherwise by the pid, which is only looked at
 * then.
 *
 * @param now Milliseconds since 1970.
 */
export function isLive(entry: RegistryEntry, now: number, pidState: (pid: number) => PidState): boolean {
  const age = heartbeatAgeMs(entry, now);
  if (age !== null && age >= -clockLeadMsMax && age <= heartbeatAgeMsMax) return true;
  return pidState(entry.pid) === 'alive';
}
