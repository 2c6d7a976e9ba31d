/** A reviewer's verdicts laid on the refs they are about (02 Packets; source 002 Reviewer charter). */
import { VERDICTS, type ReviewerPacket, type Verdict, type VerdictFact } from '@x/protocol';
import { resolveRef, type RefIndex } from './claim-ref.ts';
import { isSelfAssessment } from './self-assessment.ts';

export interface LinkedVerdicts {
  /** One for each ref that was named, in order of first mention. */
  readonly verdicts: readonly VerdictFact[];
  /** Verdicts that name nothing known, or several claims: the reviewer's own remarks, validating nothing. */
  readonly remarks: number;
}

/**
 * Matches verdicts to refs, downgrades what is only self-assessed, and of several verdicts on one ref keeps the
 * worst (CHAR-04, PACK-11).
 * @param namesOf what names a reviewed packet in the charter besides its dispatch id
 */
export function linkVerdicts(
  verdicts: ReviewerPacket['verdicts'],
  index: RefIndex,
  namesOf: (dispatchId: string) => readonly string[],
): LinkedVerdicts {
  const byRef = new Map<string, VerdictFact>();
  let remarks = 0;
  for (const entry of verdicts) {
    const target = resolveRef(entry, index);
    if (target === null) {
      remarks += 1;
      continue;
    }
    const downgraded =
      entry.verdict === 'validated' && isSelfAssessment(entry.evidence, target, namesOf(target.dispatch_id));
    const fact: VerdictFact = downgraded
      ? { ref: target.ref, verdict: 'challenged', downgraded: true }
      : { ref: target.ref, verdict: entry.verdict };
    const before = byRef.get(target.ref);
    if (before === undefined || isWorse(fact, before)) byRef.set(target.ref, fact);
  }
  return { verdicts: [...byRef.values()], remarks };
}

/** A reviewer's own `challenged` outranks one that is only a downgrade. */
function isWorse(left: VerdictFact, right: VerdictFact): boolean {
  const difference = rank(left.verdict) - rank(right.verdict);
  return difference > 0 || (difference === 0 && right.downgraded === true && left.downgraded !== true);
}

function rank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}
