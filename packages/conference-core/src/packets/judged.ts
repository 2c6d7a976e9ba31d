/** What a rule looks at, and what it may say. */
import type { Charter, Packet, PacketCode } from '@x/protocol';
import type { AdmissionContext } from './links.ts';
import type { PacketString } from './packet-strings.ts';

/** The codes that rules give, in their order (02 Rejection). */
export const RULE_CODES = [
  'PACKET_AUTHORITY',
  'PACKET_EXTERNAL_ACTION',
  'PACKET_INSTRUCTIONS',
  'PACKET_EVIDENCE',
] as const satisfies readonly PacketCode[];
export type RuleCode = (typeof RULE_CODES)[number];

export interface Judged {
  readonly packet: Packet;
  readonly strings: readonly PacketString[];
  readonly charter: Charter;
  readonly links: AdmissionContext;
}

/** What every rule has, structure and text alike. */
export interface RuleHead {
  /** Stands in the reason of a refusal, and never changes its meaning. */
  readonly id: string;
  readonly code: RuleCode;
  /** What a packet that breaks it does: the end of "the packet …". */
  readonly reason: string;
  /** The sentence of the sources that it carries out. */
  readonly source: string;
}

export interface RuleHit {
  readonly rule: RuleHead;
  readonly path: readonly (string | number)[];
}
