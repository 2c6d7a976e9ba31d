/** A whole conference as its events, made by the core itself with facts instead of packets. */
import { digestOf, parseConferenceId, type ConferenceEvent, type Plan, type VerdictFact } from '@x/protocol';
import {
  currentRound,
  INITIAL_STATE,
  isRefusal,
  laneRows,
  nextActions,
  openRows,
  step,
  type Command,
  type State,
} from '@x/conference-core';
import { samplePlan } from '@x/conference-core/testing';

const START = Date.parse('2026-11-30T12:00:00.000Z');

/** Every round improves, so that all rounds are run. */
export function recordedConference({ lanes, rounds }: { lanes: number; rounds: number }): ConferenceEvent[] {
  const id = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
  if (id === null) throw new Error('not a ULID');
  const plan: Plan = samplePlan({
    lanes,
    iterations_per_round: 1,
    max_rounds: rounds,
    max_total_iterations: lanes * rounds,
    metric: { name: 'ms', target: '<= 1 ms', direction: 'minimize' },
  });
  const events: ConferenceEvent[] = [];
  let state: State = INITIAL_STATE;
  let now = START;
  const execute = (command: Command): void => {
    now += 1;
    const stepped = step(state, command, now);
    if (isRefusal(stepped)) throw new Error(stepped.message);
    events.push(...stepped.events);
    ({ state } = stepped);
  };
  execute({ command: 'plan', conference_id: id, plan });
  const capability = { delegate_task: true, slots: lanes };
  const plan_digest = state.planned?.plan_digest ?? '';
  execute({ command: 'confirm', plan_digest, capability, confirmed_by: 'bench' });
  execute({ command: 'attach', driver: 'embedded', host: 'bench', capability, temporary_roots: false });
  while (state.closing.receipt === null) {
    const [first] = nextActions(state, { freeSlots: 1 });
    if (first?.action === 'issue') {
      const { dispatch_id } = first.proposal;
      const digest = digestOf(dispatch_id);
      execute({ command: 'issue', dispatch_id, charter_digest: digest, context_digest: digest });
    } else if (first?.action === 'close') execute({ command: 'close' });
    else answerAll(state, execute);
  }
  return events;
}

function answerAll(state: State, execute: (command: Command) => void): void {
  for (const row of openRows(state)) {
    const { dispatch_id, role } = row;
    const digest = digestOf(`packet of ${dispatch_id}`);
    const facts =
      role === 'researcher'
        ? {
            status: 'completed' as const,
            claims: 1,
            stuck_level: 0,
            measurements: [{ name: 'ms', value: `${1_000 - row.round} ms` }],
          }
        : {
            status: 'completed' as const,
            claims: 0,
            ...(role === 'reviewer' ? { verdicts: verdictsOf(state) } : {}),
          };
    const admission = { ok: true as const, content_digest: digest, facts, rules: 'bench' };
    execute({ command: 'result', dispatch_id, digest, bytes: 1_000, admission });
  }
}

function verdictsOf(state: State): VerdictFact[] {
  const round = currentRound(state);
  if (round === null) return [];
  return laneRows(round).flatMap((row) =>
    row === null ? [] : [{ ref: `${row.dispatch_id}#m1`, verdict: 'validated' as const }],
  );
}
