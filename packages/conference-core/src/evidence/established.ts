/** Which findings of a synthesis stand as established (02 Packets, synthesis). */
import type { SynthesisPacket } from '@x/protocol';

type Finding = SynthesisPacket['established'][number];

export interface SortedFindings {
  readonly established: readonly Finding[];
  /** The packet's own, then the moved ones. */
  readonly promising: readonly Finding[];
  /** Established by the child alone: some ref is not validated, or there is none. To be recorded. */
  readonly moved: readonly Finding[];
}

/** An established finding whose refs are not all validated, or that has none, is only promising (PACK-13). */
export function sortFindings(
  packet: Pick<SynthesisPacket, 'established' | 'promising'>,
  isValidated: (ref: string) => boolean,
): SortedFindings {
  const holds = ({ claim_refs }: Finding): boolean =>
    claim_refs.length > 0 && claim_refs.every((ref) => isValidated(ref));
  const moved = packet.established.filter((finding) => !holds(finding));
  return {
    established: packet.established.filter(holds),
    promising: [...packet.promising, ...moved],
    moved,
  };
}
