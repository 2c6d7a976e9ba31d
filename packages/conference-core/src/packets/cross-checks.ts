/**
 * What a schema cannot say of a packet: its lists against what the charter shows. These are PACKET_MALFORMED
 * (02 Rejection). The whole list:
 *
 * X1 poster: one summary for each accepted research dispatch, none twice, none for another dispatch
 * X2 reviewer: scores name research dispatches of the charter
 *
 * A blocked or failed packet owes nothing.
 */
import type { Packet, PosterPacket, ReviewerPacket, Role } from '@x/protocol';
import type { AdmissionContext } from './links.ts';
import { faultAt, type ReadFault } from './read-fault.ts';

export function crossCheck(role: Role, packet: Packet, links: AdmissionContext): ReadFault | null {
  if (packet.status !== 'completed') return null;
  if (role === 'poster' && 'summaries' in packet) return checkSummaries(packet.summaries, links);
  if (role === 'reviewer' && 'scores' in packet) return checkScores(packet.scores, links);
  return null;
}

function checkSummaries(summaries: PosterPacket['summaries'], links: AdmissionContext): ReadFault | null {
  const due = new Set(links.research);
  const seen = new Set<string>();
  for (const [index, { dispatch_id }] of summaries.entries()) {
    const path = ['summaries', index, 'dispatch_id'];
    if (!due.has(dispatch_id)) return faultAt(path, 'a research dispatch of the charter');
    if (seen.has(dispatch_id)) return faultAt(path, 'one summary for each dispatch');
    seen.add(dispatch_id);
  }
  // A dispatch id is the root's own word, so it may be named.
  const missing = links.research.find((id) => !seen.has(id));
  return missing === undefined ? null : faultAt(['summaries'], `a summary for dispatch ${missing}`);
}

function checkScores(scores: ReviewerPacket['scores'], links: AdmissionContext): ReadFault | null {
  const known = new Set(links.research);
  const index = (scores ?? []).findIndex(({ dispatch_id }) => !known.has(dispatch_id));
  return index === -1
    ? null
    : faultAt(['scores', index, 'dispatch_id'], 'a research dispatch of the charter');
}
