/**
 * How claims and measurements are named across packets (02 Packets): `<dispatch_id>#c<n>` and `#m<n>`, n from 1,
 * numbered by the root in the order in which the packet lists them.
 */
import type { Packet, ResearchPacket } from '@x/protocol';

/** An admitted packet that a charter shows, with the dispatch it came from. */
export interface ShownPacket {
  readonly dispatch_id: string;
  /** The parsed canonical JSON that admission made of it. */
  readonly packet: Pick<Packet, 'status' | 'claims'> & {
    readonly measurements?: ResearchPacket['measurements'];
  };
}

/** What a ref names: the texts that a verdict on it is compared with. */
export interface RefTarget {
  readonly ref: string;
  readonly dispatch_id: string;
  /** The claim's own words and evidence, or the measurement's name, value and provenance. */
  readonly own_texts: readonly string[];
}

export interface RefIndex {
  readonly byRef: ReadonlyMap<string, RefTarget>;
  /** By folded claim text; null where several claims say the same, which then names none of them. */
  readonly byClaimText: ReadonlyMap<string, RefTarget | null>;
}

export function claimRef(dispatchId: string, number: number): string {
  return `${dispatchId}#c${number}`;
}

export function measurementRef(dispatchId: string, number: number): string {
  return `${dispatchId}#m${number}`;
}

/** White-space folding: runs become one space, ends are trimmed; nothing else is changed. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** All refs of the packets shown. A blocked packet brings no evidence, so it has none (02 Rejection). */
export function indexRefs(packets: readonly ShownPacket[]): RefIndex {
  const byRef = new Map<string, RefTarget>();
  const byClaimText = new Map<string, RefTarget | null>();
  for (const { dispatch_id, packet } of packets) {
    if (packet.status !== 'completed') continue;
    packet.claims.forEach(({ claim, evidence }, index) => {
      const target = { ref: claimRef(dispatch_id, index + 1), dispatch_id, own_texts: [claim, evidence] };
      byRef.set(target.ref, target);
      const folded = foldSpace(claim);
      byClaimText.set(folded, byClaimText.has(folded) ? null : target);
    });
    packet.measurements?.forEach(({ name, value, provenance }, index) => {
      const ref = measurementRef(dispatch_id, index + 1);
      const own_texts = [provenance, value, `${name} ${value}`, `${name}: ${value}`, `${name} = ${value}`];
      byRef.set(ref, { ref, dispatch_id, own_texts });
    });
  }
  return { byRef, byClaimText };
}

/**
 * What a verdict is about: its `claim_ref` where it gives one, else the claim whose text is exactly its own after
 * white-space folding. Null when it names nothing known, or several claims (CHAR-04).
 */
export function resolveRef(
  verdict: { readonly claim: string; readonly claim_ref?: string | undefined },
  index: RefIndex,
): RefTarget | null {
  const given = verdict.claim_ref?.trim() ?? '';
  if (given !== '') return index.byRef.get(given) ?? null;
  return index.byClaimText.get(foldSpace(verdict.claim)) ?? null;
}
