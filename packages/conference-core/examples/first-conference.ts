/** A whole conference in memory: three lanes, two rounds, a review of each, a synthesis, and the report. */
import assert from 'node:assert/strict';
// #region program
import { INITIAL_STATE, renderReport } from '@x/conference-core';
import { openChair, read, runConference } from '@x/conference-core/chair';
import * as testing from '@x/conference-core/testing';
import { digestOfJson, parseConferenceId, type Charter } from '@x/protocol';

const plan = testing.samplePlan({ lanes: 3, max_rounds: 2 });
const chair = openChair(
  {
    ledger: testing.memoryLedger(),
    objects: testing.memoryContent(),
    packets: testing.memoryContent(),
    clock: testing.manualClock(Date.parse('2026-11-30T12:00:00.000Z')),
    scanner: testing.noScanner,
  },
  INITIAL_STATE,
);

const conference_id = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (conference_id === null) throw new Error('not a ULID');
chair.execute({ command: 'plan', conference_id, plan });
const capability = { delegate_task: true, slots: 2 };
chair.execute({ command: 'confirm', plan_digest: digestOfJson(plan), capability, confirmed_by: 'me' });

// What a child is: a charter in, a packet out.
function child(charter: Charter): object {
  if (charter.role === 'researcher') return testing.researchPacket(charter, [`${20 - charter.round} ms`]);
  if (charter.role === 'poster') return testing.posterPacket(charter);
  return charter.role === 'reviewer' ? testing.reviewerPacket(charter) : testing.synthesisPacket(charter);
}
const host = testing.scriptedHost((charter) => [testing.packetMessage(charter.dispatch_id, child(charter))]);

const end = await runConference(chair, {
  host,
  asker: { name: 'nobody', ask: () => Promise.resolve(null) },
  artifacts: null, // nothing touches the disk
  signal: new AbortController().signal,
  driver: 'embedded',
});
const report = read(renderReport(chair.state, chair.ports.ledger.head), chair.ports.objects);
// #endregion

assert.deepEqual(end, { end: 'done', outcome: 'BUDGET_STOP', target_met: false });
assert.match(report, /^# Outcome: BUDGET_STOP · target_met: false · rounds: 2 of 2 · iterations: 12 of 18\n/);
assert.equal(host.sent.length, 2 * (3 + 1 + 1) + 1);
