#!/usr/bin/env node
/** The smallest child that can fill every seat: one charter on stdin, one packet on stdout. */
import { text } from 'node:stream/consumers';

const charter = JSON.parse(await text(process.stdin));
const { dispatch_id, role, round, success_definition, read_context } = charter;

/** Research packets that the charter shows, each as the JSON in its excerpt. */
const shown = read_context
  .filter(({ source }) => source.startsWith('packet '))
  .map(({ excerpt }) => JSON.parse(excerpt));
const refs = shown
  .flatMap(({ claims = [], measurements = [] }) => [...claims, ...measurements])
  .map(({ ref }) => ref);

const measured = String(40 + 10 * round); // here your own work goes: run it, measure it
const roles = {
  researcher: () => ({
    claims: [{ claim: `it gives ${measured}`, evidence: 'measured three times', confidence: 'medium' }],
    hypotheses: [],
    measurements: [
      { name: success_definition.metric.name, value: measured, provenance: 'mean of three runs' },
    ],
    stuck_level: 0,
  }),
  poster: () => ({
    summaries: shown.map(({ dispatch_id: of }) => ({ dispatch_id: of, summary: 'one setting was measured' })),
    agreements: [],
    conflicts: [],
    missing_evidence: [],
    measurements: [],
    review_questions: [],
  }),
  reviewer: () => ({
    verdicts: refs.map((claim_ref) => ({
      claim: 'as listed',
      claim_ref,
      verdict: 'validated',
      reason: 'it was measured again',
      evidence: 'an independent run gives the same number',
      confidence: 'high',
    })),
  }),
  synthesis: () => ({
    established: [{ finding: 'the setting works', claim_refs: refs.slice(0, 1) }],
    promising: [],
    negative_results: [],
    contradictions: [],
    next_decisions: [],
  }),
};

const base = {
  dispatch_id,
  role,
  status: 'completed',
  claims: [],
  uncertainties: [],
  recommended_root_actions: [],
};
process.stdout.write(`${JSON.stringify({ ...base, ...roles[role]() })}\n`);
