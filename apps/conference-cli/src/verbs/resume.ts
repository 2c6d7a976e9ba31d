/**
 * `conference run --resume DIR`: goes on with an interrupted conference, after a person accepted the recovery receipt
 * (01 Recovery). Nothing is dispatched, retried or overwritten before that.
 */
import { resolve } from 'node:path';
import { keepHouse } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { drive } from '../drive.ts';
import { exitCode } from '../exit-code.ts';
import { chooseGrant } from '../grants/choose-grant.ts';
import { chooseHost } from '../hosts/choose-host.ts';
import { fail, print, usage, type Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { applyRecovery, blockIfStale } from '../recovery/apply.ts';
import { inspect, type Inspection } from '../recovery/inspect.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { readingChair } from '../store/reading-chair.ts';
import { proposalsText, receiptText } from '../views/recovery-view.ts';
import type { RunFlags } from './run.ts';

export async function resume(context: CliContext, flags: RunFlags, folder: string): Promise<void> {
  const path = resolve(context.cwd, folder);
  const host = await chooseHost(flags.host, context.cwd);
  if (!host.ok) return fail(context, flags, host.failure);
  const grant = chooseGrant(flags, context.cwd);
  if (!grant.ok) return fail(context, flags, grant.failure);
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
    const { planned } = store.state;
    if (planned === null) {
      return fail(context, flags, usage('NOT_PLANNED', `${folder} holds no conference yet: conference run`));
    }
    if (store.setAside !== null) {
      context.err(
        `conference: ${store.setAside.bytes} torn bytes at the end of the ledger were set aside in ${store.setAside.path}`,
      );
    }
    const inspection = await look(path, store);
    if (store.state.closing.receipt === null) {
      const refused = await accepted(context, flags, { inspection, folder });
      if (refused !== null) return fail(context, flags, refused);
    }
    await drive(context, flags, {
      store,
      host,
      conferenceId: planned.conference_id,
      plan: planned.plan,
      folder: path,
      prepare: (chair) => {
        if (grant.grant !== null) {
          const granted = chair.execute({ command: 'grant', grant: grant.grant });
          if (granted.status !== 'done') return Promise.resolve(refusalFailure(granted));
        }
        const trouble = keepHouse(chair, store.artifacts);
        if (trouble !== null) return Promise.resolve({ ...trouble, exit: exitCode.blocked });
        if (chair.state.closing.receipt !== null) return Promise.resolve(null);
        const decided = { proposal: null, option: 'resume' as const, decidedBy: 'conference run --resume' };
        const failure =
          applyRecovery({ chair, store, folder: path }, inspection, decided) ??
          blockIfStale(chair, inspection.drift);
        return Promise.resolve(failure);
      },
    });
  } finally {
    await store.close();
  }
}

async function look(folder: string, store: Store): Promise<Inspection> {
  const { chair, close } = readingChair(folder, store.state);
  try {
    const tornBytes = store.setAside?.bytes ?? 0;
    return await inspect(chair, { folder, head: store.ledger.head.digest, now: Date.now(), tornBytes });
  } finally {
    close();
  }
}

/** Null when a person accepted this receipt: by its digest, or here at the terminal. */
async function accepted(
  context: CliContext,
  flags: RunFlags,
  { inspection, folder }: { readonly inspection: Inspection; readonly folder: string },
): Promise<Failure | null> {
  const { receipt, receipt_digest, proposals } = inspection;
  if (flags.accept === receipt_digest) return null;
  if (flags.accept !== undefined) {
    return usage(
      'RECEIPT_MISMATCH',
      `RECEIPT_MISMATCH: the receipt has the digest ${receipt_digest}, not ${flags.accept}: read it again with conference recover ${folder}`,
    );
  }
  const words = `${receiptText(receipt, receipt_digest)}\n${proposalsText(proposals, folder)}`;
  if (context.node.stdin.isTTY && !flags.json && !flags.ndjson) {
    context.err(words);
    const { askResume } = await import('../askers/terminal-asker.ts');
    if (await askResume()) return null;
  } else print(context, flags, { document: { receipt, receipt_digest, proposals }, words: () => words });
  return {
    code: 'RECEIPT_NOT_ACCEPTED',
    message: `nothing was done: accept the receipt with --accept ${receipt_digest}`,
    exit: exitCode.asked,
  };
}
