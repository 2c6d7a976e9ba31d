/**
 * A packet as evidence: its claims and measurements under the refs that a reviewer names them by (02 Packets),
 * with what may give way to a short bound, and what never does.
 */
import {
  canonicalJson,
  type Digest,
  type JsonObject,
  type Packet,
  type ResearchPacket,
  type Verdict,
} from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { claimRef, measurementRef } from '../evidence/claim-ref.ts';
import { laneLetter } from '../lane.ts';

export interface ClaimEntry {
  readonly ref: string;
  readonly confidence: string;
  readonly verdict: Verdict | null;
  /** Give way to the bound, evidence first. */
  claim: string | null;
  evidence: string | null;
}

export interface MeasurementEntry {
  readonly ref: string;
  readonly name: string;
  readonly value: string;
  readonly provenance: string;
  readonly verdict: Verdict | null;
}

/** One item of a read_context while it is being fitted to its bound. */
export interface PacketView {
  readonly digest: Digest;
  readonly source: string;
  readonly head: JsonObject;
  readonly claims: ClaimEntry[];
  readonly measurements: readonly MeasurementEntry[];
  /** Shown while there is room; gives way before any claim does. */
  extra: JsonObject | null;
  omitted: number;
}

/** What of a packet is shown: everything, or only what a review gave one of some verdicts. */
export interface ViewOptions {
  readonly verdicts: 'all' | readonly Verdict[];
  /** Whether hypotheses and uncertainties are shown too. */
  readonly extra: boolean;
}

/** The view of an accepted research packet. A blocked packet brings no evidence, so no claims either. */
export function viewOf(row: DispatchRow, packet: Packet, options: ViewOptions): PacketView {
  const { dispatch_id, round, lane, content_digest, charter_digest } = row;
  const shown = (verdict: Verdict | null): boolean =>
    options.verdicts === 'all' || (verdict !== null && options.verdicts.includes(verdict));
  const blocked = packet.status === 'blocked';
  const claims = blocked ? [] : packet.claims;
  const measurements = blocked || !isResearch(packet) ? [] : packet.measurements;
  return {
    digest: content_digest ?? charter_digest,
    source: `packet ${dispatch_id}`,
    head: {
      dispatch_id,
      ...(lane === null ? {} : { lane: laneLetter(lane) }),
      round,
      status: packet.status,
    },
    claims: claims
      .map(({ claim, evidence, confidence }, index) => {
        const verdict = row.claim_verdicts[index] ?? null;
        return { ref: claimRef(dispatch_id, index + 1), claim, evidence, confidence, verdict };
      })
      .filter(({ verdict }) => shown(verdict)),
    measurements: measurements
      .map(({ name, value, provenance }, index) => {
        const verdict = row.measurement_verdicts[index] ?? null;
        return { ref: measurementRef(dispatch_id, index + 1), name, value, provenance, verdict };
      })
      .filter(({ verdict }) => shown(verdict)),
    extra: options.extra ? extraOf(packet) : null,
    omitted: 0,
  };
}

export function isResearch(packet: Packet): packet is ResearchPacket {
  return packet.role === 'researcher';
}

function extraOf(packet: Packet): JsonObject {
  const { uncertainties } = packet;
  if (!isResearch(packet)) return { uncertainties };
  return { uncertainties, hypotheses: packet.hypotheses, stuck_level: packet.stuck_level };
}

/** The excerpt: canonical JSON of what is still shown. */
export function excerptOf(view: PacketView): string {
  return canonicalJson({
    ...view.head,
    ...view.extra,
    claims: view.claims.map(({ ref, confidence, verdict, claim, evidence }) => ({
      ref,
      confidence,
      ...(verdict === null ? {} : { verdict }),
      ...(claim === null ? {} : { claim }),
      ...(evidence === null ? {} : { evidence }),
    })),
    measurements: view.measurements.map(({ ref, name, value, provenance, verdict }) => ({
      ref,
      name,
      value,
      provenance,
      ...(verdict === null ? {} : { verdict }),
    })),
  });
}

/** Claims and measurements that can be named in a verdict. */
export function refCount(view: PacketView): number {
  return view.claims.length + view.measurements.length;
}
