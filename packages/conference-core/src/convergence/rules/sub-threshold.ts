/** A plateau below the quality score: no improvement in the window, and no score in it reaches it. */
import { judgeWindow } from './plateau.ts';
import { lastOf } from './rule.ts';
import type { QualitativeView, Rule } from './rule.ts';

export const subThreshold: Rule<'sub_threshold', QualitativeView> = {
  id: 'sub_threshold',
  outcome: 'STALLED',
  source: 'source 003, Sub-threshold Plateau; 01 Convergence',
  judge: (view) => {
    const { held: flat, detail } = judgeWindow(view);
    const window = lastOf(view.complete, view.config.plateau_window) ?? [];
    const reaching = window.find(({ scores }) => (scores?.highest?.score ?? 0) >= view.config.quality_score);
    const highest = Math.max(0, ...window.map(({ scores }) => scores?.highest?.score ?? 0));
    const scores =
      highest === 0
        ? 'no score'
        : `highest score ${highest}, sub-threshold below ${view.config.quality_score}`;
    return { held: flat && reaching === undefined, detail: `${detail}; ${scores}` };
  },
};
