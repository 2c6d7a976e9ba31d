/**
 * `conference run --resume DIR`: goes on with an interrupted conference, after a person accepted the recovery receipt
 * (01 Recovery). Nothing is dispatched, retried or overwritten before that.
 */
import { resolve } from 'node:path';
import { isFinal } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import type { Grant } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { drive } from '../drive.ts';
import { exitCode } from '../exit-code.ts';
import { chooseGrant } from '../grants/choose-grant.ts';
import { chooseHost } from '../hosts/choose-host.ts';
import { fail, usage, type Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { applyRecovery } from '../recovery/apply.ts';
import { inspect, type Inspection } from '../recovery/inspect.ts';
import { receiptTime } from '../recovery/receipt-time.ts';
import { keepFolder, tellSetAside } from '../store/keep-folder.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { readAsWriter } from '../store/read-folder.ts';
import { readingChair } from '../store/reading-chair.ts';
import { proposalsText, receiptText } from '../views/recovery-view.ts';
import type { RunFlags } from './run.ts';

export async function resume(context: CliContext, flags: RunFlags, folder: string): Promise<void> {
  const path = resolve(context.cwd, folder);
  const host = await chooseHost(flags.host, context.cwd);
  if (!host.ok) return fail(context, flags, host.failure);
  const grant = chooseGrant(flags, context.cwd);
  if (!grant.ok) return fail(context, flags, grant.failure);
  // Before a person accepted the receipt nothing is touched: no torn bytes set aside, no lock taken.
  const time = receiptTime(flags.at);
  if (!time.ok) return fail(context, flags, time.failure);
  const { at } = time;
  const seen = await acceptedReceipt(context, flags, { path, folder, at });
  if (!seen.ok) return fail(context, { json: flags.json || flags.ndjson }, seen.failure);
  const opened = await openStore({
    folder: path,
    grant: grant.grant,
    create: false,
    lockWaitMs: flags.lockWait,
    purpose: 'run',
  });
  if (!opened.ok) return fail(context, flags, opened.failure);
  const { store } = opened;
  try {
    tellSetAside(context, store);
    const { planned } = store.state;
    if (planned === null) return fail(context, flags, notPlanned(folder));
    const inspection = await look(path, store, at);
    if (!isFinal(store.state) && inspection.receipt_digest !== seen.receipt) {
      return fail(context, flags, otherReceipt(inspection, { accepted: seen.receipt ?? 'none', folder }));
    }
    await drive(context, flags, {
      store,
      host,
      conferenceId: planned.conference_id,
      plan: planned.plan,
      folder: path,
      prepare: (chair) => prepare(chair, { store, folder: path, inspection, grant: grant.grant }),
    });
  } finally {
    await store.close();
  }
}

interface Prepared {
  readonly store: Store;
  readonly folder: string;
  readonly inspection: Inspection;
  readonly grant: Grant | null;
}

/** The fresh grant, then the decision, then what is owed; a conference that has ended only owes its close. */
async function prepare(
  chair: Chair,
  { store, folder, inspection, grant }: Prepared,
): Promise<Failure | null> {
  if (chair.state.closing.receipt !== null) return null;
  if (grant !== null) {
    const granted = chair.execute({ command: 'grant', grant });
    if (granted.status !== 'done') return refusalFailure(granted);
  }
  if (isFinal(chair.state)) return keepFolder(chair, store);
  const decided = { proposal: null, option: 'resume' as const, decidedBy: 'conference run --resume' };
  const failure = await applyRecovery({ chair, store, folder }, inspection, decided);
  return failure ?? (chair.state.state === 'BLOCKED' ? null : keepFolder(chair, store));
}

async function look(folder: string, store: Store, at: number | undefined): Promise<Inspection> {
  const { chair, close } = readingChair(folder, store.state);
  try {
    const tornBytes = store.setAside?.bytes ?? 0;
    return await inspect(chair, { folder, head: store.ledger.head.digest, tornBytes, ...timesOf(at) });
  } finally {
    close();
  }
}

/** The receipt is compared for the time that it was printed for. */
function timesOf(at: number | undefined): { readonly now: number; readonly at?: number } {
  return at === undefined ? { now: Date.now() } : { now: at, at };
}

type Seen =
  /** Null: there is nothing to accept. */
  { readonly ok: true; readonly receipt: string | null } | { readonly ok: false; readonly failure: Failure };

/** Whether a person accepted this receipt: by its digest, or here at the terminal. Reads only. */
async function acceptedReceipt(
  context: CliContext,
  flags: RunFlags,
  { path, folder, at }: { readonly path: string; readonly folder: string; readonly at: number | undefined },
): Promise<Seen> {
  const found = await readAsWriter(path);
  if (!found.ok) return found;
  // Whoever holds it writes on: opening waits for the lock and says who has it, or finds what stands there after it.
  if (found.running) return { ok: true, receipt: flags.accept ?? null };
  if (found.state.planned === null) return { ok: false, failure: notPlanned(folder) };
  // A close is finished without a decision.
  if (isFinal(found.state)) return { ok: true, receipt: null };
  const { chair, close } = readingChair(path, found.state);
  try {
    const { inFlightBytes: tornBytes, head } = found;
    const inspection = await inspect(chair, { folder: path, head: head.digest, tornBytes, ...timesOf(at) });
    const failure = await accepted(context, flags, { inspection, folder });
    return failure === null ? { ok: true, receipt: inspection.receipt_digest } : { ok: false, failure };
  } finally {
    close();
  }
}

function notPlanned(folder: string): Failure {
  return usage('NOT_PLANNED', `${folder} holds no conference yet: conference run`);
}

function otherReceipt(
  { receipt_digest }: Inspection,
  { accepted: given, folder }: { readonly accepted: string; readonly folder: string },
): Failure {
  const message = `RECEIPT_MISMATCH: the receipt has the digest ${receipt_digest}, not ${given}: read it again with conference recover ${folder}, and give --at where it was made with --at`;
  return usage('RECEIPT_MISMATCH', message);
}

/** Null when a person accepted this receipt: by its digest, or here at the terminal. */
async function accepted(
  context: CliContext,
  flags: RunFlags,
  { inspection, folder }: { readonly inspection: Inspection; readonly folder: string },
): Promise<Failure | null> {
  const { receipt, receipt_digest, proposals } = inspection;
  if (flags.accept === receipt_digest) return null;
  if (flags.accept !== undefined) return otherReceipt(inspection, { accepted: flags.accept, folder });
  const words = `${receiptText(receipt, receipt_digest)}\n${proposalsText(proposals, folder)}`;
  if (context.node.stdin.isTTY && !flags.json && !flags.ndjson) {
    context.err(words);
    const { askResume } = await import('../askers/terminal-asker.ts');
    if (await askResume()) return null;
  }
  return {
    code: 'RECEIPT_NOT_ACCEPTED',
    message: `RECEIPT_NOT_ACCEPTED: nothing was done: accept the receipt with --accept ${receipt_digest}`,
    exit: exitCode.asked,
    shown: { document: { receipt, receipt_digest, proposals }, words },
  };
}
