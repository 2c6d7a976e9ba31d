/** A recovery as a person sees it before deciding: receipt and proposals, for a time (01 Recovery). Changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  FINAL_REPORT_MD,
  isFinal,
  owedArtifacts,
  recoveryProposals,
  recoveryReceipt,
  renderArtifact,
  type RecoveryProposal,
} from '@x/conference-core';
import { ContentMissing, read, type Chair } from '@x/conference-core/chair';
import type { Digest, Grant, RecoveryReceipt } from '@x/protocol';
import { checkGrant } from '@x/ledger';
import { grantNow } from '../grants/lithermes.ts';
import { findDrift, type Drift } from './drift.ts';

export interface Inspection {
  readonly receipt: RecoveryReceipt;
  readonly receipt_digest: Digest;
  readonly proposals: readonly RecoveryProposal[];
  readonly drift: Drift;
}

export interface InspectInput {
  readonly folder: string;
  readonly head: string;
  readonly now: number;
  readonly tornBytes: number;
  /** The time that the receipt is made for; default that of the ledger's last event, so that it stays what it is. */
  readonly at?: number;
}

/** The same ledger, files and time give the same bytes (CONF-24). */
export async function inspect(
  chair: Chair,
  { folder, head, now, tornBytes, at }: InspectInput,
): Promise<Inspection> {
  const drift = await findDrift(folder, chair);
  const stale = drift.differing.length > 0 || drift.inputs.length > 0;
  const { receipt, digest } = recoveryReceipt(chair.state, {
    stale_state: stale ? 'BLOCKED_STALE_CONFERENCE_STATE' : 'current',
    now: at ?? chair.state.head_ms,
    current_revision: currentRevision(chair.state.grant, now),
    user_decision: 'none yet',
  });
  const proposals = recoveryProposals(chair.state, {
    now,
    head,
    differing: drift.differing,
    drifted_inputs: drift.inputs,
    torn_bytes: tornBytes,
    report_gaps: reportGaps(chair),
    report_on_disk: existsSync(join(folder, FINAL_REPORT_MD)),
  });
  return { receipt, receipt_digest: digest, proposals, drift };
}

/** Read anew, as before each write; null: there is none, or it gives nothing at this time. */
function currentRevision(grant: Grant | null, now: number): number | null {
  const active = grant === null ? null : grantNow(grant);
  if (active === null || checkGrant(active, new Date(now).toISOString()) !== null) return null;
  return active.revision;
}

/** What a report that is owed would be made of and the store does not hold. */
function reportGaps({ state, ports: { ledger, objects } }: Chair): string[] {
  if (!isFinal(state) || !owedArtifacts(state).includes(FINAL_REPORT_MD)) return [];
  try {
    read(renderArtifact(state, FINAL_REPORT_MD, ledger.head), objects);
    return [];
  } catch (error) {
    if (error instanceof ContentMissing) return [error.message];
    throw error;
  }
}
