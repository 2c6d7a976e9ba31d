/** A whole conference in memory through the Chair: real charters, real packets, a host by script. */
import { digestOf, digestOfJson, canonicalJson, type Charter, type Plan } from '@x/protocol';
import { openChair, type Chair, type ChairPorts } from '../../src/chair/chair.ts';
import type { Asker, ArtifactPort, DelegateHost } from '../../src/chair/ports.ts';
import type { RunEnd } from '../../src/chair/run-end.ts';
import { runConference, type RunPorts } from '../../src/chair/run.ts';
import { INITIAL_STATE } from '../../src/state.ts';
import {
  manualClock,
  memoryContent,
  memoryLedger,
  noScanner,
  packetMessage,
  posterPacket,
  researchPacket,
  reviewerPacket,
  samplePlan,
  scriptedHost,
  synthesisPacket,
  type ManualClock,
  type MemoryContent,
  type MemoryLedger,
  type Script,
} from '../../src/testing/index.ts';
import { CONFERENCE, START } from './pure-root.ts';

export const NOBODY: Asker = { name: 'nobody', ask: () => Promise.resolve(null) };

export interface Embedded {
  readonly chair: Chair;
  readonly ledger: MemoryLedger;
  readonly objects: MemoryContent;
  readonly packets: MemoryContent;
  readonly clock: ManualClock;
}

/** A confirmed conference. `texts` stand in the content store as the user's own sections. */
export function embedded(
  changes: Partial<Plan> = {},
  { texts = {}, ports = {} }: { texts?: Record<string, string>; ports?: Partial<ChairPorts> } = {},
): Embedded {
  const ledger = memoryLedger();
  const [objects, packets, clock] = [memoryContent(), memoryContent(), manualClock(START)];
  const context = Object.entries(texts).map(([source, text]) => {
    const stored = canonicalJson({ text });
    objects.put(new TextEncoder().encode(stored));
    return { source, digest: digestOf(stored) };
  });
  const plan = samplePlan({ ...changes, context });
  const chair = openChair({ ledger, objects, packets, clock, scanner: noScanner, ...ports }, INITIAL_STATE);
  chair.execute({ command: 'plan', conference_id: CONFERENCE, plan });
  chair.execute({
    command: 'confirm',
    plan_digest: digestOfJson(plan),
    capability: { delegate_task: true, slots: 4, reports_cost: true },
    confirmed_by: 'test',
  });
  return { chair, ledger, objects, packets, clock };
}

/** What a well-behaved child answers: values that get better every round. */
export function wellBehaved(charter: Charter): object {
  switch (charter.role) {
    case 'researcher':
      return researchPacket(charter, [`${40 - charter.round} ms`]);
    case 'poster':
      return posterPacket(charter);
    case 'reviewer':
      return reviewerPacket(charter);
    case 'synthesis':
      return synthesisPacket(charter);
  }
}

/** A script that answers every charter at once with what `answer` makes of it. */
export function answering(answer: (charter: Charter) => object): Script {
  return (charter) => [packetMessage(charter.dispatch_id, answer(charter))];
}

export function drive(
  { chair }: Embedded,
  host: DelegateHost,
  ports: { asker?: Asker; artifacts?: ArtifactPort | null; signal?: AbortSignal } & Partial<RunPorts> = {},
): Promise<RunEnd> {
  return runConference(chair, {
    asker: NOBODY,
    artifacts: null,
    signal: new AbortController().signal,
    driver: 'embedded',
    ...ports,
    host,
  });
}

/** Runs to the end and gives the charters that were sent. */
export async function chartersOf(
  changes: Partial<Plan>,
  answer: (charter: Charter) => object = wellBehaved,
  more: Parameters<typeof embedded>[1] = {},
): Promise<{ readonly charters: readonly Charter[]; readonly end: RunEnd; readonly root: Embedded }> {
  const root = embedded(changes, more);
  const host = scriptedHost(answering(answer));
  const end = await drive(root, host);
  return { charters: host.sent.map(({ charter }) => charter), end, root };
}
