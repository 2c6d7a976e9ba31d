/** Every received lane of the last round has at least the early quality score, where the plan allows it to end there. */
import { judgeScores } from './quality.ts';
import { noRound } from './rule.ts';
import type { QualitativeView, Rule } from './rule.ts';

export const earlyQuality: Rule<'early_quality', QualitativeView> = {
  id: 'early_quality',
  outcome: 'CONVERGED',
  source: 'source 003, Early Quality; 01 Convergence',
  judge: ({ config, last }) => {
    if (last === null) return noRound;
    const { held, detail } = judgeScores(last.scores, config.early_quality_score);
    const allowed = config.early_quality ? 'allowed' : 'not allowed by the plan';
    return { held: held && config.early_quality, detail: `${allowed}; round ${last.round}: ${detail}` };
  },
};
