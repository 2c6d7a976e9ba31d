/**
 * What an admitted packet contributes to decisions (03 Ledger). Pure in packet, charter and links, so that
 * `verify` recomputes the same facts from stored content.
 */
import { parseDispatchId, type Charter, type Packet, type PacketFacts } from '@x/protocol';
import { indexRefs } from '../evidence/claim-ref.ts';
import { linkVerdicts } from '../evidence/verdicts.ts';
import type { AdmissionContext } from './links.ts';
import { readJson } from './read-json.ts';

/** The facts of a packet with status `completed` or `blocked`; a blocked one brings no evidence (02 Rejection). */
export function packetFacts(
  packet: Packet,
  charter: Pick<Charter, 'role' | 'read_context'>,
  links: AdmissionContext,
): PacketFacts {
  const status = packet.status === 'completed' ? 'completed' : 'blocked';
  const facts: PacketFacts = { status, claims: packet.claims.length };
  if ('stuck_level' in packet) facts.stuck_level = packet.stuck_level;
  if (status === 'blocked') return facts;
  if (charter.role === 'researcher' && 'measurements' in packet) {
    facts.measurements = packet.measurements.map(({ name, value }) => ({ name, value }));
  }
  if (charter.role === 'reviewer' && 'verdicts' in packet) {
    const names = namesOfPackets(charter.read_context);
    const linked = linkVerdicts(
      packet.verdicts,
      indexRefs(links.packetsOf()),
      (dispatchId) => names.get(dispatchId) ?? [],
    );
    facts.verdicts = [...linked.verdicts];
    if (linked.remarks > 0) facts.remarks = linked.remarks;
    if (packet.scores !== undefined) facts.scores = scoresOf(packet.scores);
  }
  return facts;
}

type Scores = NonNullable<PacketFacts['scores']>;

/** One score a dispatch: of two the lower, since a reviewer that contradicts itself improves nothing. */
function scoresOf(scores: readonly { dispatch_id: string; score: number }[]): Scores {
  const lowest = new Map<Scores[number]['dispatch_id'], number>();
  for (const { dispatch_id, score } of scores) {
    const id = parseDispatchId(dispatch_id);
    if (id !== null) lowest.set(id, Math.min(lowest.get(id) ?? score, score));
  }
  return [...lowest].map(([dispatch_id, score]) => ({ dispatch_id, score }));
}

/** By dispatch id: the `E…` ids and digests under which a charter shows that packet. */
function namesOfPackets(context: Charter['read_context']): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { id, digest, excerpt } of context) {
    const read = excerpt.startsWith('{') ? readJson(excerpt) : null;
    if (read === null || !read.ok || typeof read.value !== 'object' || read.value === null) continue;
    const shown = 'dispatch_id' in read.value ? read.value.dispatch_id : null;
    if (typeof shown !== 'string') continue;
    names.set(shown, [...(names.get(shown) ?? []), id, digest]);
  }
  return names;
}
