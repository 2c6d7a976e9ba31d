/** @x/conference-core/chair: the runtime over ports. Every front end uses it; none appends by itself. */
export {
  openChair,
  type Chair,
  type ChairPorts,
  type Incoming,
  type Issued,
  type IssueOutcome,
} from './chair.ts';
export type { Committed, Executed } from './commit.ts';
export type {
  ArtifactPort,
  Asker,
  Clock,
  ConferenceMdMerge,
  ContentPort,
  ContentRefused,
  DelegateHost,
  HostMessage,
  LedgerAppended,
  LedgerHead,
  LedgerPort,
  LedgerRefused,
  Recorded,
  RecordedEnd,
  RecordedIssue,
  SecretFinding,
  SecretScanner,
  SentCharter,
} from './ports.ts';
export { keepHouse, writeArtifact, writeReportWithout, type Trouble } from './housekeeping.ts';
export { ContentMissing, contentText, read } from './reading.ts';
export { recheckDispatch } from './recheck.ts';
export { reportWithout } from './report-without.ts';
export { runConference, TURN_MESSAGES_MAX, type RunPorts } from './run.ts';
export type { RunEnd } from './run-end.ts';
