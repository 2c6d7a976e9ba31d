/** None of the last `plateau_window` complete rounds improved. Rounds without a valid packet do not count as rounds. */
import type { NoiseBasis } from '../improvement.ts';
import { counted, shownNumber } from '../shown.ts';
import { lastOf } from './rule.ts';
import type { CommonView, Judgement, MetricView, QualitativeView, Rule } from './rule.ts';

/** How many rounds of the window the detail spells out, the newest. */
const windowShownMax = 8;

/** Whether the window is full and without improvement; the detail shows each of its rounds. Shared with `sub_threshold`. */
export function judgeWindow({ config, progress }: CommonView): Judgement {
  const window = lastOf(progress, config.plateau_window);
  if (window === null) {
    return {
      held: false,
      detail: `${counted(progress.length, 'complete round')} of a window of ${config.plateau_window}`,
    };
  }
  const held = window.every(({ improved }) => !improved);
  const shown = window.slice(-windowShownMax).map(({ round, improved, detail }) => {
    return `round ${round} ${improved ? 'improved' : 'did not improve'} (${detail})`;
  });
  return { held, detail: `last ${config.plateau_window}: ${shown.join(', ')}` };
}

const common = { id: 'plateau', outcome: 'CONVERGED_PLATEAU' } as const;
const source = 'source 001, Convergence 4; source 003, Metric Plateau; 01 Convergence';

function shownNoise({ baseline, threshold, why }: NoiseBasis): string {
  if (baseline === null || threshold === null) return 'no threshold, nothing reviewed yet';
  return `threshold ${shownNumber(threshold)} (${why}), baseline ${shownNumber(baseline.number)}`;
}

export const metricPlateau: Rule<'plateau', MetricView> = {
  ...common,
  source,
  judge: (view) => {
    const { held, detail } = judgeWindow(view);
    return { held, detail: `${detail}; ${shownNoise(view.noise)}` };
  },
};

export const scorePlateau: Rule<'plateau', QualitativeView> = { ...common, source, judge: judgeWindow };
