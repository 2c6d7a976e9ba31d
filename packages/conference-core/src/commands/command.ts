/** Everything a root can ask of the core. A command carries its time; the core has no clock (design "The Decider"). */
import type {
  BlockedCode,
  Capability,
  ConferenceId,
  Digest,
  DispatchId,
  Driver,
  FailureCode,
  Grant,
  Plan,
  RecoveryReceipt,
} from '@x/protocol';
import type { Admission } from '../admission.ts';

export interface PlanCommand {
  readonly command: 'plan';
  /** The one id that is drawn. */
  readonly conference_id: ConferenceId;
  readonly plan: Plan;
  readonly source_digest?: Digest;
  /** Of the roots as the source writes them, unresolved; whoever compares the file later makes it. */
  readonly written_roots_digest?: Digest;
  readonly replay?: boolean;
}

export interface GrantCommand {
  readonly command: 'grant';
  readonly grant: Grant;
}

export interface RevokeGrantCommand {
  readonly command: 'revoke_grant';
  readonly reason: string;
}

export interface ConfirmCommand {
  readonly command: 'confirm';
  readonly plan_digest: string;
  readonly capability: Capability;
  /** Who confirmed, such as `terminal` or `--confirm`. */
  readonly confirmed_by: string;
}

/** The host is there: the capability gate, and on the first time the start. */
export interface AttachCommand {
  readonly command: 'attach';
  readonly driver: Driver;
  readonly host: string;
  readonly capability: Capability;
  readonly temporary_roots: boolean;
}

/** Records a dispatch whose charter was built from the proposal of `nextActions`, before it is sent. */
export interface IssueCommand {
  readonly command: 'issue';
  readonly dispatch_id: DispatchId;
  readonly charter_digest: Digest;
  readonly context_digest: Digest;
  /** Inherited excerpts that held a secret and stand in the charter as left out; default none. */
  readonly excerpts_left_out?: number;
}

/** Bytes came for a dispatch. `admission` is present where `classify` said `admit`. */
export interface ResultCommand {
  readonly command: 'result';
  readonly dispatch_id: string;
  readonly digest: Digest;
  readonly bytes: number;
  readonly admission?: Admission;
  readonly cost?: string;
}

/** The host says that no packet will come. */
export interface FailCommand {
  readonly command: 'fail';
  readonly dispatch_id: DispatchId;
  readonly code: Extract<FailureCode, 'host_failed' | 'host_lost'>;
  readonly reason: string;
  readonly cost?: string;
}

/** Nothing but the clock: times out what is overdue. */
export interface ExpireCommand {
  readonly command: 'expire';
}

export interface AnswerCommand {
  readonly command: 'answer';
  readonly decision_id: string;
  readonly option: string;
  readonly answered_by: string;
}

export interface CancelCommand {
  readonly command: 'cancel';
  readonly reason: string;
}

/** An artifact is on disk: recorded after, compared by digest. */
export interface WrittenCommand {
  readonly command: 'written';
  readonly path: string;
  readonly digest: Digest;
  readonly bytes: number;
}

/** The root found that bytes differ from the ledger. */
export interface BlockCommand {
  readonly command: 'block';
  readonly code: Extract<BlockedCode, 'BLOCKED_STALE_CONFERENCE_STATE'>;
  readonly reason: string;
}

/** The user saw this recovery receipt and decided on it. */
export interface InspectCommand {
  readonly command: 'inspect';
  readonly receipt: RecoveryReceipt;
  readonly receipt_digest: Digest;
}

/** Temporary roots are removed and the report is written: the last two events. */
export interface CloseCommand {
  readonly command: 'close';
}

export type Command =
  | PlanCommand
  | GrantCommand
  | RevokeGrantCommand
  | ConfirmCommand
  | AttachCommand
  | IssueCommand
  | ResultCommand
  | FailCommand
  | ExpireCommand
  | AnswerCommand
  | CancelCommand
  | WrittenCommand
  | BlockCommand
  | InspectCommand
  | CloseCommand;
