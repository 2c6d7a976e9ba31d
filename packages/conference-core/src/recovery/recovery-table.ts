/**
 * What an interruption left, and what is proposed (01 Recovery): one row a case, to be laid beside the source. Nothing is
 * dispatched, retried or overwritten before a person decided on a proposal (RECO-09).
 */
import { deriveUlid, type Decision } from '@x/protocol';
import { affordableAllowance } from '../budget/iterations.ts';
import { owedArtifacts } from '../artifacts/owed.ts';
import { FINAL_REPORT_MD } from '../artifacts/paths.ts';
import { isTerminal } from '../dispatch-row.ts';
import { laneRows, rowOf } from '../round.ts';
import { currentRound, isFinal, openDispatches, openRows, type State } from '../state.ts';
import { toTimestamp } from '../time.ts';

export type RecoveryOption = Decision['options'][number];

export interface RecoveryProposal {
  /** Derived from the ledger's head and the row: the same ledger proposes under the same ids. */
  readonly proposal_id: string;
  readonly row: RecoveryRowId;
  readonly found: string;
  readonly proposal: string;
  /** Empty: nothing is to be decided. */
  readonly options: readonly RecoveryOption[];
}

export type RecoveryRowId =
  | 'not_confirmed'
  | 'open_in_time'
  | 'open_overdue'
  | 'some_research'
  | 'role_missing'
  | 'inputs_drifted'
  | 'transfer_missing'
  | 'synthesis_missing'
  | 'report_missing'
  | 'bytes_differ'
  | 'closing_missing'
  | 'torn_line';

/** What was found beside the ledger. */
export interface RecoveryFacts {
  readonly now: number;
  /** Where the ledger ends. */
  readonly head: string;
  /** Artifacts or plan whose bytes differ from the ledger, with what differs. */
  readonly differing: readonly string[];
  /** Packets or contexts that the open phase was made from and that are not as recorded any more. */
  readonly drifted_inputs: readonly string[];
  /** A torn last line, as bytes; 0 for none. */
  readonly torn_bytes: number;
  /** The report lies in the folder, recorded or not. */
  readonly report_on_disk: boolean;
}

const option = (id: RecoveryOption['id'], label: string, consequence: string): RecoveryOption => ({
  id,
  label,
  consequence,
});
const RESUME = option('resume', 'Go on', 'the conference goes on from where the ledger ends');
const STOP = option(
  'stop',
  'Stop here',
  'open dispatches are cancelled; what was reviewed goes to synthesis',
);

interface RecoveryRow {
  readonly row: RecoveryRowId;
  readonly source: string;
  readonly find: (state: State, facts: RecoveryFacts) => Omit<RecoveryProposal, 'proposal_id' | 'row'> | null;
}

const STALE_OPTIONS = [
  option(
    'revalidate',
    'Revalidate',
    'content is checked again, recorded artifacts are restored, and the conference goes on from the state before',
  ),
  option('restart', 'Restart', 'this conference ends CANCELLED; a new one starts from the start gate'),
];

