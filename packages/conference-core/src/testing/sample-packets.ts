/** Well-formed packets for a charter, to be varied: what a well-behaved child answers. */
import type {
  BasePacket,
  Charter,
  PosterPacket,
  ResearchPacket,
  ReviewerPacket,
  SynthesisPacket,
  Verdict,
} from '@x/protocol';

function base(charter: Charter): BasePacket {
  return {
    dispatch_id: charter.dispatch_id,
    role: charter.role,
    status: 'completed',
    claims: [],
    uncertainties: [],
    recommended_root_actions: [],
  };
}

/** One claim and one measurement for each value. */
export function researchPacket(
  charter: Charter,
  values: readonly string[],
  changes: Partial<ResearchPacket> = {},
): ResearchPacket {
  const name = charter.success_definition.metric?.name ?? 'value';
  return {
    ...base(charter),
    claims: values.map((value, index) => ({
      claim: `setting ${index + 1} of lane ${charter.lane ?? '?'} in round ${charter.round} gives ${value}`,
      evidence: `measured ${index + 3} times`,
      confidence: 'medium',
    })),
    hypotheses: [],
    measurements: values.map((value) => ({ name, value, provenance: 'mean of three runs' })),
    stuck_level: 0,
    ...changes,
  };
}

/** Dispatch ids of the research packets that a charter shows. */
export function shownDispatches(charter: Charter): string[] {
  return charter.read_context.flatMap(({ source }) =>
    source.startsWith('packet ') ? [source.slice('packet '.length)] : [],
  );
}

/** Refs that a charter shows, in order. */
export function shownRefs(charter: Charter): string[] {
  return charter.read_context.flatMap(({ source, excerpt }) =>
    source.startsWith('packet ')
      ? [...excerpt.matchAll(/"ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
      : [],
  );
}

export function posterPacket(charter: Charter, changes: Partial<PosterPacket> = {}): PosterPacket {
  return {
    ...base(charter),
    summaries: shownDispatches(charter).map((dispatch_id) => ({
      dispatch_id,
      summary: 'one setting was measured',
    })),
    agreements: [],
    conflicts: [],
    missing_evidence: [],
    measurements: [],
    review_questions: ['Can the best value be measured again?'],
    ...changes,
  };
}

/** The same verdict for every ref, and the same score for every lane in qualitative mode. */
export function reviewerPacket(
  charter: Charter,
  { verdict = 'validated', score = 7 }: { readonly verdict?: Verdict; readonly score?: number } = {},
): ReviewerPacket {
  const packet: ReviewerPacket = {
    ...base(charter),
    verdicts: shownRefs(charter).map((claim_ref) => ({
      claim: 'as listed',
      claim_ref,
      verdict,
      reason: 'the numbers were worked out again',
      evidence: 'an independent calculation gives the same number',
      confidence: 'high',
    })),
  };
  if (charter.success_definition.mode === 'metric') return packet;
  const scores = shownDispatches(charter).map((dispatch_id) => ({
    dispatch_id,
    score,
    reason: 'meets the criteria in part',
  }));
  return { ...packet, scores };
}

export function synthesisPacket(charter: Charter, changes: Partial<SynthesisPacket> = {}): SynthesisPacket {
  const [first] = shownRefs(charter);
  return {
    ...base(charter),
    established: first === undefined ? [] : [{ finding: 'the best setting is known', claim_refs: [first] }],
    promising: [],
    negative_results: [],
    contradictions: [],
    next_decisions: ['decide whether to adopt it'],
    ...changes,
  };
}
