import { digestOfJson, parseConferenceId, type Charter, type ConferenceEvent } from '@x/protocol';
import { expect, test } from 'vitest';
import { INITIAL_STATE } from '../state.ts';
import { fold } from '../decide.ts';
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
} from '../testing/index.ts';
import { openChair } from './chair.ts';
import { runConference } from './run.ts';

const CONFERENCE = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (CONFERENCE === null) throw new Error('not a ULID');
const START = Date.parse('2026-11-30T12:00:00.000Z');

function answer(charter: Charter) {
  switch (charter.role) {
    case 'researcher':
      return researchPacket(charter, [`${20 - charter.round} ms`]);
    case 'poster':
      return posterPacket(charter);
    case 'reviewer':
      return reviewerPacket(charter);
    case 'synthesis':
      return synthesisPacket(charter);
  }
}

test('an undisturbed conference runs from plan to receipt and leaves no dispatch unaccounted', async () => {
  const plan = samplePlan();
  const ledger = memoryLedger();
  const chair = openChair(
    {
      ledger,
      objects: memoryContent(),
      packets: memoryContent(),
      clock: manualClock(START),
      scanner: noScanner,
    },
    INITIAL_STATE,
  );
  const host = scriptedHost((charter) => [
    { message: 'acknowledged', dispatch_id: charter.dispatch_id },
    packetMessage(charter.dispatch_id, answer(charter)),
  ]);
  expect(chair.execute({ command: 'plan', conference_id: CONFERENCE, plan }).status).toBe('done');
  const confirmed = chair.execute({
    command: 'confirm',
    plan_digest: digestOfJson(plan),
    capability: { delegate_task: true, slots: 2 },
    confirmed_by: 'test',
  });
  expect(confirmed.status).toBe('done');
  const end = await runConference(chair, {
    host,
    asker: { name: 'nobody', ask: () => Promise.resolve(null) },
    artifacts: null,
    signal: new AbortController().signal,
    driver: 'embedded',
  });
  expect(end).toEqual({ end: 'done', outcome: 'BUDGET_STOP', target_met: false });
  const names = ledger.events.map(({ event }: ConferenceEvent) => event);
  expect(names.at(-1)).toBe('cleanup.receipt');
  expect(host.sent).toHaveLength(3 * 5 + 1);
  expect(fold(ledger.events, INITIAL_STATE)).toEqual(chair.state);
});
