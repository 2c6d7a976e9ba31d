/** What the core says when a command is not possible: a value, and the state has not changed. */

/** Every refusal of a command, with what triggers it. */
export const REFUSAL_CODES = {
  /** A command before `plan`, or a second `plan`. */
  NOT_PLANNED: 'NOT_PLANNED',
  ALREADY_PLANNED: 'ALREADY_PLANNED',
  /** The command has no row in the transition table from this state (01 State and phase). */
  NOT_ALLOWED_NOW: 'NOT_ALLOWED_NOW',
  PLAN_DIGEST_MISMATCH: 'PLAN_DIGEST_MISMATCH',
  /** The plan names a write root, or files are to be written, and no grant is active (01 Start gate). */
  GRANT_REQUIRED: 'GRANT_REQUIRED',
  /** The plan has a cost budget and the host reports no cost (01 Start gate). */
  COST_NOT_REPORTED: 'COST_NOT_REPORTED',
  /** A cost that is no decimal: counted wrongly it would move the cost budget. */
  COST_UNREADABLE: 'COST_UNREADABLE',
  /** An id that the core did not propose, or proposes no longer. */
  NOT_PROPOSED: 'NOT_PROPOSED',
  UNKNOWN_DISPATCH: 'UNKNOWN_DISPATCH',
  DISPATCH_NOT_OPEN: 'DISPATCH_NOT_OPEN',
  NO_SUCH_DECISION: 'NO_SUCH_DECISION',
  NO_SUCH_OPTION: 'NO_SUCH_OPTION',
  /** The bytes were judged for another classification than the one that holds now: classify again. */
  ADMISSION_MISSING: 'ADMISSION_MISSING',
  /** An artifact that is not owed now. */
  NOT_OWED: 'NOT_OWED',
} as const;
export type RefusalCode = keyof typeof REFUSAL_CODES;

/** A refused command. `message` names what was found and what would be accepted. */
export interface Refusal {
  readonly refused: true;
  readonly code: RefusalCode;
  readonly message: string;
}

export function refuse(code: RefusalCode, message: string): Refusal {
  return { refused: true, code, message };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}
