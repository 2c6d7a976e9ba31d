/** Documents that fit their schemas, as plain data; each test changes what it is about. */

export const RESEARCH_ID = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
export const OTHER_ID = '01J9ZQ4V7N3K8M2R5T6W8X9Y0B';
export const DIGEST = `sha256:${'ab'.repeat(32)}`;

export type Json = Record<string, unknown>;

function base(role: string): Json {
  return {
    dispatch_id: RESEARCH_ID,
    role,
    status: 'completed',
    claims: [{ claim: 'Level 9 is 4 % smaller.', evidence: 'Measured twice [E1].', confidence: 'high' }],
    uncertainties: ['One file only.'],
    recommended_root_actions: ['Run the benchmark again.'],
  };
}

export function researchPacket(): Json {
  return {
    ...base('researcher'),
    hypotheses: [{ statement: 'A larger window helps.', verdict: 'falsified', evidence: 'No change.' }],
    measurements: [{ name: 'size', value: '12.5 kB', provenance: 'mean of 3 runs' }],
    stuck_level: 0,
  };
}

export function posterPacket(): Json {
  return {
    ...base('poster'),
    summaries: [{ dispatch_id: RESEARCH_ID, summary: 'Lane A tunes the level.' }],
    agreements: ['Level matters.'],
    conflicts: [],
    missing_evidence: ['No second file.'],
    measurements: [{ name: 'size', value: '12.5 kB', provenance: 'lane A' }],
    review_questions: ['Does it hold for text?'],
  };
}

export function reviewerPacket(mode: 'metric' | 'qualitative'): Json {
  const packet: Json = {
    ...base('reviewer'),
    verdicts: [
      {
        claim: 'Level 9 is 4 % smaller.',
        claim_ref: `${RESEARCH_ID}#c1`,
        verdict: 'validated',
        reason: 'Measured again from scratch.',
        evidence: 'Three runs, same size.',
        confidence: 'high',
      },
    ],
    verification_requests: ['Measure on another machine.'],
  };
  if (mode === 'qualitative') packet['scores'] = [{ dispatch_id: RESEARCH_ID, score: 8, reason: 'Clear.' }];
  return packet;
}

export function synthesisPacket(): Json {
  const finding = { finding: 'Level 9 is smaller.', claim_refs: [`${RESEARCH_ID}#c1`] };
  return {
    ...base('synthesis'),
    established: [finding],
    promising: [],
    negative_results: [finding],
    contradictions: ['Lane B measured no change.'],
    next_decisions: ['Whether a second file is worth a round.'],
  };
}

export function charter(): Json {
  return {
    dispatch_id: RESEARCH_ID,
    conference_id: OTHER_ID,
    instructions: 'researcher/1: inspect the evidence; make no project write.',
    round: 1,
    role: 'researcher',
    lane: 'A',
    contrarian: false,
    objective: 'Find the smallest encoding. Focus: Brotli.',
    success_definition: {
      mode: 'metric',
      metric: { name: 'size', direction: 'minimize', target: '<= 10 kB', unit: 'kB' },
      criteria: [],
    },
    iteration_allowance: 3,
    read_context: [{ id: 'E1', digest: DIGEST, source: 'Shared Knowledge', excerpt: 'Text.', omitted: 2 }],
    allowed_read_roots: ['/srv/data'],
    forbidden_actions: [
      'write shared or project state',
      'delegate another child',
      'use credentials or host configuration',
      'publish, deploy, release, commit, push, or mutate Git history',
      'touch the network',
    ],
    delegation_allowed: false,
    deadline: '2026-11-30T12:00:00.000Z',
    cancellation: 'When cancelled, stop; nothing you send later counts.',
    output: 'packet schema only',
    output_schema: { type: 'object' },
  };
}
