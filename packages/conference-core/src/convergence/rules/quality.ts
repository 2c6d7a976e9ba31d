/** Every received lane of the last two complete rounds has at least the quality score, from the reviewer. */
import type { ScoreFacts } from '../round-facts.ts';
import { shownName } from '../shown.ts';
import { lastOf } from './rule.ts';
import type { Judgement, QualitativeView, Rule } from './rule.ts';

/** How many rounds must be good: the source's two, whatever the plateau window is. */
const qualityRounds = 2;

/** Whether every received lane, and at least one, scores `atLeast`; a lane without a score fails. */
export function judgeScores(scores: ScoreFacts | null, atLeast: number): Judgement {
  if (scores === null || (scores.lowest === null && scores.unscored === null)) {
    return { held: false, detail: 'no received lane' };
  }
  if (scores.unscored !== null)
    return { held: false, detail: `lane ${shownName(scores.unscored)} has no score` };
  const { lowest } = scores;
  const detail = `lowest ${lowest?.score ?? '-'} (${shownName(lowest?.lane ?? '-')}), wanted ${atLeast}`;
  return { held: lowest !== null && lowest.score >= atLeast, detail };
}

export const quality: Rule<'quality', QualitativeView> = {
  id: 'quality',
  outcome: 'CONVERGED',
  source: 'source 003, Quality Plateau; 01 Convergence',
  judge: ({ config, complete }) => {
    const window = lastOf(complete, qualityRounds);
    if (window === null)
      return { held: false, detail: `${complete.length} of ${qualityRounds} complete rounds` };
    const judged = window.map(({ round, scores }) => ({
      round,
      ...judgeScores(scores, config.quality_score),
    }));
    const detail = judged.map((one) => `round ${one.round}: ${one.detail}`).join('; ');
    return { held: judged.every(({ held }) => held), detail };
  },
};