export const RECOVERY_TABLE: readonly RecoveryRow[] = [
  {
    row: 'not_confirmed',
    source: '01 Recovery: plan not confirmed',
    find: (state) =>
      state.state === 'PLANNING' && !state.confirmed
        ? {
            found: 'the plan is not confirmed',
            proposal: 'back to the start gate: conference confirm',
            options: [],
          }
        : null,
  },
  {
    row: 'bytes_differ',
    source: '01 Recovery: artifact or plan bytes differ from the ledger',
    find: (_, { differing }) =>
      differing.length === 0
        ? null
        : {
            found: `the files differ from the ledger: ${differing.join('; ')}`,
            proposal: 'BLOCKED_STALE_CONFERENCE_STATE: restart or revalidate',
            options: STALE_OPTIONS,
          },
  },
  {
    row: 'inputs_drifted',
    source: '01 Recovery: poster or review missing, inputs drifted',
    find: (state, { drifted_inputs }) =>
      drifted_inputs.length === 0 || !roleIsMissing(state)
        ? null
        : {
            found: `the ${state.phase} phase is incomplete and its inputs drifted: ${drifted_inputs.join('; ')}`,
            proposal:
              'BLOCKED_STALE_CONFERENCE_STATE: the incomplete phase is invalid; revalidate or restart',
            options: STALE_OPTIONS,
          },
  },
  {
    row: 'open_in_time',
    source: '01 Recovery: dispatch without result, deadline not passed',
    find: (state, { now }) => {
      const rows = openRows(state).filter(({ deadline_ms }) => deadline_ms > now);
      return rows.length === 0
        ? null
        : {
            found: `${rows.length} dispatches have no result, their deadlines not passed (until ${toTimestamp(Math.max(...rows.map(({ deadline_ms }) => deadline_ms)))})`,
            proposal: 'they stay dispatched; a host whose children died with its root says so on resume',
            options: [RESUME],
          };
    },
  },
  {
    row: 'open_overdue',
    source: '01 Recovery: dispatch without result, deadline passed',
    find: (state, { now }) => {
      const rows = openRows(state).filter(({ deadline_ms }) => deadline_ms <= now);
      return rows.length === 0
        ? null
        : {
            found: `${rows.length} dispatches have no result and their deadlines passed`,
            proposal: 'they become timed_out; a new charter under a new id only after a decision',
            options: [RESUME],
          };
    },
  },
  {
    row: 'some_research',
    source: '01 Recovery: some research packets',
    find: (state) => {
      const round = currentRound(state);
      if (round === null || state.phase !== 'research' || isFinal(state)) return null;
      const rows = laneRows(round);
      const received = rows.filter((row) => row?.state === 'received').length;
      const failed = rows.filter((row) => row !== null && isTerminal(row) && row.state !== 'received').length;
      const open = rows.filter((row) => row?.state === 'dispatched').length;
      if (received === 0 || failed + open === 0) return null;
      const plan = state.planned?.plan;
      const affordable =
        plan !== undefined && affordableAllowance(plan, state.iterations_spent, failed + open) > 0;
      return {
        found: `round ${round.round} has ${received} research packets; ${failed} lanes failed and ${open} are out`,
        proposal: 'continue with explicit limitations, or redispatch the failed lanes within the budget',
        options: [
          option('continue', 'Go on with what came', 'the missing lanes are recorded as a limitation'),
          ...(affordable
            ? [
                option(
                  'redispatch',
                  'Send the failed lanes again',
                  'new dispatches under new ids, from the remaining budget',
                ),
              ]
            : []),
          STOP,
        ],
      };
    },
  },
  {
    row: 'role_missing',
    source: '01 Recovery: poster or review missing, inputs unchanged',
    find: (state, { drifted_inputs }) =>
      drifted_inputs.length > 0 || !roleIsMissing(state)
        ? null
        : {
            found: `the ${state.phase} of round ${state.round} is missing, its inputs are unchanged`,
            proposal: 'redispatch only that role',
            options: [RESUME],
          },
  },
  {
    row: 'transfer_missing',
    source: '01 Recovery: review accepted, transfer missing',
    find: (state) => {
      const owed = state.phase === 'transfer' ? owedArtifacts(state) : [];
      return owed.length === 0
        ? null
        : {
            found: `the review of round ${state.round} is accepted and the transfer is not done`,
            proposal: `write only what is missing, after a fresh grant and revision check: ${owed.join(', ')}`,
            options: [RESUME],
          };
    },
  },
  {
    row: 'synthesis_missing',
    source: '01 Recovery: synthesis packet missing',
    find: (state) =>
      state.state === 'SYNTHESIZING' &&
      rowOf(state.synthesis.rows, state.synthesis.seat)?.state !== 'received' &&
      state.synthesis.open === 0
        ? {
            found: 'there is no accepted synthesis packet',
            proposal: 'a new synthesis dispatch, from validated review packets only',
            options: [RESUME],
          }
        : null,
  },
  {
    row: 'report_missing',
    source: '01 Recovery: synthesis accepted, final report missing',
    find: (state, { report_on_disk }) =>
      (isFinal(state) || state.state === 'SYNTHESIZING') && owedArtifacts(state).length > 0 && !report_on_disk
        ? {
            found: `${owedArtifacts(state).join(', ')} is missing`,
            proposal: 'serialize it',
            options: [RESUME],
          }
        : null,
  },
  {
    row: 'closing_missing',
    source: '01 Recovery: a report written, closing events missing',
    find: (state, { report_on_disk }) =>
      isFinal(state) &&
      openDispatches(state) === 0 &&
      state.closing.receipt === null &&
      (report_on_disk || state.artifacts.has(FINAL_REPORT_MD))
        ? {
            found: 'the report is written, the closing events are missing',
            proposal: 'finish the close',
            options: [],
          }
        : null,
  },
  {
    row: 'torn_line',
    source: '01 Recovery: last ledger line torn',
    find: (_, { torn_bytes }) =>
      torn_bytes === 0
        ? null
        : {
            found: `${torn_bytes} bytes at the end of the ledger are torn`,
            proposal: 'the next writer sets them aside in a file of their own; nothing is dropped',
            options: [],
          },
  },
];

/** Rows whose answer is the pending decision itself, where the conference already asks. */
const ASKED_BY_CORE: ReadonlySet<RecoveryRowId> = new Set([
  'some_research',
  'role_missing',
  'synthesis_missing',
]);

/** Every proposal for this ledger and these files, in the order of the table. Changes nothing, never fails. */
export function recoveryProposals(state: State, facts: RecoveryFacts): RecoveryProposal[] {
  return RECOVERY_TABLE.flatMap(({ row, find }) => {
    const found = find(state, facts);
    if (found === null) return [];
    if (state.pending !== null && ASKED_BY_CORE.has(row)) {
      const { decision_id: proposal_id, options } = state.pending;
      return [{ ...found, proposal_id, row, options }];
    }
    const planned_ms = state.planned?.planned_ms ?? 0;
    return [{ proposal_id: deriveUlid(planned_ms, [facts.head, 'recovery', row]), row, ...found }];
  });
}

/** The poster or reviewer of the round under way has no packet and none is out. */
function roleIsMissing(state: State): boolean {
  const round = currentRound(state);
  if (round === null || openDispatches(state) > 0) return false;
  if (state.phase === 'poster') {
    return round.poster_recorded
      ? round.review.row === null
      : rowOf(round.rows, round.poster)?.state !== 'received';
  }
  return state.phase === 'review' && rowOf(round.rows, round.review)?.state !== 'received';
}
