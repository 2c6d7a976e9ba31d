/** The strings of a packet that a child wrote freely, with where they stand. */
import type { Packet } from '@x/protocol';

export interface PacketString {
  readonly path: readonly (string | number)[];
  /** The member it stands under: `evidence`, `recommended_root_actions`, … */
  readonly field: string;
  readonly text: string;
}

/** Words of closed lists and identities, judged elsewhere. */
const NOT_FREE: ReadonlySet<string> = new Set([
  'dispatch_id',
  'role',
  'status',
  'confidence',
  'verdict',
  'claim_ref',
  'claim_refs',
]);

/** In the order of the packet. */
export function packetStrings(packet: Packet): PacketString[] {
  const strings: PacketString[] = [];
  const walk = (value: unknown, path: readonly (string | number)[], field: string): void => {
    if (typeof value === 'string') strings.push({ path, field, text: value });
    else if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index], field));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (!NOT_FREE.has(key)) walk(member, [...path, key], key);
      }
    }
  };
  walk(packet, [], '');
  return strings;
}
