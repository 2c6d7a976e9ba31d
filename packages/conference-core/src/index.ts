/**
 * @x/conference-core: the Decider of a research conference, its charters, convergence and artifacts. Pure.
 *
 * `decide` and `settle` make events, `evolve` folds them, `nextActions` says what is outstanding; `step` does a whole
 * command. The runtime stands on `./chair`, admission on `./packets`, stores and samples for tests on `./testing`.
 */
export type { Accepted, Admission, Refused } from './admission.ts';
export { cleanupReceipt } from './artifacts/cleanup-receipt.ts';
export {
  conferenceMdUpdate,
  takenAsFound,
  type ConferenceMdUpdate,
  type LogRow,
} from './artifacts/conference-md-update.ts';
export { limitationsOf } from './artifacts/limitations.ts';
export { ledgerLine, readLedgerLine, type LedgerLine } from './artifacts/ledger-line.ts';
export { owedArtifacts } from './artifacts/owed.ts';
export {
  CONFERENCE_MD,
  EVENTS_JSONL,
  FINAL_REPORT_MD,
  peerReviewPath,
  posterSessionPath,
  RESULTS_TSV,
  SYNTHESIS_MD,
} from './artifacts/paths.ts';
export { renderArtifact, renderReport, type Artifact } from './artifacts/render.ts';
export { charterAsProse } from './charters/as-prose.ts';
export {
  buildCharter,
  charterLimits,
  successDefinition,
  type BuiltCharter,
  type CharterInput,
} from './charters/build.ts';
export { runReading, type Reading } from './charters/content.ts';
export { readContext, type ReadContext } from './charters/read-context.ts';
export type {
  AnswerCommand,
  AttachCommand,
  BlockCommand,
  CancelCommand,
  CloseCommand,
  Command,
  ConfirmCommand,
  ExpireCommand,
  FailCommand,
  GrantCommand,
  InspectCommand,
  IssueCommand,
  PlanCommand,
  ResultCommand,
  RevokeGrantCommand,
  WrittenCommand,
} from './commands/command.ts';
export { evaluateConvergence } from './convergence/evaluate.ts';
export {
  evaluateDocuments,
  findingsMax,
  type DocumentFinding,
  type EvaluateAnswer,
} from './convergence/evaluate-document.ts';
export { convergenceConfigOf, metricOf } from './convergence-input.ts';
export { CONSEQUENCES_MAX, decide, fold, settleAll, step, type Step } from './decide.ts';
export { isTerminal, toRecord, type DispatchRow } from './dispatch-row.ts';
export { evolve } from './evolve.ts';
export { laneIndex, laneLetter } from './lane.ts';
export { nextActions, type Action } from './next-actions.ts';
export { decisionIdFor, dispatchIdFor } from './plan/ids.ts';
export { proposals, type Proposal } from './proposals.ts';
export { isRefusal, REFUSAL_CODES, type Refusal, type RefusalCode } from './refusal.ts';
export { laneRows, rowOf, type Round, type Seat } from './round.ts';
export { timeSpentMs } from './rules/accounting.ts';
export { PENDING_DECISIONS } from './rules/pending-decisions.ts';
export { classify, RESULT_TABLE, type Classification } from './rules/result-table.ts';
export { isTransition, TRANSITIONS } from './rules/transition.ts';
export { settle, SETTLE_RULES } from './settle.ts';
export {
  allRows,
  currentRound,
  findRow,
  hasReviewedEvidence,
  INITIAL_STATE,
  isFinal,
  isLive,
  openDispatches,
  openRows,
  type Answered,
  type Blocked,
  type Planned,
  type Started,
  type State,
  type WrittenArtifact,
} from './state.ts';
export { fromTimestamp, toTimestamp } from './time.ts';
export { conditionsOf, duration, type Condition } from './plan/conditions.ts';
export {
  GATE_FIELDS,
  GATE_LISTS,
  type GateField,
  type GateFinding,
  type GateInput,
  type GateList,
  type Given,
} from './plan/gate-fields.ts';
export { startGate, type GateExtras, type GateResult } from './plan/start-gate.ts';
export { recoveryReceipt, type ReceiptInput } from './recovery/recovery-receipt.ts';
export {
  recoveryProposals,
  RECOVERY_TABLE,
  type RecoveryFacts,
  type RecoveryOption,
  type RecoveryProposal,
  type RecoveryRowId,
} from './recovery/recovery-table.ts';
