/** Some reviewed measurement so far satisfies the target. Unreviewed ones are counted in the detail, never as evidence. */
import { comparatorOf } from '../target.ts';
import type { RoundFacts, UnusableMeasurement } from '../round-facts.ts';
import { shownName, shownNumber, shownText } from '../shown.ts';
import type { UnusableReason } from '../measurement.ts';
import type { MetricView, Rule } from './rule.ts';

/** How many unusable measurements the detail names; the record lists more. */
const unusableShownMax = 3;

const reasons: Readonly<Record<UnusableReason, string>> = {
  other_metric: 'another metric',
  not_a_number: 'not a number',
  wrong_unit: 'wrong unit',
};

function shownUnusable(rounds: readonly RoundFacts[]): string {
  const all = rounds.flatMap(({ metric }) => (metric === null ? [] : [metric.unusable]));
  const total = all.reduce((sum, unusable) => sum + unusable.total, 0);
  if (total === 0) return '';
  const shown = all
    .flatMap(({ listed }) => listed)
    .slice(0, unusableShownMax)
    .map(({ round, lane, position, found, reason }: UnusableMeasurement) => {
      return `round ${round} ${shownName(lane)}#m${position} ${shownText(found)} ${reasons[reason]}`;
    });
  return `; ${total} unusable: ${shown.join(', ')}${total > shown.length ? ', …' : ''}`;
}

export const targetReached: Rule<'target_reached', MetricView> = {
  id: 'target_reached',
  outcome: 'CONVERGED',
  source: 'source 001, Convergence 3; source 003, Target Reached; 01 Convergence',
  judge: ({ config: { metric }, rounds, complete }) => {
    const { target, direction, name } = metric;
    const wanted = `${comparatorOf(target, direction)} ${shownNumber(target.number)}${target.unit}`;
    const hit = complete.find((facts) => facts.metric !== null && facts.metric.meets !== null);
    const meets = hit?.metric?.meets ?? null;
    const sum = (of: 'reviewed' | 'unreviewed'): number =>
      complete.reduce((total, facts) => total + (facts.metric?.[of] ?? 0), 0);
    const evidence = `${sum('reviewed')} reviewed, ${sum('unreviewed')} not reviewed${shownUnusable(rounds)}`;
    if (hit === undefined || meets === null)
      return { held: false, detail: `${shownName(name)} ${wanted}: not met by any; ${evidence}` };
    const at = `${shownNumber(meets.number)}${target.unit} (round ${hit.round} ${shownName(meets.lane)}#m${meets.position})`;
    return { held: true, detail: `${shownName(name)} ${wanted}: met by ${at}; ${evidence}` };
  },
};
