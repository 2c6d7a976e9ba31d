/** @x/conference-core/testing: stores in memory, a clock by hand, a host by script, samples, contract suites of the ports. */
export {
  artifactContract,
  askerContract,
  clockContract,
  contentContract,
  ContractBroken,
  delegateHostContract,
  ledgerContract,
  type ContractCheck,
  type Delegation,
  type HostUnderTest,
} from './contract-suites.ts';
export { manualClock, type ManualClock } from './manual-clock.ts';
export { memoryContent, memoryLedger, type MemoryContent, type MemoryLedger } from './memory-store.ts';
export { memoryArtifacts, type MemoryArtifacts } from './memory-artifacts.ts';
export { noScanner } from './no-scanner.ts';
export {
  posterPacket,
  researchPacket,
  reviewerPacket,
  shownDispatches,
  shownRefs,
  synthesisPacket,
} from './sample-packets.ts';
export { samplePlan } from './sample-plan.ts';
export { packetMessage, scriptedHost, type Script, type ScriptedHost } from './scripted-host.ts';
