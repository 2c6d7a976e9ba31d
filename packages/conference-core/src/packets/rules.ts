/** Judges what a well-formed packet says: codes in their order, of each code structure before text (02 Rejection). */
import type { Charter, Packet } from '@x/protocol';
import { RULE_CODES, type Judged, type RuleHit } from './judged.ts';
import type { AdmissionContext } from './links.ts';
import { packetStrings } from './packet-strings.ts';
import { STRUCTURE_RULES } from './structure-rules.ts';
import { findText, foldStrings, TEXT_RULES } from './text-rules.ts';

/** The first rule that the packet breaks, or null. */
export function findRuleHit(packet: Packet, charter: Charter, links: AdmissionContext): RuleHit | null {
  const strings = packetStrings(packet);
  const judged: Judged = { packet, strings, charter, links };
  const folded = foldStrings(strings);
  for (const code of RULE_CODES) {
    for (const rule of STRUCTURE_RULES) {
      const found = rule.code === code ? rule.find(judged) : null;
      if (found !== null) return { rule, path: found.path };
    }
    for (const rule of TEXT_RULES) {
      const found = rule.code === code ? findText(rule, strings, folded) : null;
      if (found !== null) return { rule, path: found.path };
    }
  }
  return null;
}
