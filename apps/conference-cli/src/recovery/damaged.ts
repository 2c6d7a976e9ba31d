/** A ledger with a line that does not verify: only a person may keep what stands before it (01 Recovery, last row). */
import { deriveUlid } from '@x/protocol';

export interface DamagedLedger {
  readonly line: number;
  readonly message: string;
  /** Digest of the last line that verifies. */
  readonly head: string;
  /** Whether a grant stands before that line: without one nothing may be written to the folder. */
  readonly granted?: boolean;
}

export interface DamagedProposal {
  readonly proposal_id: string;
  readonly row: 'damaged_line';
  readonly found: string;
  readonly proposal: string;
  readonly options: readonly {
    readonly id: 'keep_verified_prefix';
    readonly label: string;
    readonly consequence: string;
  }[];
}

export function damagedProposal({ line, message, head, granted }: DamagedLedger): DamagedProposal {
  return {
    proposal_id: deriveUlid(0, [head, 'recovery', 'damaged_line', line]),
    row: 'damaged_line',
    found: message,
    proposal:
      granted === true
        ? 'BLOCKED_STALE_CONFERENCE_STATE: keep the lines before it, or bring the file back from a copy'
        : 'BLOCKED_STALE_CONFERENCE_STATE: bring the file back from a copy, or start again in another folder; before the damage there is no plan to go on with',
    options:
      granted !== true
        ? []
        : [
            {
              id: 'keep_verified_prefix',
              label: `Keep lines 1 to ${line - 1}`,
              consequence: `everything from line ${line} is set aside in a file of its own, and recorded`,
            },
          ],
  };
}
