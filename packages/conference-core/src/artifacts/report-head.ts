/** How a report opens: the outcome in one line, then in a sentence, then what limits it (03 Artifacts; CONF-19). */
import type { Outcome } from '@x/protocol';
import { isBetter } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import { laneLetter } from '../lane.ts';
import { decimalOf, parseQuantity } from '../plan/quantity.ts';
import type { Round } from '../round.ts';
import { isFinal, type State } from '../state.ts';
import { inline } from './inert-text.ts';
import { limitationsOf } from './limitations.ts';
import { lostSentences } from './lost-content.ts';
import { bullets, counted, section } from './markdown.ts';

/** How the conference ended or will end, or null while nothing is decided. The closing event says the same. */
function reportedOutcome(state: State): Outcome | null {
  return state.outcome ?? (isFinal(state) ? 'BUDGET_STOP' : null);
}

/** The first line: outcome, target_met, rounds and iterations spent of the budget. */
export function outcomeLine(state: State): string {
  const plan = state.planned?.plan;
  const outcome = reportedOutcome(state) ?? `none yet (${state.state})`;
  const complete = state.rounds.filter(({ completed }) => completed).length;
  return `# Outcome: ${outcome} · target_met: ${state.target_met} · rounds: ${complete} of ${plan?.max_rounds ?? 0} · iterations: ${state.iterations_spent} of ${plan?.max_total_iterations ?? 0}`;
}

/** The designated section of every limitation, and nothing but limitations (001 Output channels). */
export function limitationSection(state: State): string {
  return section(
    'Limitations',
    [bullets([...limitationsOf(state).map((text) => inline(text)), ...lostSentences(state)])],
    'None are known.',
  );
}

/** What happened, in words. */
export function leadSentences(state: State): string {
  return [unfinishedSentence(state), outcomeSentence(state), bestSentence(state)]
    .filter((text) => text !== '')
    .join(' ');
}

function unfinishedSentence(state: State): string {
  if (isFinal(state)) return '';
  if (state.round === 0) return `No round has begun; the state is ${state.state}.`;
  const phase = state.phase === null ? '' : `, phase ${state.phase}`;
  return `The conference is not finished: it is ${state.state}${phase}, in round ${state.round}.`;
}

function outcomeSentence(state: State): string {
  const window = state.planned?.plan.convergence.plateau_window ?? 0;
  switch (reportedOutcome(state)) {
    case null:
      return '';
    case 'CONVERGED':
      return 'The success definition was met on reviewed evidence.';
    case 'CONVERGED_PLATEAU':
      return `The last ${counted(window, 'complete round')} did not improve on the best value.`;
    case 'STALLED':
      return 'No lane found a way on, so the synthesis came early.';
    case 'BUDGET_STOP':
      return 'The budget was reached.';
    case 'CANCELLED':
      return 'The user cancelled; what no review had accepted was discarded.';
    case 'STOPPED_BY_USER':
      return 'The user stopped the conference with what was reviewed until then.';
    case 'BLOCKED_NO_VALID_PACKET':
      return 'No lane brought a valid packet.';
    case 'CONTINUE':
      return 'No stop rule held.';
  }
}

function bestSentence(state: State): string {
  const plan = state.planned?.plan;
  const best = bestRound(state);
  if (plan === undefined) return '';
  const met = plan.mode === 'metric' ? `, ${state.target_met ? 'met' : 'not met'}` : ', shown and not judged';
  const wanted =
    plan.metric === undefined
      ? ''
      : ` Target: ${inline(plan.metric.name)} ${inline(plan.metric.target)}, ${plan.metric.direction}${met}.`;
  const name =
    plan.mode === 'metric' && plan.metric !== undefined
      ? `reviewed ${inline(plan.metric.name)}`
      : 'mean score of a round';
  if (best === null) return `There is no ${name}.${wanted}`;
  const lane =
    best.best_lane === null || plan.mode !== 'metric' ? '' : ` of lane ${laneLetter(best.best_lane)}`;
  const unit = metricOf(plan)?.target.unit ?? '';
  const value = `${best.best_metric ?? ''}${/^\p{L}/u.test(unit) ? ' ' : ''}${unit}`;
  return `Best ${name}: **${inline(value)}**${lane} in round ${best.round}.${wanted}`;
}

/** The round with the best value, the earliest of equal ones. */
function bestRound(state: State): Round | null {
  const plan = state.planned?.plan;
  const direction = (plan === undefined ? null : metricOf(plan))?.direction ?? 'maximize';
  let best: Round | null = null;
  for (const round of state.rounds) {
    const value = valueOf(round);
    if (value === null) continue;
    const before = best === null ? null : valueOf(best);
    if (before === null || isBetter(direction, decimalOf(value), decimalOf(before))) best = round;
  }
  return best;
}

function valueOf({ completed, best_metric }: Round): string | null {
  return completed && best_metric !== null ? (parseQuantity(best_metric)?.number ?? null) : null;
}
