/**
 * From bytes to a command: classify first, judge only what is open, store the content, then let the core decide.
 * Bytes of a refused packet go nowhere (02 Rejection).
 */
import { digestOf, type Digest, type Packet } from '@x/protocol';
import type { BuiltCharter } from '../charters/build.ts';
import type { ResultCommand } from '../commands/command.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import {
  admitPacket,
  claimRef,
  measurementRef,
  NO_LINKS,
  type AdmissionContext,
  type ShownPacket,
} from '../packets/index.ts';
import { laneRows } from '../round.ts';
import { classify } from '../rules/result-table.ts';
import { allRows, type State } from '../state.ts';
import type { ChairPorts, Incoming } from './chair.ts';
import type { ContentPort, ContentRefused } from './ports.ts';
import { contentText } from './reading.ts';

const encoder = new TextEncoder();

/** The command that books this, with its content stored; or what kept the content from being stored. */
export async function judge(
  incoming: Incoming,
  context: {
    readonly state: State;
    readonly ports: ChairPorts;
    readonly charterOf: (row: DispatchRow) => Pick<BuiltCharter, 'charter' | 'limits'>;
  },
): Promise<ResultCommand | ContentRefused> {
  const { state, ports, charterOf } = context;
  const { bytes, dispatch_id } = incoming;
  const digest = digestOf(bytes);
  const command: ResultCommand = {
    command: 'result',
    dispatch_id,
    digest,
    bytes: bytes.length,
    ...(incoming.cost === undefined ? {} : { cost: incoming.cost }),
  };
  const found = classify(state, dispatch_id, digest);
  if (found.kind !== 'admit') return command;
  const { charter, limits } = charterOf(found.row);
  const links = linksFor(state, found.row, ports.objects);
  const admission = await admitPacket(bytes, charter, limits, links, ports.scanner, digest);
  if (!admission.ok) {
    const { code, reason, rules } = admission;
    return { ...command, admission: { ok: false, code, reason, rules } };
  }
  const received = ports.packets.put(bytes);
  if (received.status === 'refused') return received;
  const content = ports.objects.put(encoder.encode(admission.content));
  if (content.status === 'refused') return content;
  const { content_digest, facts, rules } = admission;
  return { ...command, admission: { ok: true, content_digest, facts, rules } };
}

/** What the packet is compared with beyond its charter. */
export function linksFor(state: State, row: DispatchRow, objects: ContentPort): AdmissionContext {
  const round = state.rounds[row.round - 1] ?? null;
  switch (row.role) {
    case 'researcher':
      return NO_LINKS;
    case 'poster':
    case 'reviewer': {
      const accepted = round === null ? [] : laneRows(round).filter((lane) => lane?.state === 'received');
      const rows = accepted.flatMap((lane) => lane ?? []);
      return {
        research: rows.map(({ dispatch_id }) => dispatch_id),
        packetsOf: () => rows.flatMap((lane) => shown(lane, objects)),
        refs: [],
      };
    }
    case 'synthesis':
      return { research: [], packetsOf: () => [], refs: reviewedRefs(state) };
  }
}

function shown({ dispatch_id, content_digest }: DispatchRow, objects: ContentPort): ShownPacket[] {
  if (content_digest === null) return [];
  return [{ dispatch_id, packet: packetAt(content_digest, objects) }];
}

function packetAt(digest: Digest, objects: ContentPort): Packet {
  // Admission stored it after it fitted the schema of its role.
  return JSON.parse(contentText(objects, digest)) as Packet;
}

/** Refs that a review gave a verdict: all that a synthesis was shown. */
function reviewedRefs(state: State): string[] {
  const refs: string[] = [];
  for (const { dispatch_id, claim_verdicts, measurement_verdicts } of allRows(state)) {
    claim_verdicts.forEach(
      (verdict, index) => verdict !== null && refs.push(claimRef(dispatch_id, index + 1)),
    );
    measurement_verdicts.forEach(
      (verdict, index) => verdict !== null && refs.push(measurementRef(dispatch_id, index + 1)),
    );
  }
  return refs;
}
