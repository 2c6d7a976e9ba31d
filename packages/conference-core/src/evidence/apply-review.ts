/**
 * Lays a reviewer's verdicts and scores on the rows they are about (01 Evidence).
 *
 * Of several verdicts in one packet on one ref the worst counts; a later review replaces an earlier one. A packet
 * with status `blocked` brings no evidence, whether it reviews or is reviewed.
 */
import { REF_PATTERN, VERDICTS, type PacketFacts, type Verdict } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import type { Round } from '../round.ts';

interface Verdicts {
  readonly claims: Map<number, Verdict>;
  readonly measurements: Map<number, Verdict>;
  score: number | null;
}

/** The rounds after a review; those it says nothing about are the same objects. */
export function applyReview(rounds: readonly Round[], facts: PacketFacts | null): readonly Round[] {
  if (facts === null || facts.status === 'blocked') return rounds;
  const byDispatch = collect(facts);
  if (byDispatch.size === 0) return rounds;
  return rounds.map((round) => {
    let touched = false;
    const rows = round.rows.map((row) => {
      const verdicts = byDispatch.get(row.dispatch_id);
      if (verdicts === undefined || row.facts === null || row.facts.status === 'blocked') return row;
      touched = true;
      return withVerdicts(row, row.facts, verdicts);
    });
    return touched ? { ...round, rows } : round;
  });
}

/** The worse of two verdicts, where there are two. */
function worseVerdict(left: Verdict | undefined, right: Verdict): Verdict {
  return left !== undefined && VERDICTS.indexOf(left) > VERDICTS.indexOf(right) ? left : right;
}

function collect(facts: PacketFacts): Map<string, Verdicts> {
  const byDispatch = new Map<string, Verdicts>();
  const of = (dispatchId: string): Verdicts => {
    const known = byDispatch.get(dispatchId) ?? { claims: new Map(), measurements: new Map(), score: null };
    byDispatch.set(dispatchId, known);
    return known;
  };
  for (const { ref, verdict } of facts.verdicts ?? []) {
    const [, dispatchId, kind, number] = REF_PATTERN.exec(ref) ?? [];
    if (dispatchId === undefined) continue;
    const own = of(dispatchId);
    const list = kind === 'c' ? own.claims : own.measurements;
    list.set(Number(number) - 1, worseVerdict(list.get(Number(number) - 1), verdict));
  }
  for (const { dispatch_id, score } of facts.scores ?? []) {
    const own = of(dispatch_id);
    // A lane scored twice in one packet keeps the lower: the reviewer contradicts itself, and nothing improves by it.
    own.score = own.score === null ? score : Math.min(own.score, score);
  }
  return byDispatch;
}

function withVerdicts(row: DispatchRow, facts: PacketFacts, verdicts: Verdicts): DispatchRow {
  return {
    ...row,
    claim_verdicts: merge(row.claim_verdicts, facts.claims, verdicts.claims),
    measurement_verdicts: merge(
      row.measurement_verdicts,
      facts.measurements?.length ?? 0,
      verdicts.measurements,
    ),
    score: verdicts.score ?? row.score,
  };
}

function merge(
  before: readonly (Verdict | null)[],
  length: number,
  verdicts: ReadonlyMap<number, Verdict>,
): readonly (Verdict | null)[] {
  return Array.from({ length }, (_, index) => verdicts.get(index) ?? before[index] ?? null);
}
