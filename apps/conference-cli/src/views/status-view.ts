/** The state of a conference, as a document and in words (07 status). */
import {
  allRows,
  currentRound,
  isFinal,
  nextActions,
  openRows,
  timeSpentMs,
  toRecord,
  toTimestamp,
  type State,
} from '@x/conference-core';
import type { LockHolder } from '@x/ledger';
import { table } from './table.ts';
import { terminalText } from './terminal-text.ts';

/** Who has the next move. */
export type Liveness = 'running' | 'waiting for you' | 'waiting for the caller' | 'interrupted' | 'finished';

/** Rows of the dispatch table that words show; the document has all. */
const ROWS_SHOWN_MAX = 40;

function livenessOf(state: State, running: boolean): Liveness {
  if (state.closing.receipt !== null) return 'finished';
  if (running) return 'running';
  if (state.pending !== null || state.state === 'PLANNING') return 'waiting for you';
  if (state.started?.driver === 'stepwise' || state.started?.driver === 'mcp' || state.started === null) {
    return 'waiting for the caller';
  }
  return 'interrupted';
}

export interface StatusInput {
  readonly state: State;
  readonly head: { readonly seq: number; readonly digest: string };
  readonly running: boolean;
  readonly holder: LockHolder | null;
  readonly now: number;
}

export function statusDocument({ state, head, running, holder, now }: StatusInput): object {
  const plan = state.planned?.plan;
  const round = currentRound(state);
  return {
    conference_id: state.planned?.conference_id ?? null,
    liveness: livenessOf(state, running),
    holder,
    state: state.state,
    phase: state.phase,
    round: state.round,
    revision: head.seq,
    head: head.digest,
    outcome: isFinal(state) ? state.outcome : null,
    target_met: state.target_met,
    blocked: state.blocked === null ? null : { code: state.blocked.code, reason: state.blocked.reason },
    pending: state.pending,
    budget: {
      rounds: {
        used: state.rounds.filter(({ completed }) => completed).length,
        max: plan?.max_rounds ?? null,
      },
      iterations: { used: state.iterations_spent, max: plan?.max_total_iterations ?? null },
      time_ms: {
        used: timeSpentMs(state, isFinal(state) ? state.head_ms : now),
        max: plan?.time_budget_ms ?? null,
      },
      cost: { used: state.cost_spent, max: plan?.cost_budget ?? null },
    },
    record: round?.record ?? state.rounds.at(-2)?.record ?? null,
    dispatches: [...allRows(state)].map(toRecord),
    next: nextActions(state, { freeSlots: Infinity }).map(({ action }) => action),
  };
}

export function statusText(input: StatusInput): string {
  const { state, head } = input;
  const { planned } = state;
  if (planned === null) return 'Nothing is planned in this ledger.\n';
  const { plan } = planned;
  const liveness = livenessOf(state, input.running);
  const by =
    input.holder === null ? '' : ` (process ${input.holder.pid} on ${terminalText(input.holder.host)})`;
  const bests = state.rounds.flatMap(({ round, best_metric }) =>
    best_metric === null ? [] : [`${round}: ${best_metric}`],
  );
  const lines = [
    ['Conference', planned.conference_id],
    ['Goal', terminalText(plan.goal)],
    [
      'State',
      `${state.state}${state.phase === null ? '' : `, ${state.phase}`}${state.round === 0 ? '' : `, round ${state.round}`} · ${liveness}${by}`,
    ],
    ...(state.blocked === null
      ? []
      : [['Blocked', `${state.blocked.code}: ${terminalText(state.blocked.reason)}`]]),
    ...(state.outcome === null ? [] : [['Outcome', `${state.outcome}, target_met: ${state.target_met}`]]),
    ['Iterations', `${state.iterations_spent} of ${plan.max_total_iterations}`],
    ...(bests.length === 0 ? [] : [['Best by round', terminalText(bests.join('  '))]]),
    ['Ledger', `${head.seq} events, head ${head.digest}`],
  ];
  return `${table(lines, '')}\n${dispatchTable(state)}${recordText(state)}${pendingText(state)}${nextText(state)}`;
}

function dispatchTable(state: State): string {
  const rows = [...allRows(state)];
  if (rows.length === 0) return '';
  const shown = rows.slice(-ROWS_SHOWN_MAX).map((row) => {
    const { role, round, lane, state: ended, receipt, dispatch_id } = toRecord(row);
    const until =
      row.state === 'dispatched' ? `until ${toTimestamp(row.deadline_ms)}` : terminalText(receipt ?? '');
    return [dispatch_id, role, lane ?? '-', String(round), ended, until];
  });
  const hidden = rows.length - shown.length;
  const head = ['DISPATCH', 'ROLE', 'LANE', 'ROUND', 'STATE', 'RECEIPT'];
  return `${hidden > 0 ? `${hidden} earlier dispatches are not shown; --json has them all.\n` : ''}${table([head, ...shown], '')}\n`;
}

function recordText(state: State): string {
  const judged = state.rounds.findLast(({ record }) => record !== null);
  if (judged?.record === undefined || judged.record === null) return '';
  const rows = judged.record.rules.map(({ rule, held, detail }) => [
    held ? 'held' : '-',
    rule,
    terminalText(detail),
  ]);
  return `After round ${judged.round}: ${judged.record.outcome}\n${table(rows)}\n`;
}

function pendingText(state: State): string {
  if (state.pending === null) return '';
  const { decision_id, question, options } = state.pending;
  const rows = options.map(({ id, label, consequence }) => [id, label, consequence]);
  return `Decision ${decision_id}\n${terminalText(question)}\n${table(rows)}\n`;
}

function nextText(state: State): string {
  const [first] = nextActions(state, { freeSlots: 1 });
  const open = openRows(state).length;
  switch (first?.action) {
    case undefined:
    case 'done':
      return 'Next: nothing, the conference is finished.\n';
    case 'wait':
      return `Next: ${open} dispatches are out.\n`;
    case 'ask':
      return 'Next: the decision above is yours.\n';
    case 'confirm':
      return 'Next: confirm the plan by its digest.\n';
    default:
      return `Next: ${first?.action}.\n`;
  }
}
