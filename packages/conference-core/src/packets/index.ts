/**
 * @x/conference-core/packets: reading and judging what a child sent (02 Reading what a child sends, 02 Rejection).
 *
 * Pure but for the scanner, which is a port. `admitPacket` is the whole of it; the parts are for who must look at
 * a packet without judging it.
 */
export { admitPacket, type Admission, type Admitted, type Refused } from './admit.ts';
export { crossCheck } from './cross-checks.ts';
export { packetFacts } from './facts.ts';
export { NO_LINKS, type AdmissionContext } from './links.ts';
export { findBlock, type Found } from './find-block.ts';
export { faultAt, type ReadFault } from './read-fault.ts';
export { readJson, type ValueRead } from './read-json.ts';
export { readPacket, type PacketRead } from './read-packet.ts';
export { readYaml } from './read-yaml.ts';
export { RULES_VERSION } from './rules-version.ts';
export type { SecretFinding, SecretScanner } from './scanner.ts';
export {
  claimRef,
  foldSpace,
  indexRefs,
  measurementRef,
  resolveRef,
  type RefIndex,
  type RefTarget,
  type ShownPacket,
} from '../evidence/claim-ref.ts';
export { sortFindings, type SortedFindings } from '../evidence/established.ts';
export { isSelfAssessment } from '../evidence/self-assessment.ts';
export { linkVerdicts, type LinkedVerdicts } from '../evidence/verdicts.ts';
