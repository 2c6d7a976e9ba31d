/** Rounds, convergence, budget, decisions and dispatches of a report: facts of the state, no content is read. */
import { laneLetter } from '../lane.ts';
import { duration } from '../plan/conditions.ts';
import { timeSpentMs } from '../rules/accounting.ts';
import { allRows, type State } from '../state.ts';
import { inline } from './inert-text.ts';
import { bullets, code, counted, seatName, section, table, type PacketLinks } from './markdown.ts';
import { peerReviewPath, posterSessionPath } from './paths.ts';

/** Dispatches that a report lists one by one; beyond it only those that brought no packet, then counts. */
const REPORT_DISPATCHES_MAX = 300;

export function roundSection(state: State): string {
  const files = (round: number, skipped: boolean): string => {
    const paths = [...(skipped ? [] : [posterSessionPath(round)]), peerReviewPath(round)];
    const written = paths.filter((path) => state.artifacts.has(path));
    return written.length === 0
      ? '-'
      : written
          .map((path) => `[${path.replace(/_round_\d+\.md$/, '').replace('_', ' ')}](${path})`)
          .join(', ');
  };
  const qualitative = state.planned?.plan.mode === 'qualitative';
  const rows = state.rounds.map((round) => [
    `${round.round}`,
    round.best_metric === null ? '-' : inline(round.best_metric),
    round.best_lane === null ? '-' : laneLetter(round.best_lane),
    round.reviewed ? `${round.validated}` : '-',
    round.reviewed ? `${round.challenged}` : '-',
    round.reviewed ? `${round.overturned}` : '-',
    round.record === null
      ? 'not complete'
      : `${round.record.outcome}${round.record.winner === null ? '' : ` (${round.record.winner})`}`,
    files(round.round, round.poster_skipped),
  ]);
  const right = (title: string) => ({ title, align: 'right' as const });
  return section(
    'Rounds',
    [
      table(
        [
          right('Round'),
          right(qualitative ? 'Mean score' : 'Best metric'),
          qualitative ? 'Highest lane' : 'Best researcher',
          right('Validated'),
          right('Challenged'),
          right('Overturned'),
          'Convergence',
          'Files',
        ],
        rows,
      ),
    ],
    'No round was opened.',
  );
}

/** The last decision record, rule by rule, in the order in which they were looked at (01 Convergence; CONF-18). */
export function convergenceSection(state: State): string {
  const round = state.rounds.findLast(({ record }) => record !== null);
  const record = round?.record ?? null;
  if (round === undefined || record === null)
    return section('Convergence', [], 'No round was complete, so nothing was evaluated.');
  const order = state.planned?.plan.convergence.order ?? 'core';
  const winner = record.winner === null ? 'No rule held' : `Rule ${code(record.winner)} won`;
  const rows = record.rules.map(({ rule, held, detail }) => [
    code(rule),
    held ? (rule === record.winner ? '**held**' : 'held') : 'not held',
    inline(detail),
  ]);
  return section(
    'Convergence',
    [
      `After round ${round.round}, in the order ${code(order)}: ${record.outcome}, target_met: ${record.target_met}. ${winner}.`,
      table(['Rule', 'Result', 'What it looked at'], rows),
    ],
    '',
  );
}

export function budgetSection(state: State): string {
  const plan = state.planned?.plan;
  if (plan === undefined) return section('Budget', [], 'Nothing is planned.');
  const time = plan.time_budget_ms === undefined ? 'no budget' : `of ${duration(plan.time_budget_ms)}`;
  const cost = plan.cost_budget === undefined ? 'no budget' : `of ${plan.cost_budget}`;
  return section(
    'Budget',
    [
      table(
        ['', { title: 'Spent', align: 'right' }, 'Budget'],
        [
          ['Rounds', `${state.rounds.length}`, `of ${plan.max_rounds}`],
          ['Iterations', `${state.iterations_spent}`, `of ${plan.max_total_iterations}`],
          ['Time', timeText(timeSpentMs(state, state.head_ms)), time],
          ['Cost', costText(state, plan.cost_budget !== undefined), cost],
        ],
      ),
    ],
    '',
  );
}

/** A host that reports no cost leaves the sum at 0, which would say more than is known. */
function costText({ cost_spent }: State, isBudgeted: boolean): string {
  return isBudgeted || cost_spent !== '0' ? inline(cost_spent) : 'not reported';
}

/** Under a minute with one decimal, else in whole seconds: what was spent, not what is allowed. */
function timeText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)}s` : duration(Math.round(ms / 1_000) * 1_000);
}

export function decisionSection(state: State): string {
  const rows = state.answered.map(({ round, kind, option, answered_by, decision_id }) => [
    `${round}`,
    code(kind),
    code(option),
    inline(answered_by),
    code(decision_id),
  ]);
  const pending =
    state.pending === null
      ? null
      : `Pending: ${inline(state.pending.question)} (${state.pending.options.map(({ id }) => code(id)).join(', ')})`;
  return section(
    'Decisions',
    [
      table([{ title: 'Round', align: 'right' }, 'About', 'Answer', 'Answered by', 'Decision'], rows),
      pending,
    ],
    'Nothing had to be asked.',
  );
}

/** The table of the sources (000 §2). Packets that came are counted where they are too many to list. */
export function dispatchSection(state: State, links: PacketLinks): string {
  const all = [...allRows(state)];
  const failed = all.filter((row) => row.state !== 'received');
  const shown = all.length <= REPORT_DISPATCHES_MAX ? all : failed.slice(0, REPORT_DISPATCHES_MAX);
  const rows = shown.map((row) => [
    code(row.dispatch_id),
    row.role,
    row.lane === null ? '-' : seatName(row),
    `${row.round}`,
    row.state,
    row.state === 'received'
      ? links.to(row.digest)
      : inline([row.code ?? '', row.reason ?? ''].filter((part) => part !== '').join(': ') || 'open'),
  ]);
  const counts = `${counted(all.length, 'dispatch', 'dispatches')}: ${all.length - failed.length} received, ${failed.length} not. Late or unknown results left out: ${state.stale_results}. Repeated results: ${state.duplicate_results}.`;
  const omitted = all.length - shown.length;
  return section(
    'Dispatches',
    [
      counts,
      table(['Dispatch', 'Role', 'Lane', { title: 'Round', align: 'right' }, 'State', 'Receipt'], rows),
      omitted === 0
        ? null
        : `${omitted} are not listed here; all of them stand in the receipt below and in the ledger.`,
    ],
    '',
  );
}

/** Why the conference stands still, where it does. */
export function blockedSection(state: State): string[] {
  const blocked =
    state.blocked === null ? [] : [`${code(state.blocked.code)}: ${inline(state.blocked.reason)}`];
  return blocked.length === 0 ? [] : [section('Blocked', [bullets(blocked)], '')];
}
