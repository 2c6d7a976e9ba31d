/** Carries out what a person decided about an interrupted conference: recorded first, then done (01 Recovery). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFERENCE_MD, FINAL_REPORT_MD, renderArtifact, type RecoveryProposal } from '@x/conference-core';
import { read, type Chair, type Executed } from '@x/conference-core/chair';
import { digestOf, digestOfJson, type DecisionOption } from '@x/protocol';
import { exitCode } from '../exit-code.ts';
import type { Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import type { Store } from '../store/open-store.ts';
import type { Drift } from './drift.ts';
import type { Inspection } from './inspect.ts';

export interface Decided {
  readonly proposal: RecoveryProposal | null;
  readonly option: DecisionOption;
  readonly decidedBy: string;
}

/** Records the receipt with the decision, then what the decision says. Null: done. */
export function applyRecovery(
  { chair, store, folder }: { readonly chair: Chair; readonly store: Store; readonly folder: string },
  inspection: Inspection,
  decided: Decided,
): Failure | null {
  const user_decision =
    decided.proposal === null ? decided.option : `${decided.proposal.row}: ${decided.option}`;
  const receipt = { ...inspection.receipt, user_decision };
  const inspected = chair.execute({ command: 'inspect', receipt, receipt_digest: digestOfJson(receipt) });
  if (inspected.status !== 'done') return refusalFailure(inspected);
  const stale = blockIfStale(chair, inspection.drift);
  if (stale !== null) return stale;
  const { pending } = chair.state;
  if (pending === null || !pending.options.some(({ id }) => id === decided.option)) return null;
  const { decision_id } = pending;
  const { option, decidedBy } = decided;
  const answered = chair.execute({ command: 'answer', decision_id, option, answered_by: decidedBy });
  if (answered.status !== 'done') return refusalFailure(answered);
  return option === 'revalidate' ? restore({ chair, store, folder }, inspection.drift) : null;
}

/** Files that differ stop the conference until the user chose (RECO-05, PROTO-35). */
export function blockIfStale(chair: Chair, drift: Drift): Failure | null {
  const reasons = [...drift.differing, ...drift.inputs];
  if (reasons.length === 0 || chair.state.state === 'BLOCKED') return null;
  const executed: Executed = chair.execute({
    command: 'block',
    code: 'BLOCKED_STALE_CONFERENCE_STATE',
    reason: reasons.join('; ').slice(0, 1_000),
  });
  return executed.status === 'done' ? null : refusalFailure(executed);
}

/** Recorded artifacts are made anew from the ledger; the user's own file is taken as it is. Content cannot be made anew. */
function restore(
  { chair, store, folder }: { readonly chair: Chair; readonly store: Store; readonly folder: string },
  drift: Drift,
): Failure | null {
  if (drift.inputs.length > 0) {
    const message = `BLOCKED_STALE_CONFERENCE_STATE: ${drift.inputs.join('; ')}: bring the content back from a copy, or restart`;
    return { code: 'BLOCKED_STALE_CONFERENCE_STATE', message, exit: exitCode.blocked };
  }
  if (drift.plan) {
    const bytes = readFileSync(join(folder, CONFERENCE_MD));
    const known = chair.execute({
      command: 'written',
      path: CONFERENCE_MD,
      digest: digestOf(bytes),
      bytes: bytes.length,
    });
    if (known.status !== 'done') return refusalFailure(known);
  }
  for (const path of drift.artifacts) {
    const recorded = chair.state.artifacts.get(path)?.digest;
    if (path === FINAL_REPORT_MD || recorded === undefined) continue;
    const artifact = read(renderArtifact(chair.state, path, chair.ports.ledger.head), chair.ports.objects);
    // The user decided: what stands there now is replaced by what the ledger says.
    const present = readOrNull(join(folder, path));
    const written = store.artifacts?.write(path, artifact.bytes, present === null ? null : digestOf(present));
    if (written?.status === 'refused')
      return { code: written.code, message: written.message, exit: exitCode.blocked };
  }
  return null;
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
