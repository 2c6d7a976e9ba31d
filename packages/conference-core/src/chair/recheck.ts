/**
 * Whether stored content still says what the ledger says of it: charters rebuilt, packets read again, facts worked out
 * again (LEDG-23). The rules that accepted a packet are not applied again: a ledger never decides its past anew.
 */
import { canonicalJson, digestOf, packetSchema, type Packet } from '@x/protocol';
import { packetFacts, readPacket } from '../packets/index.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import type { Chair } from './chair.ts';
import { linksFor } from './judge.ts';
import { ContentMissing, contentText } from './reading.ts';

/** What is wrong with the stored content of one dispatch, or null. Never throws for what lies in the store. */
export function recheckDispatch(chair: Chair, row: DispatchRow): string | null {
  try {
    return recheckCharter(chair, row) ?? (row.state === 'received' ? recheckPacket(chair, row) : null);
  } catch (error) {
    if (error instanceof ContentMissing) return error.message;
    throw error;
  }
}

function recheckCharter(chair: Chair, row: DispatchRow): string | null {
  const { digest } = chair.charterOf(row);
  if (digest === row.charter_digest) return null;
  return `the charter of dispatch ${row.dispatch_id} rebuilt from the ledger has the digest ${digest}, recorded is ${row.charter_digest}`;
}

function recheckPacket(chair: Chair, row: DispatchRow): string | null {
  const { packets, objects } = chair.ports;
  if (row.digest === null || row.content_digest === null || row.facts === null) {
    return `dispatch ${row.dispatch_id} is received without digest or facts`;
  }
  const stored = packets.get(row.digest);
  if (stored.status !== 'found') {
    return `packet ${row.digest} of dispatch ${row.dispatch_id} is ${stored.status === 'missing' ? 'missing' : stored.reason}`;
  }
  contentText(objects, row.content_digest);
  const read = readPacket(stored.bytes);
  if (!read.ok) return `packet ${row.digest} of dispatch ${row.dispatch_id} cannot be read any more`;
  const { mode } = chair.state.planned?.plan ?? { mode: 'metric' as const };
  const { charter, limits } = chair.charterOf(row);
  const parsed = packetSchema(row.role, { limits, mode }).safeParse({ ...read.value });
  if (!parsed.success)
    return `packet ${row.digest} of dispatch ${row.dispatch_id} does not fit its schema any more`;
  const packet: Packet = parsed.data;
  const content = digestOf(canonicalJson(packet));
  if (content !== row.content_digest) {
    return `packet ${row.digest} reads as ${content}, recorded is ${row.content_digest}`;
  }
  const facts = packetFacts(packet, charter, linksFor(chair.state, row, objects));
  if (canonicalJson(facts) === canonicalJson(row.facts)) return null;
  return `the facts of packet ${row.digest} are not the ones that the ledger records for dispatch ${row.dispatch_id}`;
}
