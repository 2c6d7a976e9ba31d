/**
 * JSON Schema 2020-12 of everything that crosses a border: what `conference schema NAME` prints and what a
 * charter's `output_schema` is made of.
 */
import * as z from 'zod';
import { charterSchema } from './charter.ts';
import { decisionSchema } from './decisions.ts';
import { decisionRecordSchema } from './decision-record.ts';
import { dispatchRecordSchema } from './dispatch-record.ts';
import { EVENT_PAYLOADS, type EventName } from './events.ts';
import { packetFactsSchema } from './facts.ts';
import { grantSchema } from './grant.ts';
import type { JsonObject } from './canonical.ts';
import { LIMIT_DEFAULTS } from './limits.ts';
import { packetSchema, type PacketShape } from './packet-schemas.ts';
import { planSchema } from './plan.ts';
import { cleanupReceiptSchema, recoveryReceiptSchema } from './receipts.ts';
import { MODES, ROLES, type Role } from './states.ts';

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  // zod types its output more loosely than JSON; the text round trip makes it plain data.
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { target: 'draft-2020-12' }))) as JsonObject;
}

/** The JSON Schema of the packet that a role must return: strict, bounded, inlined. */
export function packetJsonSchema(role: Role, shape: PacketShape): JsonObject {
  return jsonSchemaOf(packetSchema(role, shape));
}

/** Names that `jsonSchema` knows, sorted. */
export function jsonSchemaNames(): string[] {
  const packets = ROLES.flatMap((role) =>
    role === 'reviewer' ? MODES.map((mode) => `packet.reviewer.${mode}`) : [`packet.${role}`],
  );
  return [
    ...Object.keys(plain),
    ...packets,
    ...Object.keys(EVENT_PAYLOADS).map((name) => `event.${name}`),
  ].sort();
}

/** The JSON Schema of that name (with the default bounds where bounds apply), or null for an unknown name. */
export function jsonSchema(name: string): JsonObject | null {
  // Own names only: `constructor` is a name that no schema has.
  const own = Object.hasOwn(plain, name) ? plain[name] : undefined;
  if (own !== undefined) return jsonSchemaOf(own);
  if (name.startsWith('event.')) {
    const event = name.slice('event.'.length);
    return isEvent(event) ? jsonSchemaOf(EVENT_PAYLOADS[event]) : null;
  }
  for (const role of ROLES) {
    for (const mode of MODES) {
      if (name === `packet.${role}` || name === `packet.${role}.${mode}`) {
        return packetJsonSchema(role, { limits: LIMIT_DEFAULTS, mode });
      }
    }
  }
  return null;
}

const plain: Readonly<Record<string, z.ZodType>> = {
  charter: charterSchema,
  'cleanup-receipt': cleanupReceiptSchema,
  decision: decisionSchema,
  'decision-record': decisionRecordSchema,
  'dispatch-record': dispatchRecordSchema,
  grant: grantSchema,
  'packet-facts': packetFactsSchema,
  plan: planSchema,
  'recovery-receipt': recoveryReceiptSchema,
};

function isEvent(name: string): name is EventName {
  return Object.hasOwn(EVENT_PAYLOADS, name);
}
