/**
 * Carries out what a person decided about an interrupted conference (01 Recovery).
 *
 * A1 Files are restored before the answer is recorded: a kill in between leaves the conference BLOCKED and the question open.
 * A2 A decision that nothing stands for is a failure, never passed over.
 */
import { join } from 'node:path';
import {
  CONFERENCE_MD,
  isFinal,
  owedArtifacts,
  renderArtifact,
  type RecoveryProposal,
} from '@x/conference-core';
import { read, writeReportWithout, type Chair, type Trouble } from '@x/conference-core/chair';
import { digestOf, digestOfJson, type DecisionOption } from '@x/protocol';
import { exitCode } from '../exit-code.ts';
import { usage, type Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import type { Store } from '../store/open-store.ts';
import type { Drift } from './drift.ts';
import type { Inspection } from './inspect.ts';
import { fileBytes, fileDigest } from '../store/regular-file.ts';
import { recordedBytes } from './recorded-bytes.ts';

export interface Decided {
  readonly proposal: RecoveryProposal | null;
  readonly option: DecisionOption;
  readonly decidedBy: string;
}

interface Recovering {
  readonly chair: Chair;
  readonly store: Store;
  readonly folder: string;
}

/** Options that answer no question: the conference goes on from where its ledger ends. */
const WITHOUT_QUESTION: readonly DecisionOption[] = ['resume', 'keep_verified_prefix'];

/** Records the receipt with the decision, then what the decision says. Null: done. */
export async function applyRecovery(
  recovering: Recovering,
  inspection: Inspection,
  decided: Decided,
): Promise<Failure | null> {
  const { chair } = recovering;
  const { option, decidedBy, proposal } = decided;
  const { drift } = inspection;
  if (option === 'revalidate' && drift.inputs.length > 0) {
    return blockIfStale(chair, drift) ?? inputsMissing(drift);
  }
  // What has ended records no recovery: its files are restored, and the close is finished by whoever writes next.
  if (isFinal(chair.state)) return applyToEnded(recovering, drift, option);
  const user_decision = proposal === null ? option : `${proposal.row}: ${option}`;
  const receipt = { ...inspection.receipt, user_decision };
  const inspected = chair.execute({ command: 'inspect', receipt, receipt_digest: digestOfJson(receipt) });
  if (inspected.status !== 'done') return refusalFailure(inspected);
  const stale = blockIfStale(chair, drift);
  if (stale !== null || WITHOUT_QUESTION.includes(option)) return stale;
  const { pending } = chair.state;
  if (pending === null || !pending.options.some(({ id }) => id === option)) return nothingAsks(chair, option);
  const restored = option === 'revalidate' ? await restore(recovering, drift) : null;
  if (restored !== null) return restored;
  const { decision_id } = pending;
  const answered = chair.execute({ command: 'answer', decision_id, option, answered_by: decidedBy });
  if (answered.status !== 'done') return refusalFailure(answered);
  return option === 'revalidate' ? writeOver(recovering) : null;
}

async function applyToEnded(
  recovering: Recovering,
  drift: Drift,
  option: DecisionOption,
): Promise<Failure | null> {
  const { chair, store } = recovering;
  if (option === 'revalidate') return restore(recovering, drift);
  if (option !== 'complete_without' || store.artifacts === null) return null;
  const trouble = writeReportWithout(chair, store.artifacts);
  return trouble === null ? null : writeFailure(trouble);
}

function nothingAsks({ state }: Chair, option: DecisionOption): Failure {
  const now = state.pending === null ? 'no decision is pending' : `pending is ${state.pending.decision_id}`;
  const message = `NOT_ALLOWED_NOW: the conference is ${state.state} by now, and ${now}: ${option} changes nothing; see conference recover`;
  return usage('NOT_ALLOWED_NOW', message);
}

/** Files that differ stop the conference until the user chose (RECO-05, PROTO-35). */
export function blockIfStale(chair: Chair, drift: Drift): Failure | null {
  const reasons = [...drift.differing, ...drift.inputs];
  if (reasons.length === 0 || chair.state.state === 'BLOCKED' || isFinal(chair.state)) return null;
  const executed = chair.execute({
    command: 'block',
    code: 'BLOCKED_STALE_CONFERENCE_STATE',
    reason: reasons.join('; ').slice(0, 1_000),
  });
  return executed.status === 'done' ? null : refusalFailure(executed);
}

function inputsMissing(drift: Drift): Failure {
  return staleFailure(`${drift.inputs.join('; ')}: bring the content back from a copy, or restart`);
}

function staleFailure(reason: string): Failure {
  const code = 'BLOCKED_STALE_CONFERENCE_STATE';
  return { code, message: `${code}: ${reason}`, exit: exitCode.blocked };
}

/** Recorded artifacts are made again, byte for byte; the user's own file is taken as it is. */
async function restore({ chair, store, folder }: Recovering, drift: Drift): Promise<Failure | null> {
  const made = await recordedBytes(folder, drift.artifacts, chair.ports.objects);
  for (const recorded of made.values()) {
    if (!recorded.ok) return staleFailure(`${recorded.reason}; bring it back from a copy, or restart`);
  }
  for (const [path, recorded] of made) {
    if (!recorded.ok) continue;
    const failure = replace({ store, folder }, path, recorded.bytes);
    if (failure !== null) return failure;
  }
  const bytes = drift.plan ? fileBytes(join(folder, CONFERENCE_MD)) : null;
  if (bytes === null) return null;
  const digest = digestOf(bytes);
  const known = chair.execute({ command: 'written', path: CONFERENCE_MD, digest, bytes: bytes.length });
  return known.status === 'done' ? null : refusalFailure(known);
}

/** What the conference owes at once takes the place of what stands there: the user decided so. */
function writeOver({ chair, store, folder }: Recovering): Failure | null {
  for (const path of owedArtifacts(chair.state)) {
    if (path === CONFERENCE_MD || fileDigest(join(folder, path)) === null) continue;
    const made = read(renderArtifact(chair.state, path, chair.ports.ledger.head), chair.ports.objects);
    const failure = replace({ store, folder }, path, made.bytes);
    if (failure !== null) return failure;
  }
  return null;
}

/** The user decided: what stands there now is replaced by what the ledger says. */
function replace(
  { store, folder }: Pick<Recovering, 'store' | 'folder'>,
  path: string,
  bytes: Uint8Array,
): Failure | null {
  const written = store.artifacts?.write(path, bytes, fileDigest(join(folder, path)));
  return written?.status === 'refused' ? writeFailure(written) : null;
}

function writeFailure({ code, message }: Trouble): Failure {
  // Other bytes, a link or a folder stand there: the conference stays stopped until they are out of the way.
  const blocked = code.startsWith('BLOCKED_') || code.startsWith('WRITE_');
  return { code, message: `${code}: ${message}`, exit: blocked ? exitCode.blocked : exitCode.failed };
}
