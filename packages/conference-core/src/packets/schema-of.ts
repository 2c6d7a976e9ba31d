/** The schema of a role under given bounds, made once: making one costs more than judging a packet by it. */
import { packetSchema, type CharterLimits, type Mode, type Role } from '@x/protocol';

type Schema = ReturnType<typeof packetSchema>;

/** Distinct schemas kept; a conference needs a handful at a time, one set for each widening of the bounds. */
const SCHEMAS_KEPT_MAX = 32;

const kept = new Map<string, Schema>();

/** Only speed hangs on what was asked before: the same arguments always mean the same schema. */
export function schemaOf(role: Role, mode: Mode, limits: CharterLimits): Schema {
  const key = `${role} ${mode} ${limits.claims_max} ${limits.string_code_points_max} ${limits.verdicts_max}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = packetSchema(role, { limits, mode });
  const [oldest] = kept.keys();
  if (kept.size >= SCHEMAS_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  kept.set(key, made);
  return made;
}
