/**
 * What an interruption left, and what is proposed (01 Recovery): one row a case, to be laid beside the source. Nothing is
 * dispatched, retried or overwritten before a person decided on a proposal (RECO-09).
 */
import { DECISION_KINDS, deriveUlid, type Decision, type DecisionKind } from '@x/protocol';
import { affordableAllowance } from '../budget/iterations.ts';
import { owedArtifacts } from '../artifacts/owed.ts';
import { FINAL_REPORT_MD } from '../artifacts/paths.ts';
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
  | 'content_lost'
  | 'closing_missing'
  | 'pending_decision'
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
  /** Why the final report that is owed cannot be made whole; empty where it can, or where none is owed. */
  readonly report_gaps: readonly string[];
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

const RESTORE = option(
  'revalidate',
  'Write the artifacts again',
  'recorded artifacts are written again from the ledger over what stands there; nothing else is changed',
);

const WITHOUT_LOST = option(
  'complete_without',
  'Close without what is lost',
  'the final report is written without those packets and names each of them; the conference is closed for good',
);

/** Differences that one sentence names; the rest is counted. */
const LISTED_MAX = 12;

function listed(list: readonly string[]): string {
  const rest = list.length - LISTED_MAX;
  return `${list.slice(0, LISTED_MAX).join('; ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const STALE_OPTIONS = [
  option(
    'revalidate',
    'Revalidate',
    'packets are checked again, artifacts are written again from the ledger over what stands there, conference.md is taken as it is now; then the conference goes on from the state before',
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
    find: (state, { differing }) =>
      differing.length === 0
        ? null
        : {
            found: `the files differ from the ledger: ${listed(differing)}`,
            proposal: isFinal(state)
              ? 'BLOCKED_STALE_CONFERENCE_STATE: the conference has ended; its artifacts can be written again'
              : 'BLOCKED_STALE_CONFERENCE_STATE: restart or revalidate',
            options: isFinal(state) ? [RESTORE] : STALE_OPTIONS,
          },
  },
  {
    row: 'inputs_drifted',
    source: '01 Recovery: poster or review missing, inputs drifted',
    find: (state, { drifted_inputs }) =>
      drifted_inputs.length === 0 || isFinal(state)
        ? null
        : {
            found: `the ${state.phase ?? 'next'} phase is incomplete and its inputs drifted: ${listed(drifted_inputs)}`,
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
    find: (state, { now }) => {
      const round = currentRound(state);
      if (round === null || state.phase !== 'research' || isFinal(state) || round.unissued > 0) return null;
      const rows = laneRows(round).flatMap((row) => row ?? []);
      const received = rows.filter((row) => row.state === 'received').length;
      const out = rows.filter((row) => row.state === 'dispatched' && row.deadline_ms > now).length;
      const failed = rows.length - received - out;
      if (received === 0 || received === rows.length) return null;
      return {
        found: `round ${round.round} has ${received} research packets; ${failed} lanes failed or are overdue, ${out} are out`,
        proposal: `${out > 0 ? 'once the ids that are out are terminal: ' : ''}continue with explicit limitations, or redispatch the failed lanes within the budget`,
        options: out > 0 ? [] : researchOptions(state, failed),
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
            found: `the ${missingRole(state)} of round ${state.round} is missing, its inputs are unchanged`,
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
    find: (state, { report_on_disk, report_gaps }) =>
      report_gaps.length === 0 &&
      (isFinal(state) || state.state === 'SYNTHESIZING') &&
      owedArtifacts(state).length > 0 &&
      !report_on_disk
        ? {
            found: `${owedArtifacts(state).join(', ')} is missing`,
            proposal: 'serialize it',
            options: [RESUME],
          }
        : null,
  },
  {
    row: 'content_lost',
    source: '01 State and phase, "End of a conference"; 000 §6',
    find: (state, { report_gaps }) =>
      report_gaps.length === 0 || state.state === 'CANCELLED'
        ? null
        : {
            found: `the final report cannot be made whole: ${listed(report_gaps)}`,
            proposal: 'bring the content back from a copy, or close with a report that names what is lost',
            options: [WITHOUT_LOST],
          },
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
    row: 'pending_decision',
    source: '01 Asking',
    find: ({ pending }) =>
      pending === null
        ? null
        : { found: pending.question, proposal: 'answer the pending decision', options: pending.options },
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

/** Rows whose answer is the pending decision itself, where the conference already asks about just that. */
const ASKED_BY_CORE: Readonly<Partial<Record<RecoveryRowId, readonly DecisionKind[]>>> = {
  bytes_differ: ['stale_state'],
  inputs_drifted: ['stale_state'],
  some_research: ['evidence_missing', 'no_valid_packet'],
  role_missing: ['poster_failed', 'review_failed'],
  synthesis_missing: ['synthesis_failed'],
  pending_decision: DECISION_KINDS,
};

/** Rows that say that the files are not as recorded. */
const TOLD_BEFORE_ANSWER: ReadonlySet<RecoveryRowId> = new Set(['bytes_differ', 'inputs_drifted']);

/** Every proposal for this ledger and these files, in the order of the table. Changes nothing, never fails. */
export function recoveryProposals(state: State, facts: RecoveryFacts): RecoveryProposal[] {
  const planned_ms = state.planned?.planned_ms ?? 0;
  const { pending } = state;
  let asked = false;
  return RECOVERY_TABLE.flatMap(({ row, find }) => {
    const found = find(state, facts);
    if (found === null) return [];
    const kinds = pending === null ? undefined : ASKED_BY_CORE[row];
    if (pending === null || kinds === undefined) {
      return [{ proposal_id: deriveUlid(planned_ms, [facts.head, 'recovery', row]), row, ...found }];
    }
    // One decision is one proposal, and nothing else is decided before it; what differs is still told to whoever answers.
    if (!kinds.includes(pending.kind)) {
      if (!TOLD_BEFORE_ANSWER.has(row)) return [];
      const proposal_id = deriveUlid(planned_ms, [facts.head, 'recovery', row]);
      const proposal = `once the pending decision is answered: ${found.proposal}`;
      return [{ ...found, proposal_id, row, proposal, options: [] }];
    }
    if (asked) return [];
    asked = true;
    return [{ ...found, proposal_id: pending.decision_id, row, options: pending.options }];
  });
}

function researchOptions(state: State, failed: number): RecoveryOption[] {
  const plan = state.planned?.plan;
  const affordable = plan !== undefined && affordableAllowance(plan, state.iterations_spent, failed) > 0;
  return [
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
  ];
}

function missingRole(state: State): string {
  return state.phase === 'poster' && currentRound(state)?.poster_recorded !== true ? 'poster' : 'review';
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
