/**
 * Packets of a whole conference as files for `--host replay:<folder>`. Every id is derived from the plan digest and the
 * fixed time of a replay, so that reviewer packets can name the refs of lanes that have not answered yet.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dispatchIdFor, laneLetter, type Planned } from '@x/conference-core';
import { encodeUlid, parseConferenceId, type Digest, type Role } from '@x/protocol';

/** The time at which every replay from files starts. */
const REPLAY_START = Date.parse('2000-01-01T00:00:00.000Z');

export interface Size {
  readonly lanes: number;
  readonly rounds: number;
}

/** The plan as a person writes it: every round improves and none reaches the target, so that all rounds are run. */
export function conferenceMd({ lanes, rounds }: Size): string {
  return `# Bench

## Goal
Find the fastest sort of this file.

## Mode
metric

## Success Metric
- **Metric:** duration
- **Target:** <= 1 ms
- **Direction:** minimize

## Researchers
- **Count:** ${lanes}
- **Iterations per round:** 1
- **Max rounds:** ${rounds}

## Pre-Flight Gate
- **Critic / Devil's Advocate:** no

## Search Space
- **Allowed changes:** none
- **Forbidden changes:** none

## Constraints
- **Researcher timeout:** 10m
`;
}

/** Writes the packets of every dispatch. */
export function writeReplay(folder: string, planDigest: Digest, { lanes, rounds }: Size): void {
  mkdirSync(folder, { recursive: true });
  const plannedAt = plannedFor(planDigest);
  const write = (name: string, packet: object): void =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(packet));
  for (let round = 1; round <= rounds; round += 1) {
    const ids = Array.from({ length: lanes }, (_, lane) =>
      dispatchIdFor(plannedAt, { role: 'researcher', round, lane, attempt: 1 }),
    );
    ids.forEach((_, lane) => write(`r${round}-${laneLetter(lane)}`, researchPacket(round, lane)));
    write(`r${round}-poster`, posterPacket(ids));
    write(`r${round}-review`, reviewerPacket(ids, round));
  }
  write(`r${rounds}-synthesis`, synthesisPacket());
}

/** What of a planned conference its ids are derived from. */
function plannedFor(planDigest: Digest): Planned {
  const random = Buffer.from(planDigest.slice('sha256:'.length), 'hex').subarray(0, 10);
  const conference_id = parseConferenceId(encodeUlid(REPLAY_START, random));
  if (conference_id === null) throw new Error('a derived id is not a ULID');
  // Ids are made from these two; the rest of a planned conference is not looked at.
  return { conference_id, planned_ms: REPLAY_START } as Planned;
}

const base = (role: Role) => ({
  dispatch_id: '{{dispatch_id}}',
  role,
  status: 'completed',
  claims: [] as object[],
  uncertainties: [] as string[],
  recommended_root_actions: [] as string[],
});

/** About 1 KiB, as a short answer of a model is. */
function researchPacket(round: number, lane: number): object {
  const value = `${1_000 - round * 10 + (lane % 7)} ms`;
  return {
    ...base('researcher'),
    claims: [
      {
        claim: `setting ${lane} of round ${round} sorts the file in ${value}`,
        evidence: `mean of five runs after a warm-up, spread below two percent, input shuffled before each run (lane ${lane})`,
        confidence: 'medium',
      },
    ],
    uncertainties: ['the machine was not otherwise idle'],
    hypotheses: [
      {
        statement: `a larger run length helps lane ${lane}`,
        verdict: lane % 3 === 0 ? 'falsified' : 'supported',
        evidence: 'three lengths were compared side by side',
      },
    ],
    measurements: [{ name: 'duration', value, provenance: 'mean of five runs' }],
    stuck_level: 0,
  };
}

function posterPacket(ids: readonly string[]): object {
  return {
    ...base('poster'),
    summaries: ids.map((dispatch_id) => ({ dispatch_id, summary: 'one setting was measured' })),
    agreements: ['longer runs help'],
    conflicts: [],
    missing_evidence: [],
    measurements: [],
    review_questions: ['Can the best value be measured again?'],
  };
}

function reviewerPacket(ids: readonly string[], round: number): object {
  const verdicts = ids.flatMap((id, lane) =>
    [`${id}#c1`, `${id}#m1`].map((claim_ref) => ({
      claim: 'as listed',
      claim_ref,
      verdict: 'validated',
      reason: 'the numbers were worked out again',
      evidence: `an independent calculation of setting ${lane} in round ${round} gives the same number`,
      confidence: 'high',
    })),
  );
  return { ...base('reviewer'), verdicts };
}

function synthesisPacket(): object {
  return {
    ...base('synthesis'),
    established: [],
    promising: [],
    negative_results: [],
    contradictions: [],
    next_decisions: ['decide whether to adopt it'],
  };
}
